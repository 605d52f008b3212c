package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Reconciliation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A manager that sends the difference: a merge patch from the object as read to the same with the desired one merged
 * into it. Concurrent changes of others stay, unless it is {@linkplain Builder#locked locked}; fields unknown to the
 * class are never sent, so it may be a partial view of the objects.
 *
 * <p>The server's answer to a patch is remembered, as by the {@link UpdatingObjectManager}.
 */
public final class PatchingObjectManager {
    private PatchingObjectManager() {}

    /** Returns a builder for objects of this kind. */
    public static <C extends HasMetadata> Builder<C> of(Kind<C> kind) {
        return new Builder<>(ManagerOptions.of("PatchingObjectManager", kind));
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
        private boolean locked;

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

        /** Patches only the state that was read: when the object changed meanwhile, it is retried quietly. */
        public Builder<C> locked() {
            locked = true;
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
            boolean lock = locked;
            return new DefaultObjectManager<>(
                    terms,
                    new MergeStrategy<>(
                            terms,
                            terms.defined(merge, "merge: what brings the desired object into the actual one"),
                            (reconciliation, actual, merged) -> patch(reconciliation, kind, lock, actual, merged),
                            "patch",
                            new ExpiringCache<>()));
        }
    }

    private static <C extends HasMetadata> C patch(
            Reconciliation<?> reconciliation, Kind<C> kind, boolean lock, C actual, C merged) {
        // fields that the first lacks are in the patch: it is for this very object, and perhaps for this very state
        C before = ModelCodec.copy(actual);
        before.getMetadata().setUid(null);
        if (lock) {
            before.getMetadata().setResourceVersion(null);
        }
        return reconciliation
                .client()
                .patch(kind, ObjectKey.of(actual), Patch.mergeBetween(before, merged), WriteOptions.DEFAULT);
    }
}
