package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;

/** Rules of the data of config maps and secrets. */
final class ConfigData {
    static final int MAX_BYTES = 1 << 20;
    private static final String FROZEN = "field is immutable when `immutable` is set";

    private ConfigData() {}

    static void validateKeys(Set<String> keys, String field, FieldErrors errors) {
        for (String key : keys) {
            String at = field + "[" + key + "]";
            if (key.length() > 253) {
                errors.invalid(at, key, "must be no more than 253 bytes");
            }
            if (!configKey(key)) {
                errors.invalid(
                        at,
                        key,
                        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                                + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')");
            }
            if (key.equals(".") || key.equals("..")) {
                errors.invalid(at, key, "must not be '" + key + "'");
            } else if (key.startsWith("..")) {
                errors.invalid(at, key, "must not start with '..'");
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

    static long textBytes(JsonObject data) {
        long bytes = 0;
        for (Object value : data.values()) {
            if (value instanceof String text) {
                // Only texts that might be too long need an exact count.
                bytes += text.length() * 3L > MAX_BYTES ? text.getBytes(StandardCharsets.UTF_8).length : text.length();
            }
        }
        return bytes;
    }

    static long decodedBytes(JsonObject data) {
        long bytes = 0;
        for (Object value : data.values()) {
            if (value instanceof String text) {
                bytes += text.length() / 4 * 3L - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
            }
        }
        return bytes;
    }

    /** Refuses changes of the fields once {@code immutable} is true. */
    static void validateFrozen(JsonObject tree, JsonObject old, FieldErrors errors, String... fields) {
        if (!old.bool("immutable")) {
            return;
        }
        if (!tree.bool("immutable")) {
            errors.forbidden("immutable", FROZEN);
        }
        for (String field : fields) {
            if (!Objects.equals(tree.get(field), old.get(field))) {
                errors.forbidden(field, FROZEN);
            }
        }
    }
}
