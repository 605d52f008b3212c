package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.TokenSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A kubeconfig file: named clusters, users, and contexts that combine one of each. Paths in it are relative to it.
 *
 * <p>Parsed here rather than by the fabric8 client, which reads the environment as well, takes missing fields for
 * empty, and brings all its models along.
 */
final class Kubeconfig {
    private final Path file;
    private final Map<?, ?> root;
    private final InstantSource clock;

    private Kubeconfig(Path file, Map<?, ?> root, InstantSource clock) {
        this.file = file;
        this.root = root;
        this.clock = clock;
    }

    static Kubeconfig read(Path file, InstantSource clock) {
        String text = Connection.read(file);
        Object root;
        try {
            root = new Load(LoadSettings.builder().build()).loadFromString(text);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("kubeconfig " + file + " is not YAML: " + e.getMessage(), e);
        }
        if (!(root instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException(
                    "kubeconfig " + file + " is not an object: a kubeconfig has clusters, users" + " and contexts");
        }
        return new Kubeconfig(file, map, clock);
    }

    /** A part of the file, and its position, for messages. */
    private record Part(String where, Map<?, ?> map) {
        String text(String field) {
            Object value = map.get(field);
            return value == null ? "" : value.toString();
        }

        boolean flag(String field) {
            return text(field).equals("true");
        }

        Part part(String field) {
            return new Part(where + "." + field, map.get(field) instanceof Map<?, ?> inner ? inner : Map.of());
        }

        List<?> list(String field) {
            return map.get(field) instanceof List<?> list ? list : List.of();
        }
    }

    Connection connection(String wanted) {
        String name = wanted.isEmpty() ? new Part("", root).text("current-context") : wanted;
        if (name.isEmpty()) {
            throw refused("current-context", "is not set; name one of the contexts: " + names("contexts"));
        }
        Part context = entry("contexts", "context", name, "");
        Part cluster = entry("clusters", "cluster", context.text("cluster"), context.where + ".cluster: ");
        Connection.Builder builder = server(cluster);
        if (!context.text("namespace").isEmpty()) {
            builder.namespace(context.text("namespace"));
        }
        if (!context.text("user").isEmpty()) {
            user(entry("users", "user", context.text("user"), context.where + ".user: "), builder);
        }
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "kubeconfig " + file + ", context \"" + name + "\": " + e.getMessage(), e);
        }
    }

    private Connection.Builder server(Part cluster) {
        Connection.Builder builder;
        try {
            builder = Connection.to(URI.create(cluster.text("server")));
        } catch (IllegalArgumentException e) {
            throw refused(cluster.where + ".server", e.getMessage());
        }
        if (cluster.text("certificate-authority-data").isEmpty()
                && !cluster.text("certificate-authority").isEmpty()) {
            builder.caFile(path(cluster.text("certificate-authority")));
        } else {
            builder.ca(data(cluster, "certificate-authority"));
        }
        builder.insecure(cluster.flag("insecure-skip-tls-verify"));
        if (!cluster.text("tls-server-name").isEmpty()) {
            throw refused(
                    cluster.where + ".tls-server-name", "is not supported; use that name in the server's address");
        }
        if (!cluster.text("proxy-url").isEmpty()) {
            try {
                builder.proxy(URI.create(cluster.text("proxy-url")));
            } catch (IllegalArgumentException e) {
                throw refused(cluster.where + ".proxy-url", e.getMessage());
            }
        }
        return builder;
    }

    private void user(Part user, Connection.Builder builder) {
        builder.clientCertificate(data(user, "client-certificate"), data(user, "client-key"));
        if (!user.text("tokenFile").isEmpty()) {
            builder.tokens(new FileToken(path(user.text("tokenFile")), clock));
        } else if (!user.text("token").isEmpty()) {
            builder.token(user.text("token"));
        } else if (user.map.get("exec") != null) {
            builder.tokens(exec(user.part("exec")));
        } else {
            for (String field : List.of("auth-provider", "username", "password")) {
                if (user.map.get(field) != null) {
                    throw refused(
                            user.where + "." + field,
                            "is not supported; use token, tokenFile, exec or a client certificate");
                }
            }
        }
        if (!user.text("as").isEmpty()) {
            builder.impersonate(
                    user.text("as"),
                    user.list("as-groups").stream().map(String::valueOf).toList());
        }
    }

    private TokenSource exec(Part exec) {
        String command = exec.text("command");
        String version = exec.text("apiVersion");
        if (command.isEmpty()) {
            throw refused(exec.where + ".command", "is missing");
        }
        if (!version.startsWith("client.authentication.k8s.io/")) {
            throw refused(
                    exec.where + ".apiVersion",
                    "is \"" + version + "\"; known are client.authentication.k8s.io/v1 and v1beta1");
        }
        if (exec.text("interactiveMode").equals("Always")) {
            throw refused(exec.where + ".interactiveMode", "is Always, and no terminal is available");
        }
        List<String> line = new ArrayList<>();
        // a command with a slash is relative to the file, a bare name is looked up in the path
        line.add(command.indexOf('/') >= 0 ? path(command).toString() : command);
        exec.list("args").forEach(argument -> line.add(String.valueOf(argument)));
        Map<String, String> environment = new LinkedHashMap<>();
        for (Object variable : exec.list("env")) {
            if (variable instanceof Map<?, ?> map) {
                environment.put(String.valueOf(map.get("name")), String.valueOf(map.get("value")));
            }
        }
        return new ExecToken(
                new ExecToken.Command(line, environment, version, directory(), exec.text("installHint")), clock);
    }

    /** Returns the data of a field: inline, in base64 as {@code -data}, or in a file that it names. */
    private String data(Part part, String field) {
        String inline = part.text(field + "-data");
        if (!inline.isEmpty()) {
            try {
                return new String(Base64.getDecoder().decode(inline.replaceAll("\\s", "")), UTF_8);
            } catch (IllegalArgumentException e) {
                throw refused(part.where + "." + field + "-data", "is not base64");
            }
        }
        return part.text(field).isEmpty() ? "" : Connection.read(path(part.text(field)));
    }

    private Path directory() {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    private Path path(String text) {
        return directory().resolve(text).normalize();
    }

    private Part entry(String list, String inner, String name, String why) {
        Map<?, ?> found = entries(list)
                .filter(entry -> name.equals(String.valueOf(entry.get("name"))))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kubeconfig " + file + ": " + why + "unknown " + inner
                        + " \"" + name + "\"; known: " + names(list)));
        return new Part(list + "[" + name + "]", found).part(inner);
    }

    private Stream<Map<?, ?>> entries(String list) {
        return new Part("", root).list(list).stream().mapMulti((entry, to) -> {
            if (entry instanceof Map<?, ?> map) {
                to.accept(map);
            }
        });
    }

    private String names(String list) {
        String names =
                entries(list).map(entry -> String.valueOf(entry.get("name"))).collect(Collectors.joining(", "));
        return names.isEmpty() ? "none" : names;
    }

    private IllegalArgumentException refused(String field, @Nullable String why) {
        return new IllegalArgumentException("kubeconfig " + file + ": " + field + ": " + why);
    }
}
