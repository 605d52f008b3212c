package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Priority levels of flow control. */
record PriorityLevelConfigurationStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("spec", "limited").ifPresent(limited -> {
            limited.putIfAbsent("nominalConcurrencyShares", 30L);
            limited.putIfAbsent("lendablePercent", 0L);
            limited.findObject("limitResponse", "queuing").ifPresent(queuing -> {
                queuing.setIfZero("queues", 64L);
                queuing.setIfZero("handSize", 8L);
                queuing.setIfZero("queueLengthLimit", 50L);
            });
        });
        tree.findObject("spec", "exempt").ifPresent(exempt -> {
            exempt.putIfAbsent("nominalConcurrencyShares", 0L);
            exempt.putIfAbsent("lendablePercent", 0L);
        });
    }
}
