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
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@link dev.evenkeel.load.Patterns#policyChurn}. */
public record PolicyChurn(int keep, int rules) implements Pattern {
    public PolicyChurn {
        Counts.positive("keep", keep);
        Counts.positive("rules", rules);
    }

    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        return IntStream.range(0, keep)
                .boxed()
                .flatMap(i -> {
                    Operation create = new Operation.Create(policy(world, random));
                    return Stream.concat(
                            Stream.of(create),
                            world.size(Kinds.NETWORK_POLICY) < keep
                                    ? Stream.empty()
                                    : world.oldest(Kinds.NETWORK_POLICY).stream()
                                            .map(oldest -> new Operation.Delete(Kinds.NETWORK_POLICY, oldest.key())));
                })
                .iterator();
    }

    private LoadObject policy(WorldState world, RandomGenerator random) {
        List<String> namespaces = world.namespaces();
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("world.namespaces must be positive for policies");
        }
        List<Object> ingress = new ArrayList<>();
        int number = random.nextInt(1, rules + 1);
        for (int i = 0; i < number; i++) {
            Map<String, Object> peer = random.nextBoolean()
                    ? Map.of("podSelector", selector(world.world().podLabels(), random))
                    : Map.of(
                            "namespaceSelector",
                            selector(world.world().namespaceLabels(), random),
                            "podSelector",
                            selector(world.world().podLabels(), random));
            ingress.add(Map.of(
                    "from",
                    List.of(peer),
                    "ports",
                    List.of(Map.of("protocol", "TCP", "port", random.nextInt(1, 65_536)))));
        }
        return LoadObject.of(
                Kinds.NETWORK_POLICY,
                ObjectKey.of(namespaces.get(random.nextInt(namespaces.size())), "policy-" + world.count("policies")),
                Map.of(
                        "spec",
                        Map.of(
                                "podSelector",
                                selector(world.world().podLabels(), random),
                                "policyTypes",
                                List.of("Ingress"),
                                "ingress",
                                ingress)));
    }

    /** A random selector of one label, or of all. */
    private static Map<String, Object> selector(Map<String, Distribution> labels, RandomGenerator random) {
        if (labels.isEmpty()) {
            return Map.of();
        }
        List<String> names = List.copyOf(labels.keySet());
        String name = names.get(random.nextInt(names.size()));
        return Map.of("matchLabels", Map.of(name, labels.get(name).draw(random)));
    }
}
