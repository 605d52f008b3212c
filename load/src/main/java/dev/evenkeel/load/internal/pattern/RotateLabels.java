package dev.evenkeel.load.internal.pattern;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.Distribution;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.WorldState;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** {@link dev.evenkeel.load.Patterns#rotateLabels}. */
public record RotateLabels(String label) implements Pattern {
    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        List<String> values = Optional.ofNullable(
                        world.world().namespaceLabels().get(label))
                .map(Distribution::values)
                .orElseThrow(() -> new IllegalArgumentException("label: namespaces of the world have no label " + label
                        + ", but " + world.world().namespaceLabels().keySet()));
        List<ObjectKey> keys = world.keys(Kinds.NAMESPACE);
        return IntStream.range(0, values.size())
                .boxed()
                .flatMap(step -> keys.stream().map(key -> edit(world, key, values)))
                .iterator();
    }

    private Operation edit(WorldState world, ObjectKey key, List<String> values) {
        String now = world.find(Kinds.NAMESPACE, key)
                .map(object -> object.content().header().labels().getOrDefault(label, ""))
                .orElse("");
        String next = values.get((values.indexOf(now) + 1) % values.size());
        return new Operation.Edit(
                Kinds.NAMESPACE, key, Map.of("metadata", Map.of("labels", Map.of(label, next))), false);
    }
}
