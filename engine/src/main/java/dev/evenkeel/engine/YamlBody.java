package dev.evenkeel.engine;

import dev.evenkeel.engine.json.JsonException;
import dev.evenkeel.engine.json.JsonLimits;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads YAML bodies, until the room json does it. */
final class YamlBody {
    private YamlBody() {}

    static @Nullable Object parse(byte[] bytes, JsonLimits limits, Consumer<String> duplicates) {
        try {
            Object parsed = new Load(LoadSettings.builder()
                            .setAllowDuplicateKeys(true)
                            .setMaxAliasesForCollections(limits.maxYamlAliases())
                            .setCodePointLimit(limits.maxBytes())
                            .build())
                    .loadFromString(new String(bytes, StandardCharsets.UTF_8));
            return dev.evenkeel.engine.json.Json.parse(write(parsed), limits, duplicates);
        } catch (YamlEngineException e) {
            throw new JsonException("yaml: " + e.getMessage());
        }
    }

    private static byte[] write(@Nullable Object parsed) {
        return dev.evenkeel.engine.json.Json.write(plain(parsed));
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case java.util.Map<?, ?> map -> {
                java.util.Map<String, @Nullable Object> copy = new java.util.LinkedHashMap<>();
                map.forEach((k, v) -> copy.put(String.valueOf(k), plain(v)));
                yield copy;
            }
            case java.util.List<?> list -> {
                java.util.List<@Nullable Object> copy = new java.util.ArrayList<>();
                list.forEach(v -> copy.add(plain(v)));
                yield copy;
            }
            case Integer number -> number.longValue();
            case java.math.BigInteger number -> number.doubleValue();
            case null, default -> value;
        };
    }
}
