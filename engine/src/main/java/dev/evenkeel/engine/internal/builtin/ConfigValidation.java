package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of config maps and secrets. */
final class ConfigValidation {
    private static final int MAX_BYTES = 1 << 20;
    private static final String FROZEN = "field is immutable when `immutable` is set";

    private ConfigValidation() {}

    static List<FieldError> configMap(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        Map<String, @Nullable Object> data = Trees.object(tree, "data");
        Map<String, @Nullable Object> binary = Trees.object(tree, "binaryData");
        keys(data.keySet(), "data", findings);
        for (String key : data.keySet()) {
            if (binary.containsKey(key)) {
                findings.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
            }
        }
        keys(binary.keySet(), "binaryData", findings);
        if (textBytes(data) + decodedBytes(binary) > MAX_BYTES) {
            findings.add(FieldError.tooLong("[]", MAX_BYTES));
        }
        return findings.list();
    }

    private static void keys(Set<String> keys, String field, Findings findings) {
        for (String key : keys) {
            String at = field + "[" + key + "]";
            if (key.length() > 253) {
                findings.invalid(at, key, "must be no more than 253 bytes");
            }
            if (!configKey(key)) {
                findings.invalid(
                        at,
                        key,
                        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  "
                                + "or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')");
            }
            if (key.equals(".") || key.equals("..")) {
                findings.invalid(at, key, "must not be '" + key + "'");
            } else if (key.startsWith("..")) {
                findings.invalid(at, key, "must not start with '..'");
            }
        }
    }

    private static boolean configKey(String key) {
        return !key.isEmpty()
                && key.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || c == '-'
                                || c == '_'
                                || c == '.');
    }

    private static long textBytes(Map<String, @Nullable Object> data) {
        long bytes = 0;
        for (Object value : data.values()) {
            if (value instanceof String text) {
                // Only texts that might be too long are worth counting exactly.
                bytes += text.length() * 3L > MAX_BYTES ? text.getBytes(StandardCharsets.UTF_8).length : text.length();
            }
        }
        return bytes;
    }

    private static long decodedBytes(Map<String, @Nullable Object> data) {
        long bytes = 0;
        for (Object value : data.values()) {
            if (value instanceof String text) {
                bytes += text.length() / 4 * 3L - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
            }
        }
        return bytes;
    }

    static List<FieldError> configMapUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        if (Trees.isTrue(old, "immutable")) {
            frozen(tree, old, findings, "data", "binaryData");
        }
        return findings.list();
    }

    private static void frozen(
            Map<String, @Nullable Object> tree,
            Map<String, @Nullable Object> old,
            Findings findings,
            String... fields) {
        if (!Trees.isTrue(tree, "immutable")) {
            findings.forbidden("immutable", FROZEN);
        }
        for (String field : fields) {
            if (!Objects.equals(Json.at(tree, field), Json.at(old, field))) {
                findings.forbidden(field, FROZEN);
            }
        }
    }

    static List<FieldError> secret(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        Map<String, @Nullable Object> data = Trees.object(tree, "data");
        keys(data.keySet(), "data", findings);
        if (decodedBytes(data) > MAX_BYTES) {
            findings.add(FieldError.tooLong("data", MAX_BYTES));
        }
        switch (Json.string(tree, "type")) {
            case "kubernetes.io/service-account-token" -> {
                String annotation = "kubernetes.io/service-account.name";
                if (Json.string(tree, "metadata", "annotations", annotation).isEmpty()) {
                    findings.required("metadata.annotations[" + annotation + "]");
                }
            }
            case "kubernetes.io/dockercfg" -> needs(data, findings, ".dockercfg");
            case "kubernetes.io/dockerconfigjson" -> needs(data, findings, ".dockerconfigjson");
            case "kubernetes.io/basic-auth" -> {
                if (!data.containsKey("username") && !data.containsKey("password")) {
                    needs(data, findings, "username", "password");
                }
            }
            case "kubernetes.io/ssh-auth" -> {
                if (Json.string(data, "ssh-privatekey").isEmpty()) {
                    findings.required("data[ssh-privatekey]");
                }
            }
            case "kubernetes.io/tls" -> needs(data, findings, "tls.crt", "tls.key");
            default -> {}
        }
        return findings.list();
    }

    private static void needs(Map<String, @Nullable Object> data, Findings findings, String... keys) {
        for (String key : keys) {
            if (!data.containsKey(key)) {
                findings.required("data[" + key + "]");
            }
        }
    }

    static List<FieldError> secretUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        findings.immutable(tree, old, "type", "type");
        if (Trees.isTrue(old, "immutable")) {
            frozen(tree, old, findings, "data");
        }
        return findings.list();
    }
}
