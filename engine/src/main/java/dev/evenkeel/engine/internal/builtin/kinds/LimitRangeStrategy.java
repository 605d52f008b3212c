package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;

/** Limit ranges. */
record LimitRangeStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        tree.objects("spec", "limits").forEach(item -> {
            if (!item.string("type").equals("Container")) {
                return;
            }
            JsonObject limits = item.object("default");
            item.object("max").forEach(limits::putIfAbsent);
            JsonObject requests = item.object("defaultRequest");
            limits.forEach(requests::putIfAbsent);
            item.object("min").forEach(requests::putIfAbsent);
            item.setUnlessEmpty("default", limits).setUnlessEmpty("defaultRequest", requests);
        });
    }
}
