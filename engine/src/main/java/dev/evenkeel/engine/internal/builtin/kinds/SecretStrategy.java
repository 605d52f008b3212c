package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Secrets: {@code stringData} is a way to write {@code data} and is never shown. */
record SecretStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        Object strings = tree.remove("stringData");
        if (strings instanceof JsonObject) {
            JsonObject data = tree.withObject("data");
            Json.asObject(strings)
                    .forEach((key, text) -> data.put(
                            key,
                            Base64.getEncoder()
                                    .encodeToString(String.valueOf(text).getBytes(StandardCharsets.UTF_8))));
        }
        tree.setIfEmpty("type", "Opaque");
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        tree.setIfEmpty("type", old.string("type"));
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        JsonObject data = tree.object("data");
        ConfigData.validateKeys(data.keySet(), "data", errors);
        if (ConfigData.decodedBytes(data) > ConfigData.MAX_BYTES) {
            errors.add(FieldError.tooLong("data", ConfigData.MAX_BYTES));
        }
        switch (tree.string("type")) {
            case "kubernetes.io/service-account-token" -> {
                String annotation = "kubernetes.io/service-account.name";
                if (tree.string("metadata", "annotations", annotation).isEmpty()) {
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
                if (data.string("ssh-privatekey").isEmpty()) {
                    errors.required("data[ssh-privatekey]");
                }
            }
            case "kubernetes.io/tls" -> needs(data, errors, "tls.crt", "tls.key");
            default -> {}
        }
    }

    private static void needs(JsonObject data, FieldErrors errors, String... keys) {
        for (String key : keys) {
            if (!data.containsKey(key)) {
                errors.required("data[" + key + "]");
            }
        }
    }

    @Override
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        errors.immutable(tree, old, "type");
        ConfigData.validateFrozen(tree, old, errors, "data");
    }
}
