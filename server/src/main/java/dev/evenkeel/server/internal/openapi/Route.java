package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An operation of the API: a method of a path, with what it reads and answers.
 *
 * @param method in lower case
 * @param id name of the operation, unique in an API
 * @param tags groups of operations
 * @param action such as {@code list}; empty for an operation that is not about resources
 * @param kind group, version and kind of what is read or written; empty with the action
 * @param parameters in the path and in the query
 * @param body what is read; empty where there is no body
 * @param consumes media types of the body
 * @param produces media types of the answers
 * @param answers names of definitions by status; an empty name stands for a text
 */
record Route(
        String method,
        String path,
        String id,
        List<String> tags,
        String description,
        String action,
        JsonObject kind,
        List<Parameter> parameters,
        Optional<Body> body,
        List<String> consumes,
        List<String> produces,
        SortedMap<Integer, String> answers) {
    private static final Map<Integer, String> STATUSES = Map.of(200, "OK", 201, "Created", 202, "Accepted");

    /**
     * A parameter.
     *
     * @param in {@code path} or {@code query}
     * @param type of JSON
     */
    record Parameter(String name, String in, String type, String description) {
        static final Comparator<Parameter> ORDER =
                Comparator.comparing(Parameter::name).thenComparing(Parameter::in);

        /** Returns true if both have the same place in a request. */
        boolean isAlso(Parameter other) {
            return name.equals(other.name) && in.equals(other.in);
        }
    }

    /**
     * A body.
     *
     * @param definition name of its definition
     * @param required whether a request must have it
     */
    record Body(String definition, boolean required) {}

    /** Returns operations by path, paths sorted. */
    static SortedMap<String, List<Route>> byPath(Collection<Route> routes) {
        return routes.stream().collect(Collectors.groupingBy(Route::path, TreeMap::new, Collectors.toList()));
    }

    /** Returns the parameters that all operations of a path have; the last one describes them. */
    static List<Parameter> common(List<Route> routes) {
        return routes.getLast().parameters.stream()
                .filter(each -> routes.stream()
                        .allMatch(route -> route.parameters.stream().anyMatch(each::isAlso)))
                .sorted(Parameter.ORDER)
                .toList();
    }

    /** Returns the parameters without common ones. */
    List<Parameter> parametersBut(List<Parameter> common) {
        return parameters.stream()
                .filter(each -> common.stream().noneMatch(each::isAlso))
                .sorted(Parameter.ORDER)
                .toList();
    }

    /** Returns the answers with their descriptions, by status, and the one to a client that is not known. */
    SequencedMap<String, JsonObject> answers(Function<String, JsonObject> content) {
        SequencedMap<String, JsonObject> all = new LinkedHashMap<>();
        answers.forEach((status, definition) -> {
            JsonObject answer = JsonObject.of("description", STATUSES.get(status));
            answer.putAll(content.apply(definition));
            all.put(status.toString(), answer);
        });
        all.put("401", JsonObject.of("description", "Unauthorized"));
        return all;
    }
}
