package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Secrets: {@code stringData} is a way to write {@code data} and is never shown. */
record SecretStrategy(KindFacts facts) implements KindStrategy {
    private static final String REDACTED = "<secret contents redacted>";

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
            case "kubernetes.io/dockercfg" -> document(data, ".dockercfg");
            case "kubernetes.io/dockerconfigjson" -> document(data, ".dockerconfigjson");
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

    /** Requires a JSON object, which errors do not show. */
    private static void document(Field data, String key) {
        needs(data, key);
        if (data.entry(key).given()) {
            byte[] json = Base64.getDecoder().decode(data.entry(key).text());
            try {
                Object document = Json.parse(json, JsonLimits.DEFAULT);
                if (document != null && !(document instanceof JsonObject)) {
                    data.entry(key)
                            .invalid(
                                    REDACTED,
                                    "json: cannot unmarshal " + GoTypes.described(document)
                                            + " into Go value of type map[string]interface {}");
                }
            } catch (JsonException e) {
                data.entry(key).invalid(REDACTED, String.valueOf(e.getMessage()));
            }
        }
    }

    private static void needs(Field data, String... keys) {
        for (String key : keys) {
            if (!data.object().containsKey(key)) {
                data.entry(key).missing();
            }
        }
    }

    /** Returns what is wrong with the certificate and the key of a TLS secret. */
    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        if (!tree.string("type").equals("kubernetes.io/tls")) {
            return List.of();
        }
        return TlsPair.problem(decoded(tree, "tls.crt"), decoded(tree, "tls.key")).stream()
                .toList();
    }

    private static byte[] decoded(JsonObject tree, String key) {
        return Base64.getDecoder().decode(tree.string("data", key));
    }

    @Override
    public boolean checksChangeFirst() {
        return true;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "type");
        ConfigData.validateFrozen(root, old, "data");
    }
}
