package dev.evenkeel.load.internal.pattern;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.WorldState;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@link dev.evenkeel.load.Patterns#rollingUpdate}. */
public record RollingUpdate(int deployments, int replicas) implements Pattern {
    public RollingUpdate {
        Counts.positive("deployments", deployments);
        Counts.positive("replicas", replicas);
    }

    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        List<String> namespaces = world.namespaces();
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("world.namespaces must be positive for Deployments");
        }
        long revision = world.count("revisions");
        return IntStream.range(0, deployments)
                .boxed()
                .flatMap(i -> update(
                        world, ObjectKey.of(namespaces.get(i % namespaces.size()), "app-" + i), revision, random))
                .iterator();
    }

    private Stream<Operation> update(WorldState world, ObjectKey deployment, long revision, RandomGenerator random) {
        ObjectKey now = ObjectKey.of(deployment.namespace(), deployment.name() + "-" + revision);
        ObjectKey old = ObjectKey.of(deployment.namespace(), deployment.name() + "-" + (revision - 1));
        String image = "image:" + revision;
        boolean first = world.find(Kinds.DEPLOYMENT, deployment).isEmpty();
        Map<String, Object> selector = Map.of("app", deployment.name());
        Operation declare = first
                ? new Operation.Create(LoadObject.of(Kinds.DEPLOYMENT, deployment, workload(selector, selector, image)))
                : new Operation.Edit(
                        Kinds.DEPLOYMENT,
                        deployment,
                        Map.of("spec", Map.of("template", Map.of("spec", Map.of("containers", containers(image))))),
                        false);
        Map<String, String> labels = Map.of("app", deployment.name(), "pod-template-hash", "r" + revision);
        Stream<Operation> set =
                Stream.of(new Operation.Create(LoadObject.of(Kinds.REPLICA_SET, now, workload(labels, labels, image))));
        Stream<Operation> pods = IntStream.range(0, replicas).boxed().flatMap(i -> {
            LoadObject pod = LoadObject.of(
                    Kinds.POD,
                    ObjectKey.of(now.namespace(), now.name() + "-" + i),
                    Map.of(
                            "metadata",
                            Map.of("labels", labels),
                            "spec",
                            Map.of("nodeName", host(world, random), "containers", containers(image))));
            ObjectKey replaced = ObjectKey.of(old.namespace(), old.name() + "-" + i);
            return Stream.concat(
                    Stream.of(new Operation.Create(pod)),
                    first ? Stream.empty() : Stream.of(new Operation.Delete(Kinds.POD, replaced)));
        });
        Stream<Operation> removal = first ? Stream.empty() : Stream.of(new Operation.Delete(Kinds.REPLICA_SET, old));
        return Stream.of(Stream.of(declare), set, pods, removal).flatMap(some -> some);
    }

    private static String host(WorldState world, RandomGenerator random) {
        if (world.hosts().isEmpty()) {
            throw new IllegalArgumentException("world.hosts must be positive for Deployments");
        }
        return world.hosts().get(random.nextInt(world.hosts().size()));
    }

    private Map<String, Object> workload(Map<String, ?> selector, Map<String, ?> labels, String image) {
        return Map.of(
                "spec",
                Map.of(
                        "replicas",
                        replicas,
                        "selector",
                        Map.of("matchLabels", selector),
                        "template",
                        Map.of("metadata", Map.of("labels", labels), "spec", Map.of("containers", containers(image)))));
    }

    private static List<Object> containers(String image) {
        return List.of(Map.of("name", "main", "image", image));
    }
}
