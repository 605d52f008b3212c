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
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/** Strategies by resource id, and steps that tests of several kinds take. */
final class Kinds {
    static final ResourceStrategy.Context CONTEXT =
            new ResourceStrategy.Context(() -> Instant.EPOCH, User.of("u"), new FreeAddresses());

    /** Addresses and ports that are always free. */
    private static final class FreeAddresses implements ResourceStrategy.Addresses {
        private final AtomicInteger last = new AtomicInteger(1);

        @Override
        public String address() {
            return "10.0.0." + last.incrementAndGet();
        }

        @Override
        public OptionalInt nodePort() {
            return OptionalInt.of(30_000 + last.incrementAndGet());
        }

        @Override
        public boolean take(String address) {
            return true;
        }

        @Override
        public boolean take(int nodePort) {
            return true;
        }
    }

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
