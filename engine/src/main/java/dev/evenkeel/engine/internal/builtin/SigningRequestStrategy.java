package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Certificate signing requests say who asked, whatever the request says. */
final class SigningRequestStrategy implements Strategy {
    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        spec.remove("extra");
        put(spec, "username", context.user());
        put(spec, "uid", context.uid());
        spec.remove("groups");
        if (!context.groups().isEmpty()) {
            spec.put("groups", new ArrayList<@Nullable Object>(context.groups()));
        }
    }

    private static void put(Map<String, @Nullable Object> spec, String field, String value) {
        if (value.isEmpty()) {
            spec.remove(field);
        } else {
            spec.put(field, value);
        }
    }
}
