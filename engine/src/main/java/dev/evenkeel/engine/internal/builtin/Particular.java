package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.strategy.Strategy;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A strategy put together from functions, for kinds that have little that is particular. */
record Particular(
        Consumer<Map<String, @Nullable Object>> defaults,
        Function<Map<String, @Nullable Object>, List<FieldError>> validation,
        BiFunction<Map<String, @Nullable Object>, Map<String, @Nullable Object>, List<FieldError>> change)
        implements Strategy {

    static Particular of(Consumer<Map<String, @Nullable Object>> defaults) {
        return new Particular(defaults, tree -> List.of(), (tree, old) -> List.of());
    }

    static Particular rules(Function<Map<String, @Nullable Object>, List<FieldError>> validation) {
        return new Particular(tree -> {}, validation, (tree, old) -> List.of());
    }

    Particular validated(Function<Map<String, @Nullable Object>, List<FieldError>> rules) {
        return new Particular(defaults, rules, change);
    }

    Particular changed(
            BiFunction<Map<String, @Nullable Object>, Map<String, @Nullable Object>, List<FieldError>> rules) {
        return new Particular(defaults, validation, rules);
    }

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        defaults.accept(tree);
    }

    @Override
    public List<FieldError> validate(Map<String, @Nullable Object> tree) {
        return validation.apply(tree);
    }

    @Override
    public List<FieldError> validateUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        return change.apply(tree, old);
    }
}
