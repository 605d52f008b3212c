package dev.evenkeel.reconcile.condition;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the conditions and the observed generation in the status of an object. An object without a status
 * has no conditions, and gets one at the first write.
 *
 * @param <T> class of the objects
 */
public interface StatusAccess<T extends HasMetadata> {
    /** Returns the conditions; empty when none are set. */
    List<Condition> conditions(T object);

    /** Replaces the conditions. */
    void setConditions(T object, List<Condition> conditions);

    /** Sets the generation that was reconciled; has no effect when the status has no such field. */
    void setObservedGeneration(T object, long generation);

    /**
     * Returns access to statuses that are values, such as records: each change creates another one.
     *
     * <pre>{@code
     * StatusAccess.of(Website::getStatus, Website::setStatus, WebsiteStatus::empty)
     *         .conditions(WebsiteStatus::conditions, WebsiteStatus::withConditions)
     *         .observedGeneration(WebsiteStatus::withObservedGeneration);
     * }</pre>
     *
     * @param get reads the status, which may be missing
     * @param set replaces the status
     * @param empty creates an empty status
     */
    static <T extends HasMetadata, S> Values<T, S> of(
            Function<? super T, ? extends @Nullable S> get, BiConsumer<? super T, S> set, Supplier<? extends S> empty) {
        return new Values<>(
                object -> Optional.ofNullable(get.apply(object)),
                set,
                empty,
                status -> List.of(),
                (status, conditions) -> status,
                (status, generation) -> status);
    }

    /**
     * Returns the access for objects of a class whose status is a {@link ConditionedStatus}; empty when it is not, or
     * that cannot be determined.
     */
    @SuppressWarnings("unchecked") // one for objects of this class
    static <T extends HasMetadata> Optional<StatusAccess<T>> find(Class<T> type) {
        return (Optional<StatusAccess<T>>) (Optional<?>) Conditioned.BY_CLASS.get(type);
    }

    /**
     * Returns the access for an object.
     *
     * @throws IllegalArgumentException when its status is not a {@link ConditionedStatus}
     */
    @SuppressWarnings("unchecked") // its own class
    static <T extends HasMetadata> StatusAccess<T> require(T object) {
        Class<T> type = (Class<T>) object.getClass();
        return find(type)
                .orElseThrow(() -> new IllegalArgumentException("status: the one of " + type.getSimpleName()
                        + " is not known to have conditions: let it implement ConditionedStatus, or set"
                        + " a StatusAccess"));
    }

    /** Access to statuses that are values. Immutable. */
    final class Values<T extends HasMetadata, S> implements StatusAccess<T> {
        private final Function<? super T, Optional<S>> get;
        private final BiConsumer<? super T, S> set;
        private final Supplier<? extends S> empty;
        private final Function<? super S, ? extends @Nullable List<Condition>> conditions;
        private final BiFunction<? super S, List<Condition>, ? extends S> withConditions;
        private final BiFunction<? super S, Long, ? extends S> withGeneration;

        private Values(
                Function<? super T, Optional<S>> get,
                BiConsumer<? super T, S> set,
                Supplier<? extends S> empty,
                Function<? super S, ? extends @Nullable List<Condition>> conditions,
                BiFunction<? super S, List<Condition>, ? extends S> withConditions,
                BiFunction<? super S, Long, ? extends S> withGeneration) {
            this.get = get;
            this.set = set;
            this.empty = empty;
            this.conditions = conditions;
            this.withConditions = withConditions;
            this.withGeneration = withGeneration;
        }

        /** Returns a copy with conditions. */
        public Values<T, S> conditions(
                Function<? super S, ? extends @Nullable List<Condition>> read,
                BiFunction<? super S, List<Condition>, ? extends S> with) {
            return new Values<>(get, set, empty, read, with, withGeneration);
        }

        /** Returns a copy with an observed generation. */
        public Values<T, S> observedGeneration(BiFunction<? super S, Long, ? extends S> with) {
            return new Values<>(get, set, empty, conditions, withConditions, with);
        }

        @Override
        public List<Condition> conditions(T object) {
            return get.apply(object)
                    .flatMap(status -> Optional.<List<Condition>>ofNullable(conditions.apply(status)))
                    .orElse(List.of());
        }

        @Override
        public void setConditions(T object, List<Condition> value) {
            change(object, status -> withConditions.apply(status, value));
        }

        @Override
        public void setObservedGeneration(T object, long generation) {
            change(object, status -> withGeneration.apply(status, generation));
        }

        private void change(T object, Function<S, ? extends S> change) {
            set.accept(object, change.apply(get.apply(object).orElseGet(empty)));
        }
    }
}
