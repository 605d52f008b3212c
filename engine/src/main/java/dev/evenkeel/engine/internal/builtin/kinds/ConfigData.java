package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Rules of the data of config maps and secrets. */
final class ConfigData {
    static final int MAX_BYTES = 1 << 20;
    private static final String FROZEN = "field is immutable when `immutable` is set";

    private ConfigData() {}

    static void validateKeys(Field data) {
        for (String key : data.object().keySet()) {
            Field entry = data.entry(key);
            if (Names.bytes(key) > 253) {
                entry.invalid(key, "must be no more than 253 bytes");
            }
            if (!isKey(key)) {
                entry.invalid(
                        key,
                        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                                + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')");
            }
            if (key.equals(".") || key.equals("..")) {
                entry.invalid(key, "must not be '" + key + "'");
            } else if (key.startsWith("..")) {
                entry.invalid(key, "must not start with '..'");
            }
        }
    }

    private static boolean isKey(String key) {
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '.' && c != '_') {
                return false;
            }
        }
        return !key.isEmpty();
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
    static void validateFrozen(Field root, JsonObject old, String... fields) {
        if (!old.bool("immutable")) {
            return;
        }
        if (!root.object().bool("immutable")) {
            root.at("immutable").forbidden(FROZEN);
        }
        for (String field : fields) {
            if (!Objects.equals(root.at(field).value(), old.get(field))) {
                root.at(field).forbidden(FROZEN);
            }
        }
    }
}
