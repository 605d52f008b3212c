package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Secrets: {@code stringData} is a way to write {@code data} and is never shown. */
final class SecretStrategy implements Strategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Object strings = tree.remove("stringData");
        if (strings instanceof Map<?, ?>) {
            Map<String, @Nullable Object> data = Trees.grow(tree, "data");
            Json.asObject(strings)
                    .forEach((key, text) -> data.put(
                            key,
                            Base64.getEncoder()
                                    .encodeToString(String.valueOf(text).getBytes(StandardCharsets.UTF_8))));
        }
        Trees.fillText(tree, "type", "Opaque");
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
        Trees.fillText(tree, "type", Json.string(old, "type"));
    }

    @Override
    public List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return ConfigValidation.secret(tree);
    }

    @Override
    public List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return ConfigValidation.secretUpdate(tree, old);
    }
}
