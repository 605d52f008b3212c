package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Strategies by resource id, and steps that tests of several kinds take. */
final class Kinds {
    static final ResourceStrategy.Context CONTEXT =
            new ResourceStrategy.Context(() -> Instant.EPOCH, User.of("u"), new ServiceAddresses());

    private Kinds() {}

    static KindStrategy of(String id, String version) {
        ResourceType type = BuiltinTypes.all().stream()
                .filter(t -> t.id().equals(id))
                .findFirst()
                .orElseThrow();
        return (KindStrategy) BuiltinStrategies.of(type, type.version(version).orElseThrow());
    }

    /** The strategy of the first version. */
    static KindStrategy of(String id) {
        ResourceType type = BuiltinTypes.all().stream()
                .filter(t -> t.id().equals(id))
                .findFirst()
                .orElseThrow();
        return (KindStrategy) BuiltinStrategies.of(type, type.versions().getFirst());
    }

    static JsonObject tree(String json) {
        return Json.parseObject(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    /** A tree in the form of its kind, with defaults. */
    static JsonObject read(String id, JsonObject tree) {
        KindStrategy strategy = of(id);
        strategy.normalise(tree, List.of());
        strategy.applyDefaults(tree);
        return tree;
    }

    /** The rules that an object breaks, metadata aside. */
    static List<FieldError> errors(KindStrategy strategy, JsonObject tree) {
        List<FieldError> errors = new ArrayList<>();
        strategy.validate(Field.of(tree, errors));
        return errors;
    }
}
