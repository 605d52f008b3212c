package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Priority levels of flow control. */
record PriorityLevelConfigurationStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Trees.with(
                tree,
                limited -> {
                    Trees.fill(limited, "nominalConcurrencyShares", 30L);
                    Trees.fill(limited, "lendablePercent", 0L);
                    Trees.with(
                            limited,
                            queuing -> {
                                Trees.fillNumber(queuing, "queues", 64L);
                                Trees.fillNumber(queuing, "handSize", 8L);
                                Trees.fillNumber(queuing, "queueLengthLimit", 50L);
                            },
                            "limitResponse",
                            "queuing");
                },
                "spec",
                "limited");
        Trees.with(
                tree,
                exempt -> {
                    Trees.fill(exempt, "nominalConcurrencyShares", 0L);
                    Trees.fill(exempt, "lendablePercent", 0L);
                },
                "spec",
                "exempt");
    }
}
