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
     * Returns the key of the part of the status that this accesses; empty for the whole status. A root with access to a
     * part writes that field of the status and no other, by a patch that does not conflict with other writes: so several
     * controllers can each have a part of one status.
     */
    default String key() {
        return "";
    }

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
                (status, generation) -> status,
                "");
    }

    /**
     * Returns access to a part of the status, which is a field of it: a value, such as a record.
     *
     * <pre>{@code
     * StatusAccess.<Artist, StatusPart>part("indexer", Artist::status, Artist::status, () -> StatusPart.EMPTY)
     *         .conditions(StatusPart::conditions, StatusPart::conditions)
     *         .observedGeneration(StatusPart::observedGeneration);
     * }</pre>
     *
     * @param key name of the field
     * @param get reads the part under a key
     * @param set replaces the part under a key
     * @param empty creates an empty part
     * @throws IllegalArgumentException when the key is empty
     */
    static <T extends HasMetadata, S> Values<T, S> part(
            String key,
            BiFunction<? super T, String, Optional<S>> get,
            PartSetter<? super T, S> set,
            Supplier<? extends S> empty) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("key: must not be empty: give the name of a field of the status");
        }
        return new Values<>(
                object -> get.apply(object, key),
                (object, part) -> set.set(object, key, part),
                empty,
                part -> List.of(),
                (part, conditions) -> part,
                (part, generation) -> part,
                key);
    }

    /** Replaces the part of a status under a key. */
    @FunctionalInterface
    interface PartSetter<T extends HasMetadata, S> {
        /** Replaces a part. */
        void set(T object, String key, S part);
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
        private final String key;

        private Values(
                Function<? super T, Optional<S>> get,
                BiConsumer<? super T, S> set,
                Supplier<? extends S> empty,
                Function<? super S, ? extends @Nullable List<Condition>> conditions,
                BiFunction<? super S, List<Condition>, ? extends S> withConditions,
                BiFunction<? super S, Long, ? extends S> withGeneration,
                String key) {
            this.get = get;
            this.set = set;
            this.empty = empty;
            this.conditions = conditions;
            this.withConditions = withConditions;
            this.withGeneration = withGeneration;
            this.key = key;
        }

        /** Returns a copy with conditions. */
        public Values<T, S> conditions(
                Function<? super S, ? extends @Nullable List<Condition>> read,
                BiFunction<? super S, List<Condition>, ? extends S> with) {
            return new Values<>(get, set, empty, read, with, withGeneration, key);
        }

        /** Returns a copy with an observed generation. */
        public Values<T, S> observedGeneration(BiFunction<? super S, Long, ? extends S> with) {
            return new Values<>(get, set, empty, conditions, withConditions, with, key);
        }

        @Override
        public String key() {
            return key;
        }

        /** Returns the value; an empty one when the object has none. */
        public S value(T object) {
            return get.apply(object).orElseGet(empty);
        }

        /** Replaces the value. */
        public void setValue(T object, S value) {
            set.accept(object, value);
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
            setValue(object, change.apply(value(object)));
        }
    }
}
