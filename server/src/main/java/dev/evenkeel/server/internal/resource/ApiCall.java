package dev.evenkeel.server.internal.resource;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A request for a resource.
 *
 * @param process the number of the process that sent it, from 1
 * @param verb such as {@code update}; server-side apply is {@code apply}
 * @param resource the id of the resource, such as {@code widgets.example.com}
 * @param subresource empty if there is none
 * @param key the namespace and name of the object, such as {@code default/blog}; a star for all objects, and the prefix
 *     with a star for an object whose name the server generates
 * @param resourceVersion the parameter of reads; empty if there is none
 * @param consistent whether a list must be of the present state, or is continued
 * @param dryRun whether nothing is written
 */
public record ApiCall(
        int process,
        String verb,
        String resource,
        String subresource,
        String key,
        String resourceVersion,
        boolean consistent,
        boolean dryRun) {
    private static final Set<String> READS = Set.of("get", "list", "watch");

    /** Resources that controllers write at any time, and that say nothing about their work. */
    private static final Set<String> BACKGROUND =
            Set.of("leases.coordination.k8s.io", "events", "events.events.k8s.io");

    /** The lease of a leader. */
    public static final String LEASES = "leases.coordination.k8s.io";

    /** Returns the meaning of a request; empty if it is not one for a resource. */
    public static Optional<ApiCall> of(
            int process, String method, String path, String query, String contentType, byte[] body) {
        List<String> segments = Arrays.stream(path.split("/", -1))
                .filter(part -> !part.isEmpty())
                .map(ApiCall::decoded)
                .toList();
        boolean core = segments.size() >= 3 && segments.getFirst().equals("api");
        boolean grouped = segments.size() >= 4 && segments.getFirst().equals("apis");
        if (!core && !grouped) {
            return Optional.empty();
        }
        ResourcePath target = ResourcePath.parse(segments);
        boolean watch = target.watch() || isSet(query, "watch");
        boolean named = !target.name().isEmpty();
        String verb = switch (method) {
            case "GET", "HEAD" -> watch ? "watch" : named ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> contentType.startsWith("application/apply-patch") ? "apply" : "patch";
            case "DELETE" -> named ? "delete" : "deletecollection";
            default -> method;
        };
        String name = named ? target.name() : verb.equals("create") ? created(body) : "*";
        String match = parameter(query, "resourceVersionMatch");
        String version = parameter(query, "resourceVersion");
        boolean consistent = version.isEmpty()
                || match.equals("Exact")
                || !parameter(query, "continue").isEmpty();
        return Optional.of(new ApiCall(
                process,
                verb,
                target.resource() + (target.group().isEmpty() ? "" : "." + target.group()),
                target.subresource(),
                target.namespace().isEmpty() ? name : target.namespace() + "/" + name,
                version,
                consistent,
                !parameter(query, "dryRun").isEmpty()));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Returns the first value of a parameter; empty if there is none. */
    public static String parameter(String query, String name) {
        for (String part : query.split("&", -1)) {
            if (part.startsWith(name + "=")) {
                return decoded(part.substring(name.length() + 1));
            }
        }
        return "";
    }

    /** Returns true if the first parameter of a name is there, and neither 0 nor false, which is how servers read it. */
    private static boolean isSet(String query, String name) {
        String value = parameter(query, name);
        boolean alone = List.of(query.split("&", -1)).contains(name);
        return alone || !(value.isEmpty() || value.equals("0") || value.equalsIgnoreCase("false"));
    }

    /** Returns the name in the body of an object that is created. */
    private static String created(byte[] body) {
        try {
            JsonObject object = Json.parseObject(body, JsonLimits.DEFAULT);
            String name = object.string("metadata", "name");
            return name.isEmpty() ? object.string("metadata", "generateName") + "*" : name;
        } catch (JsonException | IllegalArgumentException e) {
            // in protobuf or YAML: such requests are counted by their resource
            return "*";
        }
    }

    /** Returns a query of a list for the state at a revision. */
    public static String at(String query, long revision) {
        String others = Arrays.stream(query.split("&", -1))
                .filter(part -> !part.isEmpty() && !part.startsWith("resourceVersion"))
                .collect(Collectors.joining("&"));
        return (others.isEmpty() ? "" : others + "&") + "resourceVersion=" + revision + "&resourceVersionMatch=Exact";
    }

    /** Returns true if it changes nothing. */
    public boolean reads() {
        return READS.contains(verb) || dryRun;
    }

    /** Returns true if a list may be answered from a state as old as a revision. */
    public boolean permits(long revision) {
        return !consistent
                && (resourceVersion.equals("0")
                        || (resourceVersion.matches("\\d{1,18}") && Long.parseLong(resourceVersion) <= revision));
    }

    /** Returns true if it is part of the work of the controller, and not of its leases and events. */
    public boolean isWork() {
        return !BACKGROUND.contains(resource);
    }

    /** Returns the resource with its subresource, such as {@code pods/status}. */
    public String target() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }

    @Override
    public String toString() {
        return verb + " " + target() + " " + key;
    }
}
