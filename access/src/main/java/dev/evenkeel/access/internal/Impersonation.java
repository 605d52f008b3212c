package dev.evenkeel.access.internal;

import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets users act as others: {@code Impersonate-User}, {@code -Group}, {@code -Uid} and {@code -Extra-}.
 *
 * <p>There are two ways of permission, as for upstream. By the older one, the verb {@code impersonate} on a user permits all
 * that this user may do. By the constrained one, {@code impersonate:user-info} permits to name the user, and
 * {@code impersonate-on:user-info:list} to list as such a user; for service accounts and nodes there are modes of their
 * own. The constrained modes are tried first, except that the mode of the last success of a user is tried before, and the
 * first refusal is the answer.
 */
public final class Impersonation {
    private static final String PREFIX = "impersonate-";
    private static final String EXTRA = "impersonate-extra-";
    private static final String NODE = "system:node:";
    private static final String ACCOUNT = "system:serviceaccount:";
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final int REMEMBERED = 1024;
    private static final int MANY = 4;
    private static final String NOT_ALLOWED = " in extra is not allowed";

    private final Map<String, Mode> lastMode = new ConcurrentHashMap<>();

    /** The ways of permission, in the order in which they are tried. */
    private enum Mode {
        ASSOCIATED_NODE("associated-node"),
        ARBITRARY_NODE("arbitrary-node"),
        SERVICE_ACCOUNT("serviceaccount"),
        USER_INFO("user-info"),
        LEGACY("");

        private final String word;

        Mode(String word) {
            this.word = word;
        }

        boolean constrained() {
            return this != LEGACY;
        }

        String verb() {
            return constrained() ? "impersonate:" + word : "impersonate";
        }
    }

    /** Reads the headers of a request. */
    public interface Headers {
        /** Returns the names of all headers. */
        Iterable<String> names();

        /** Returns the values of a header. */
        List<String> values(String name);
    }

    /**
     * Returns the user that a request acts as: the one that its headers name, or else the sender.
     *
     * @param attributes of the request, as one of the sender
     * @throws dev.evenkeel.client.ForbiddenException when the sender may not act as that user
     * @throws dev.evenkeel.client.BadRequestException when headers name no user, but a part of one
     */
    public User act(Headers headers, Attributes attributes, Permissions permissions) {
        Optional<User> wanted = wanted(headers);
        if (wanted.isEmpty()) {
            return attributes.user();
        }
        String sender = attributes.user().name();
        Mode last = lastMode.get(sender);
        ForbiddenException refusal = null;
        List<Mode> modes = new ArrayList<>(List.of(Mode.values()));
        if (last != null) {
            modes.remove(last);
            modes.addFirst(last);
        }
        for (Mode mode : modes) {
            if (!applies(mode, wanted.get(), attributes.user())) {
                continue;
            }
            try {
                User user = new Attempt(mode, wanted.get(), attributes, permissions).check();
                remember(sender, mode);
                return user;
            } catch (ForbiddenException e) {
                refusal = refusal == null ? e : refusal;
            }
        }
        throw refusal == null ? Refusal.forbidden(attributes, "") : refusal;
    }

    private void remember(String sender, Mode mode) {
        if (lastMode.size() >= REMEMBERED) {
            lastMode.clear();
        }
        lastMode.put(sender, mode);
    }

    private static Optional<User> wanted(Headers headers) {
        String name = "";
        String uid = "";
        List<String> groups = new ArrayList<>();
        Map<String, List<String>> extra = new TreeMap<>();
        for (String header : headers.names()) {
            String key = header.toLowerCase(Locale.ROOT);
            if (!key.startsWith(PREFIX)) {
                continue;
            }
            List<String> values = headers.values(header);
            switch (key) {
                case "impersonate-user" -> name = values.getFirst();
                case "impersonate-uid" -> uid = values.getFirst();
                case "impersonate-group" -> groups = values;
                default -> {
                    if (key.startsWith(EXTRA)) {
                        extra.computeIfAbsent(unescaped(key.substring(EXTRA.length())), k -> new ArrayList<>())
                                .addAll(values);
                    }
                }
            }
        }
        if (name.isEmpty() && (!uid.isEmpty() || !groups.isEmpty() || !extra.isEmpty())) {
            throw Refusal.badRequest("requested &user.DefaultInfo{Name:\"\", UID:" + GoTypes.quoted(uid) + ", Groups:"
                    + texts(groups) + ", Extra:" + texts(extra) + "} without impersonating a user name");
        }
        return name.isEmpty() ? Optional.empty() : Optional.of(new User(name, uid, groups, extra));
    }

    private static String unescaped(String key) {
        try {
            return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return key;
        }
    }

    /** Formats as Go's {@code %#v}. */
    private static String texts(List<String> texts) {
        return texts.isEmpty()
                ? "[]string(nil)"
                : texts.stream().map(GoTypes::quoted).collect(Collectors.joining(", ", "[]string{", "}"));
    }

    private static String texts(Map<String, List<String>> extra) {
        return extra.isEmpty()
                ? "map[string][]string(nil)"
                : extra.entrySet().stream()
                        .map(entry -> GoTypes.quoted(entry.getKey()) + ":" + texts(entry.getValue()))
                        .collect(Collectors.joining(", ", "map[string][]string{", "}"));
    }

    private static boolean applies(Mode mode, User wanted, User sender) {
        boolean onlyName = wanted.uid().isEmpty()
                && wanted.groups().isEmpty()
                && wanted.extra().isEmpty();
        String node = node(wanted.name());
        return switch (mode) {
            case ASSOCIATED_NODE ->
                onlyName
                        && node != null
                        && account(sender.name()) != null
                        && sender.extra()
                                .getOrDefault("authentication.kubernetes.io/node-name", List.of())
                                .equals(List.of(node));
            case ARBITRARY_NODE -> onlyName && node != null;
            case SERVICE_ACCOUNT -> onlyName && account(wanted.name()) != null;
            case USER_INFO -> node == null && account(wanted.name()) == null;
            case LEGACY -> true;
        };
    }

    private static @Nullable String node(String user) {
        String name = user.startsWith(NODE) ? user.substring(NODE.length()) : "";
        return Names.subdomain(name).isEmpty() ? name : null;
    }

    /** Returns namespace and name of a service account; null when the user is not one. */
    private static String @Nullable [] account(String user) {
        if (!user.startsWith(ACCOUNT)) {
            return null;
        }
        String[] parts = user.substring(ACCOUNT.length()).split(":", -1);
        return parts.length == 2
                        && Names.label(parts[0]).isEmpty()
                        && Names.subdomain(parts[1]).isEmpty()
                ? parts
                : null;
    }

    /** The checks of one mode. */
    private record Attempt(Mode mode, User wanted, Attributes attributes, Permissions permissions) {
        User check() {
            if (mode.constrained()) {
                permissions.require(attributes.verb("impersonate-on:" + mode.word + ":" + attributes.verb()));
            }
            List<String> groups = new ArrayList<>(wanted.groups());
            checkName(groups);
            if (!wanted.uid().isEmpty()) {
                require(AUTHENTICATION, "uids", "", "", wanted.uid());
            }
            checkGroups();
            checkExtra();
            if (wanted.name().equals(User.ANONYMOUS.name())) {
                add(groups, User.UNAUTHENTICATED);
            } else if (!groups.contains(User.UNAUTHENTICATED)) {
                add(groups, User.AUTHENTICATED);
            }
            return new User(wanted.name(), wanted.uid(), groups, wanted.extra());
        }

        private static void add(List<String> groups, String group) {
            if (!groups.contains(group)) {
                groups.add(group);
            }
        }

        private void checkName(List<String> groups) {
            String core = mode.constrained() ? AUTHENTICATION : "";
            String node = node(wanted.name());
            String[] account = account(wanted.name());
            if (mode.constrained() && node != null) {
                groups.add("system:nodes");
                require(core, "nodes", "", "", mode == Mode.ASSOCIATED_NODE ? "*" : node);
            } else if (account != null) {
                if (groups.isEmpty()) {
                    groups.addAll(User.serviceAccountGroups(account[0]));
                }
                require(core, "serviceaccounts", "", account[0], account[1]);
            } else {
                require(core, "users", "", "", wanted.name());
            }
        }

        private void checkGroups() {
            String core = mode.constrained() ? AUTHENTICATION : "";
            for (String group : wanted.groups()) {
                if (mode.constrained() && (group.isEmpty() || group.equals(User.MASTERS))) {
                    String what = group.isEmpty() ? "empty string" : User.MASTERS;
                    throw Refusal.forbidden(
                            of(core, "groups", "", "", group), "impersonating the " + what + " group is not allowed");
                }
            }
            if (!(many(wanted.groups().size()) && may(core, "groups", ""))) {
                wanted.groups().forEach(group -> require(core, "groups", "", "", group));
            }
        }

        /** Returns true where one question about all values comes before one about each. */
        private boolean many(int values) {
            return mode.constrained() && values >= MANY;
        }

        /** Returns true if all values of a resource are allowed. */
        private boolean may(String group, String resource, String subresource) {
            return permissions
                    .authorize(of(group, resource, subresource, "", "*"))
                    .allowed();
        }

        private void checkExtra() {
            Map<String, List<String>> extra = wanted.extra();
            if (mode.constrained()) {
                extra.forEach((key, values) -> {
                    String wrong = wrong(key, values);
                    if (!wrong.isEmpty()) {
                        throw Refusal.forbidden(of(AUTHENTICATION, "userextras", "", "", ""), "impersonating " + wrong);
                    }
                });
            }
            int values = extra.values().stream().mapToInt(List::size).sum();
            if (!(many(Math.max(values, extra.size())) && may(AUTHENTICATION, "userextras", "*"))) {
                extra.forEach(
                        (key, each) -> each.forEach(value -> require(AUTHENTICATION, "userextras", key, "", value)));
            }
        }

        /** Returns what is wrong with an entry of the extra information; empty if nothing is. */
        private static String wrong(String key, List<String> values) {
            if (key.isEmpty()) {
                return "the empty string key" + NOT_ALLOWED;
            }
            String path = DomainPaths.error("extra.key", key);
            if (!path.isEmpty()) {
                return "an invalid key" + NOT_ALLOWED + ": " + path;
            }
            return values.contains("") ? "the empty string value" + NOT_ALLOWED : "";
        }

        private void require(String group, String resource, String subresource, String namespace, String name) {
            permissions.require(of(group, resource, subresource, namespace, name));
        }

        private Attributes of(String group, String resource, String subresource, String namespace, String name) {
            return Attributes.ofResource(
                    attributes.user(), mode.verb(), group, "v1", resource, subresource, namespace, name);
        }
    }
}
