package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Secrets: {@code stringData} is a way to write {@code data} and is never shown. */
record SecretStrategy(KindFacts facts) implements KindStrategy {
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
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        Map<String, @Nullable Object> data = Trees.object(tree, "data");
        ConfigData.validateKeys(data.keySet(), "data", errors);
        if (ConfigData.decodedBytes(data) > ConfigData.MAX_BYTES) {
            errors.add(FieldError.tooLong("data", ConfigData.MAX_BYTES));
        }
        switch (Json.string(tree, "type")) {
            case "kubernetes.io/service-account-token" -> {
                String annotation = "kubernetes.io/service-account.name";
                if (Json.string(tree, "metadata", "annotations", annotation).isEmpty()) {
                    errors.required("metadata.annotations[" + annotation + "]");
                }
            }
            case "kubernetes.io/dockercfg" -> needs(data, errors, ".dockercfg");
            case "kubernetes.io/dockerconfigjson" -> needs(data, errors, ".dockerconfigjson");
            case "kubernetes.io/basic-auth" -> {
                if (!data.containsKey("username") && !data.containsKey("password")) {
                    needs(data, errors, "username", "password");
                }
            }
            case "kubernetes.io/ssh-auth" -> {
                if (Json.string(data, "ssh-privatekey").isEmpty()) {
                    errors.required("data[ssh-privatekey]");
                }
            }
            case "kubernetes.io/tls" -> needs(data, errors, "tls.crt", "tls.key");
            default -> {}
        }
    }

    private static void needs(Map<String, @Nullable Object> data, FieldErrors errors, String... keys) {
        for (String key : keys) {
            if (!data.containsKey(key)) {
                errors.required("data[" + key + "]");
            }
        }
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        errors.immutable(tree, old, "type");
        ConfigData.validateFrozen(tree, old, errors, "data");
    }
}
