package dev.evenkeel.load;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The objects that a cluster should have: those of the world, after the operations so far. It knows nothing of what
 * controllers write.
 *
 * <p>Not thread-safe: one thread takes operations from patterns, and applies them here.
 */
public final class WorldState {
    private final World world;
    private final List<String> hosts;

    /** By kind, in order of creation. */
    private final Map<Kind<Encoded>, Map<ObjectKey, LoadObject>> objects = new LinkedHashMap<>();

    private final Map<String, Long> counters = new HashMap<>();

    /** Creates a state without objects. */
    public WorldState(World world) {
        this.world = world;
        hosts = IntStream.rangeClosed(1, world.hosts())
                .mapToObj(i -> "host-" + i)
                .toList();
    }

    /** Returns the world. */
    public World world() {
        return world;
    }

    /** Returns the names of the nodes. */
    public List<String> hosts() {
        return hosts;
    }

    /** Returns the names of the namespaces, in order of their creation. */
    public List<String> namespaces() {
        return keys(Kinds.NAMESPACE).stream().map(ObjectKey::name).toList();
    }

    /** Returns the operations that create the world. */
    public Stream<Operation> creation(RandomGenerator random) {
        List<String> names = IntStream.rangeClosed(1, world.namespaces())
                .mapToObj(i -> "ns-" + i)
                .toList();
        Stream<LoadObject> nodes = hosts.stream()
                .map(host -> LoadObject.of(
                        Kinds.NODE,
                        ObjectKey.cluster(host),
                        Map.of("metadata", Map.of("labels", Map.of("kubernetes.io/hostname", host)))));
        Stream<LoadObject> spaces = names.stream().map(name -> namespace(name, random));
        Stream<LoadObject> pods = names.stream()
                .flatMap(name -> IntStream.range(0, world.podsPerNamespace()).mapToObj(i -> pod(name, random)));
        Stream<LoadObject> others = world.objects().stream()
                .flatMap(template -> (template.kind().namespaced() ? names.stream() : Stream.of(""))
                        .flatMap(name ->
                                IntStream.rangeClosed(1, template.count()).mapToObj(i -> template.object(name, i))));
        return Stream.of(world.definitions().stream(), nodes, spaces, pods, others)
                .flatMap(some -> some)
                .map(Operation.Create::new);
    }

    /** Returns a namespace with random labels. */
    public LoadObject namespace(String name, RandomGenerator random) {
        return LoadObject.of(
                Kinds.NAMESPACE,
                ObjectKey.cluster(name),
                Map.of("metadata", Map.of("labels", labels(world.namespaceLabels(), random))));
    }

    /** Returns a pod with a new name, and with a random node and random labels. */
    public LoadObject pod(String namespace, RandomGenerator random) {
        return pod(namespace, random, labels(world.podLabels(), random));
    }

    /** Returns a pod with a new name, and with a random node. */
    public LoadObject pod(String namespace, RandomGenerator random, Map<String, String> labels) {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("world.hosts must be positive for a pattern that creates pods");
        }
        return LoadObject.of(
                Kinds.POD,
                ObjectKey.of(namespace, "pod-" + count("pods")),
                Map.of(
                        "metadata",
                        Map.of("labels", labels),
                        "spec",
                        Map.of(
                                "nodeName",
                                hosts.get(random.nextInt(hosts.size())),
                                "containers",
                                List.of(Map.of("name", "main", "image", "none")))));
    }

    /** Returns random values of labels. */
    public static SortedMap<String, String> labels(Map<String, Distribution> distributions, RandomGenerator random) {
        SortedMap<String, String> labels = new TreeMap<>();
        distributions.forEach((name, distribution) -> labels.put(name, distribution.draw(random)));
        return labels;
    }

    /** Returns the next number of a name, from 1 on. */
    public long count(String name) {
        return counters.merge(name, 1L, Long::sum);
    }

    /** Returns the keys of the objects of a kind, in order of their creation. */
    public List<ObjectKey> keys(Kind<Encoded> kind) {
        return List.copyOf(ofKind(kind).keySet());
    }

    /** Returns the number of objects of a kind. */
    public int size(Kind<Encoded> kind) {
        return ofKind(kind).size();
    }

    /** Returns an object. */
    public Optional<LoadObject> find(Kind<Encoded> kind, ObjectKey key) {
        return Optional.ofNullable(ofKind(kind).get(key));
    }

    /** Returns the oldest object of a kind. */
    public Optional<LoadObject> oldest(Kind<Encoded> kind) {
        return ofKind(kind).values().stream().findFirst();
    }

    /** Returns the pods on a node. */
    public List<LoadObject> on(String host) {
        return ofKind(Kinds.POD).values().stream()
                .filter(pod -> pod.spec("nodeName").equals(Optional.of(host)))
                .toList();
    }

    private Map<ObjectKey, LoadObject> ofKind(Kind<Encoded> kind) {
        return objects.computeIfAbsent(kind, unused -> new LinkedHashMap<>());
    }

    /** Returns all objects: definitions, nodes and namespaces before what is in them. */
    public List<LoadObject> objects() {
        List<LoadObject> all = new ArrayList<>();
        objects.values().forEach(ofKind -> all.addAll(ofKind.values()));
        return all;
    }

    /** Applies an operation. */
    public void apply(Operation operation) {
        switch (operation) {
            case Operation.Create(LoadObject object) -> ofKind(object.kind()).put(object.key(), object);
            case Operation.Edit edit ->
                ofKind(edit.kind()).computeIfPresent(edit.key(), (key, object) -> object.patched(edit.patch()));
            case Operation.Delete(Kind<Encoded> kind, ObjectKey key) -> {
                ofKind(kind).remove(key);
                if (kind.equals(Kinds.NAMESPACE)) {
                    objects.values()
                            .forEach(ofKind -> ofKind.keySet()
                                    .removeIf(one -> one.namespace().equals(key.name())));
                }
            }
            case Operation.AwaitDeleted await -> {}
            case Operation.CutWatches cut -> {}
            case Operation.Outage outage -> {}
        }
    }
}
