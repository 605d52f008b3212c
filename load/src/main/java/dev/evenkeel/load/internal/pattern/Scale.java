package dev.evenkeel.load.internal.pattern;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.Distribution;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.WorldState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@link dev.evenkeel.load.Patterns#scale}. */
public record Scale(int pods, SortedMap<String, Distribution> labels) implements Pattern {
    public Scale {
        Counts.positive("pods", pods);
    }

    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        List<String> namespaces = world.namespaces();
        List<ObjectKey> created = new ArrayList<>();
        Stream<Operation> up = IntStream.range(0, pods).mapToObj(i -> {
            LoadObject pod =
                    world.pod(namespaces.get(i % namespaces.size()), random, WorldState.labels(labels, random));
            created.add(pod.key());
            return new Operation.Create(pod);
        });
        Stream<Operation> down =
                IntStream.range(0, pods).mapToObj(i -> new Operation.Delete(Kinds.POD, created.get(i)));
        return Stream.concat(up, down).iterator();
    }
}
