package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Message;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.protobuf.Access;
import dev.evenkeel.protobuf.AccessRule;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The hooks that a program adds to a type.
 *
 * @param <T> class of the data in the storage version
 * @param defaults the values of fields that are absent
 */
public record Hooks<T extends Message>(
        Optional<T> defaults,
        Optional<UnaryOperator<T>> mutate,
        Optional<BiFunction<T, Optional<T>, List<FieldError>>> validate,
        Optional<AccessRule<T>> read,
        Optional<AccessRule<T>> write,
        Optional<Predicate<Access>> list) {
    /** Returns no hooks. */
    public static <T extends Message> Hooks<T> none() {
        return new Hooks<>(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    boolean hasAccessRules() {
        return read.isPresent() || write.isPresent() || list.isPresent();
    }
}
