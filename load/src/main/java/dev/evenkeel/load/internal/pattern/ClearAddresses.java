package dev.evenkeel.load.internal.pattern;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.WorldState;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link dev.evenkeel.load.Patterns#clearAddresses}. */
public record ClearAddresses(int pods) implements Pattern {
    public ClearAddresses {
        Counts.positive("pods", pods);
    }

    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        List<ObjectKey> some = world.keys(Kinds.POD).stream().limit(pods).toList();
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("podIP", null);
        status.put("podIPs", null);
        return Stream.<Operation>concat(
                        some.stream().map(key -> new Operation.Edit(Kinds.POD, key, Map.of("status", status), true)),
                        some.stream()
                                .flatMap(key -> Stream.of(
                                        new Operation.Delete(Kinds.POD, key),
                                        new Operation.Create(world.pod(key.namespace(), random)))))
                .iterator();
    }
}
