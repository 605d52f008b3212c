package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
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
    public void validate(Field root) {
        Field data = root.at("data");
        ConfigData.validateKeys(data);
        if (ConfigData.decodedBytes(data.object()) > ConfigData.MAX_BYTES) {
            data.tooLong(ConfigData.MAX_BYTES);
        }
        switch (root.at("type").text()) {
            case "kubernetes.io/service-account-token" ->
                root.at("metadata", "annotations")
                        .entry("kubernetes.io/service-account.name")
                        .require();
            case "kubernetes.io/dockercfg" -> needs(data, ".dockercfg");
            case "kubernetes.io/dockerconfigjson" -> needs(data, ".dockerconfigjson");
            case "kubernetes.io/basic-auth" -> {
                if (!data.object().containsKey("username") && !data.object().containsKey("password")) {
                    needs(data, "username", "password");
                }
            }
            case "kubernetes.io/ssh-auth" -> data.entry("ssh-privatekey").require();
            case "kubernetes.io/tls" -> needs(data, "tls.crt", "tls.key");
            default -> {}
        }
    }

    private static void needs(Field data, String... keys) {
        for (String key : keys) {
            if (!data.object().containsKey(key)) {
                data.entry(key).missing();
            }
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "type");
        ConfigData.validateFrozen(root, old, "data");
    }
}
