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

/** {@link dev.evenkeel.load.Patterns#drainNodes}. */
public record DrainNodes(int nodes) implements Pattern {
    public DrainNodes {
        Counts.positive("nodes", nodes);
    }

    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        List<String> hosts = world.hosts();
        if (hosts.size() < 2) {
            throw new IllegalArgumentException("world.hosts must be 2 or more to drain nodes: " + hosts.size());
        }
        return IntStream.range(0, nodes)
                .boxed()
                .flatMap(i -> drain(world, hosts.get((int) (world.count("drained nodes") % hosts.size())), random))
                .iterator();
    }

    private static Stream<Operation> drain(WorldState world, String host, RandomGenerator random) {
        return Stream.of(
                        Stream.of(cordon(host, true)),
                        world.on(host).stream()
                                .flatMap(pod -> Stream.of(
                                        new Operation.Delete(Kinds.POD, pod.key()),
                                        new Operation.Create(elsewhere(world, pod, host, random)))),
                        Stream.of(cordon(host, false)))
                .flatMap(some -> some);
    }

    private static LoadObject elsewhere(WorldState world, LoadObject pod, String host, RandomGenerator random) {
        List<String> others =
                world.hosts().stream().filter(one -> !one.equals(host)).toList();
        return world.pod(pod.key().namespace(), random, pod.content().header().labels())
                .patched(Map.of("spec", Map.of("nodeName", others.get(random.nextInt(others.size())))));
    }

    private static Operation cordon(String host, boolean value) {
        return new Operation.Edit(
                Kinds.NODE, ObjectKey.cluster(host), Map.of("spec", Map.of("unschedulable", value)), false);
    }
}
