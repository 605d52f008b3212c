package dev.evenkeel.load;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The objects of a cluster before the load begins, by numbers. Equal worlds with equal seeds have equal objects.
 *
 * @param hosts the number of nodes, {@code host-1} and so on
 * @param namespaces the number of namespaces, {@code ns-1} and so on
 * @param podsPerNamespace the number of pods in each namespace; each is on a random node
 * @param namespaceLabels the labels of namespaces
 * @param podLabels the labels of pods
 * @param definitions the CustomResourceDefinitions, which are created first
 * @param objects further objects, in each namespace or in none
 */
public record World(
        int hosts,
        int namespaces,
        int podsPerNamespace,
        SortedMap<String, Distribution> namespaceLabels,
        SortedMap<String, Distribution> podLabels,
        List<LoadObject> definitions,
        List<Template> objects) {

    /** A world without anything, to start from. */
    public static final World EMPTY = new World(0, 0, 0, new TreeMap<>(), new TreeMap<>(), List.of(), List.of());

    public World {
        if (hosts < 0 || namespaces < 0 || podsPerNamespace < 0) {
            throw new IllegalArgumentException("hosts, namespaces and podsPerNamespace must not be negative: " + hosts
                    + ", " + namespaces + ", " + podsPerNamespace);
        }
        if (podsPerNamespace > 0 && hosts == 0) {
            throw new IllegalArgumentException("hosts must be positive if there are pods");
        }
        namespaceLabels = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(namespaceLabels)));
        podLabels = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(podLabels)));
        definitions = List.copyOf(definitions);
        objects = List.copyOf(objects);
    }

    /**
     * Returns the world of Felix's {@code k8sfv}: 50 hosts, 20 namespaces with an area and a maturity, and 50 pods in each
     * with a role, an instance and a state of availability.
     */
    public static World k8sfv() {
        return new World(
                50,
                20,
                50,
                new TreeMap<>(Map.of(
                        "area", numbered("area", 5),
                        "maturity",
                                Distribution.uniform(
                                        List.of("production", "test", "staging", "experimental", "out-of-service")))),
                new TreeMap<>(Map.of(
                        "role", numbered("role", 5),
                        "instance", numbered("instance", 5),
                        "ha", Distribution.uniform(List.of("active", "backup")))),
                List.of(),
                List.of());
    }

    private static Distribution numbered(String prefix, int values) {
        return Distribution.skewed(prefix, values, 0);
    }

    /** Returns a world with a multiple of the nodes, namespaces and objects outside of namespaces. */
    public World times(int factor) {
        if (factor < 1) {
            throw new IllegalArgumentException("factor must be positive: " + factor);
        }
        return new World(
                Math.multiplyExact(hosts, factor),
                Math.multiplyExact(namespaces, factor),
                podsPerNamespace,
                namespaceLabels,
                podLabels,
                definitions,
                objects.stream()
                        .map(template -> template.kind().namespaced()
                                ? template
                                : template.count(Math.multiplyExact(template.count(), factor)))
                        .toList());
    }

    /** Returns a world with other numbers. */
    public World size(int newHosts, int newNamespaces, int newPodsPerNamespace) {
        return new World(
                newHosts, newNamespaces, newPodsPerNamespace, namespaceLabels, podLabels, definitions, objects);
    }
}
