package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions.RoleRef;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The roles that bindings give to subjects.
 *
 * <p>One thread at a time may change this, while others read it without a lock; what it changed is read once it is published.
 * Subjects without bindings, and roles that neither exist nor are bound, are forgotten.
 */
final class Grants {
    private static final String GROUP = "rbac.authorization.k8s.io";

    /** The subjects of each namespace; those of cluster role bindings under the empty name. */
    private final Map<String, Scope> scopes = new ConcurrentHashMap<>();

    private final Map<RoleRef, Role> roles = new ConcurrentHashMap<>();
    private final Map<Store.Key, Bound> bindings = new HashMap<>();
    private final Set<Subject> unpublished = new HashSet<>();

    /** The subjects with bindings in a namespace, or with cluster role bindings. */
    private record Scope(Map<String, Subject> users, Map<String, Subject> groups) {
        Scope() {
            this(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        }

        boolean isEmpty() {
            return users.isEmpty() && groups.isEmpty();
        }
    }

    /** The grants of a subject: all of them, and one for each role. */
    private static final class Subject {
        private final Map<String, Subject> home;
        private final String name;
        private final Map<Store.Key, Grant> all = new TreeMap<>();
        private volatile Grant[] distinct = {};

        Subject(Map<String, Subject> home, String name) {
            this.home = home;
            this.name = name;
        }

        void publish() {
            Set<Role> seen = new HashSet<>();
            distinct = all.values().stream()
                    .filter(grant -> seen.add(grant.role()))
                    .toArray(Grant[]::new);
            if (all.isEmpty()) {
                home.remove(name, this);
            }
        }
    }

    /** A role, whether it exists or is only named by bindings; compared by identity. */
    static final class Role {
        private final RoleRef reference;
        private volatile @Nullable List<PolicyRule> rules;
        private int bindings;

        Role(RoleRef reference) {
            this.reference = reference;
        }

        String missing() {
            String kind = reference.namespace().isEmpty() ? "clusterrole." : "role.";
            return kind + GROUP + " " + GoTypes.quoted(reference.name()) + " not found";
        }
    }

    /** A binding: its role and its subjects. */
    private record Bound(Role role, List<Subject> subjects) {}

    /**
     * A role that a binding gives to a subject.
     *
     * @param origin the binding, the role and the subject, for people
     */
    record Grant(Role role, String origin) {}

    /** Receives the grants of a user, with the rules of the role if it exists; returns false to stop. */
    interface Visitor {
        boolean visit(Grant grant, @Nullable List<PolicyRule> rules);
    }

    /** Visits the grants of a user cluster-wide, and in a namespace if it is not empty. */
    void visit(User user, String namespace, Visitor visitor) {
        if (visit(scopes.get(""), user, visitor) && !namespace.isEmpty()) {
            visit(scopes.get(namespace), user, visitor);
        }
    }

    private static boolean visit(@Nullable Scope scope, User user, Visitor visitor) {
        if (scope == null) {
            return true;
        }
        if (!visit(scope.users.get(user.name()), visitor)) {
            return false;
        }
        List<String> groups = user.groups();
        for (int i = 0; i < groups.size(); i++) {
            if (!visit(scope.groups.get(groups.get(i)), visitor)) {
                return false;
            }
        }
        return true;
    }

    private static boolean visit(@Nullable Subject subject, Visitor visitor) {
        if (subject != null) {
            for (Grant grant : subject.distinct) {
                if (!visitor.visit(grant, grant.role().rules)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the rules of a role; null when it does not exist. */
    @Nullable
    List<PolicyRule> rules(RoleRef role) {
        Role found = roles.get(role);
        return found == null ? null : found.rules;
    }

    /** Sets the rules of a role; null when it does not exist. */
    void role(RoleRef reference, @Nullable List<PolicyRule> rules) {
        Role role = role(reference);
        role.rules = rules;
        release(role);
    }

    private Role role(RoleRef reference) {
        return roles.computeIfAbsent(reference, Role::new);
    }

    private void release(Role role) {
        if (role.rules == null && role.bindings == 0) {
            roles.remove(role.reference, role);
        }
    }

    /** Sets a binding; null when it does not exist. */
    void binding(Store.Key key, @Nullable JsonObject tree) {
        Bound former = bindings.remove(key);
        if (former != null) {
            former.subjects().forEach(subject -> subject.all.remove(key));
            unpublished.addAll(former.subjects());
            former.role().bindings--;
            release(former.role());
        }
        if (tree == null) {
            return;
        }
        String namespace = key.namespace();
        String kind = tree.string("roleRef", "kind");
        String name = tree.string("roleRef", "name");
        Role role = role(new RoleRef(kind.equals("Role") ? namespace : "", name));
        role.bindings++;
        String binding = namespace.isEmpty()
                ? "ClusterRoleBinding " + GoTypes.quoted(key.name())
                : "RoleBinding " + GoTypes.quoted(key.name() + "/" + namespace);
        String origin = binding + " of " + kind + " " + GoTypes.quoted(name) + " to ";
        List<Subject> subjects = new ArrayList<>();
        Scope scope = scopes.computeIfAbsent(namespace, n -> new Scope());
        for (JsonObject named : tree.objects("subjects")) {
            Subject subject = subject(scope, named, namespace);
            if (subject != null && !subject.all.containsKey(key)) {
                subject.all.put(key, new Grant(role, origin + described(named, namespace)));
                subjects.add(subject);
            }
        }
        bindings.put(key, new Bound(role, subjects));
        unpublished.addAll(subjects);
    }

    private static @Nullable Subject subject(Scope scope, JsonObject named, String namespace) {
        String name = named.string("name");
        return switch (named.string("kind")) {
            case "User" -> subject(scope.users, name);
            case "Group" -> subject(scope.groups, name);
            case "ServiceAccount" -> {
                String home = home(named, namespace);
                yield home.isEmpty()
                        ? null
                        : subject(scope.users, User.serviceAccount(home, name).name());
            }
            default -> null;
        };
    }

    private static Subject subject(Map<String, Subject> home, String name) {
        return home.computeIfAbsent(name, n -> new Subject(home, n));
    }

    /** Returns the namespace of a service account, by default that of the binding. */
    private static String home(JsonObject account, String namespace) {
        return account.string("namespace").isEmpty() ? namespace : account.string("namespace");
    }

    private static String described(JsonObject named, String namespace) {
        String kind = named.string("kind");
        String name = named.string("name");
        return kind + " " + GoTypes.quoted(kind.equals("ServiceAccount") ? name + "/" + home(named, namespace) : name);
    }

    /** Shows all changes to readers. */
    void publish() {
        unpublished.forEach(Subject::publish);
        unpublished.clear();
    }

    /** Forgets a namespace without bindings. */
    void release(String namespace) {
        Scope scope = scopes.get(namespace);
        if (scope != null && scope.isEmpty()) {
            scopes.remove(namespace);
        }
    }

    /** Returns how many roles and subjects are known. */
    int size() {
        return roles.size()
                + scopes.values().stream()
                        .mapToInt(scope -> scope.users.size() + scope.groups.size())
                        .sum()
                + scopes.size();
    }
}
