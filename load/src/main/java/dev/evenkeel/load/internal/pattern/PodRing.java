package dev.evenkeel.load.internal.pattern;

import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.WorldState;
import java.util.Iterator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@link dev.evenkeel.load.Patterns#podRing}. */
public record PodRing(int pods) implements Pattern {
    public PodRing {
        Counts.positive("pods", pods);
    }

    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        return IntStream.range(0, pods)
                .boxed()
                .<Operation>flatMap(i -> world.oldest(Kinds.POD).stream()
                        .flatMap(oldest -> Stream.of(
                                new Operation.Create(world.pod(oldest.key().namespace(), random)),
                                new Operation.Delete(Kinds.POD, oldest.key()))))
                .iterator();
    }
}
