package dev.evenkeel.load.internal.pattern;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.WorldState;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@link dev.evenkeel.load.Patterns#recreateNamespaces}. */
public record RecreateNamespaces(int namespaces) implements Pattern {
    public RecreateNamespaces {
        Counts.positive("namespaces", namespaces);
    }

    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        return IntStream.range(0, namespaces)
                .boxed()
                .flatMap(i -> world.oldest(Kinds.NAMESPACE).stream())
                .flatMap(namespace -> recreate(world, namespace, random))
                .iterator();
    }

    private static Stream<Operation> recreate(WorldState world, LoadObject namespace, RandomGenerator random) {
        ObjectKey key = namespace.key();
        List<LoadObject> others = world.objects().stream()
                .filter(object -> object.key().namespace().equals(key.name()))
                .map(object -> object.kind().equals(Kinds.POD) ? world.pod(key.name(), random) : object)
                .toList();
        return Stream.concat(
                Stream.of(
                        new Operation.Delete(Kinds.NAMESPACE, key),
                        new Operation.AwaitDeleted(Kinds.NAMESPACE, key),
                        new Operation.Create(namespace)),
                others.stream().map(Operation.Create::new));
    }
}
