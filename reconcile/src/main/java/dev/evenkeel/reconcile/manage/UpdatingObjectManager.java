package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A manager that replaces the object: with the one that was read, into which the desired one is merged. Fields that the
 * merge leaves alone stay as others have written them. An update fails, and is retried quietly, when the object changed
 * meanwhile.
 *
 * <p>The server's answer to an update is remembered: a webhook that changes the desired state causes one update, and
 * not one at each reconciliation.
 */
public final class UpdatingObjectManager {
    private UpdatingObjectManager() {}

    /** Returns a builder for objects of this kind. */
    public static <C extends HasMetadata> Builder<C> of(Kind<C> kind) {
        return new Builder<>(ManagerOptions.of("UpdatingObjectManager", kind));
    }

    /** Returns a builder for objects of the kind of this class. */
    public static <C extends HasMetadata> Builder<C> of(Class<C> type) {
        return of(Kind.of(type));
    }

    /**
     * Builds the manager.
     *
     * @param <C> class of the objects
     */
    public static final class Builder<C extends HasMetadata> {
        private ManagerOptions<C> terms;
        private Optional<BiConsumer<C, C>> merge = Optional.empty();

        private Builder(ManagerOptions<C> terms) {
            this.terms = terms;
        }

        /** Sets the name; default: that of the kind and the manager. */
        public Builder<C> named(String value) {
            terms = terms.named(value);
            return this;
        }

        /**
         * Sets the function that merges the desired object, the second, into a copy of the actual one, the first.
         * Required.
         */
        public Builder<C> merge(BiConsumer<C, C> value) {
            merge = Optional.of(value);
            return this;
        }

        /**
         * Sets a function that copies immutable fields from the actual object, the first, into a copy of the desired
         * one.
         */
        public Builder<C> harmonizeImmutableFields(BiConsumer<C, C> value) {
            terms = terms.harmonizing(value);
            return this;
        }

        /**
         * Sets a function that reduces a copy of an object to what may be logged; default: all, but nothing of secrets.
         */
        public Builder<C> sanitize(UnaryOperator<C> value) {
            terms = terms.sanitizing(value);
            return this;
        }

        /** Triggers the primary object by the desired object, also when it does not own it. */
        public Builder<C> trackDesired() {
            terms = terms.tracking();
            return this;
        }

        /** Sets a finalizer on the primary object from before the object is created until it is gone. */
        public Builder<C> finalizer(String value) {
            terms = terms.finalizer(value);
            return this;
        }

        /**
         * Returns the manager.
         *
         * @throws IllegalStateException when something is missing; the message names it
         */
        public ObjectManager<C> build() {
            Kind<C> kind = terms.kind();
            return new DefaultObjectManager<>(
                    terms,
                    new MergeStrategy<>(
                            terms,
                            terms.defined(merge, "merge: what brings the desired object into the actual one"),
                            (reconciliation, actual, merged) ->
                                    reconciliation.client().update(kind, merged, WriteOptions.DEFAULT),
                            "update",
                            new ExpiringCache<>()));
        }
    }
}
