package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A pod, or the template of one, that is checked.
 *
 * @param containers the containers of all kinds: init containers, containers, ephemeral ones
 */
public record CheckedPod(JsonObject annotations, JsonObject spec, List<JsonObject> containers) {
    private static final String CONTEXT = "securityContext";

    /** Returns the view of a pod or template. */
    public static CheckedPod of(JsonObject pod) {
        JsonObject spec = pod.object("spec");
        return new CheckedPod(
                pod.object("metadata", "annotations"),
                spec,
                Stream.of("initContainers", "containers", "ephemeralContainers")
                        .flatMap(field -> spec.objects(field).stream())
                        .toList());
    }

    /** Returns whether the pod is for nodes with Windows. */
    boolean isForWindows() {
        return spec.string("os", "name").equals("windows");
    }

    /** Returns whether the pod has users of its own, apart from those of its node. */
    boolean hasOwnUsers() {
        return Boolean.FALSE.equals(spec.at("hostUsers"));
    }

    /** Returns the security context of the pod as a whole. */
    JsonObject context() {
        return spec.object(CONTEXT);
    }

    /** Returns the names of the containers that fulfil a condition. */
    List<String> named(Predicate<JsonObject> condition) {
        return containers.stream()
                .filter(condition)
                .map(container -> container.string("name"))
                .toList();
    }

    /** Returns the names of the containers whose security context fulfils a condition. */
    List<String> namedBy(Predicate<JsonObject> condition) {
        return named(container -> condition.test(container.object(CONTEXT)));
    }

    /** Returns what is found in containers, sorted. */
    SortedSet<String> found(Function<JsonObject, List<String>> values) {
        return sorted(containers.stream(), values);
    }

    /** Returns what is found in the security contexts of the pod as a whole and of its containers, sorted. */
    SortedSet<String> foundBy(Function<JsonObject, List<String>> values) {
        return sorted(
                Stream.concat(Stream.of(context()), containers.stream().map(container -> container.object(CONTEXT))),
                values);
    }

    private static SortedSet<String> sorted(Stream<JsonObject> from, Function<JsonObject, List<String>> values) {
        return from.map(values).flatMap(List::stream).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns who has a security context that fulfils a condition: the pod as a whole, then its containers as one text. */
    List<String> setters(Predicate<JsonObject> condition) {
        List<String> setters = new ArrayList<>(0);
        if (condition.test(context())) {
            setters.add("pod");
        }
        List<String> names = namedBy(condition);
        if (!names.isEmpty()) {
            setters.add(Phrases.containers(names));
        }
        return setters;
    }
}
