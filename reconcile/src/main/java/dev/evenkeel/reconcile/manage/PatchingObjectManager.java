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
 * A manager that sends what is different: a merge patch from what was read to the same with what is desired merged into it.
 * What others change meanwhile stays, unless it is {@linkplain Builder#locked locked}; and nothing is sent of what the class
 * of the objects does not know, so it may be a partial view of them.
 *
 * <p>What the server makes of a patch is remembered, as the {@link UpdatingObjectManager} does.
 */
public final class PatchingObjectManager {
    private PatchingObjectManager() {}

    /** One for objects of this kind. */
    public static <C extends HasMetadata> Builder<C> of(Kind<C> kind) {
        return new Builder<>(Terms.of("PatchingObjectManager", kind));
    }

    /** One for objects of the kind of this class. */
    public static <C extends HasMetadata> Builder<C> of(Class<C> type) {
        return of(Kind.of(type));
    }

    /**
     * Makes one.
     *
     * @param <C> class of the objects
     */
    public static final class Builder<C extends HasMetadata> {
        private Terms<C> terms;
        private Optional<BiConsumer<C, C>> merge = Optional.empty();
        private boolean locked;

        private Builder(Terms<C> terms) {
            this.terms = terms;
        }

        /** Its name, for people; default: that of the kind and the manager. */
        public Builder<C> named(String value) {
            terms = terms.named(value);
            return this;
        }

        /** Brings what is desired, the second, into a copy of what is there, the first. Required. */
        public Builder<C> merge(BiConsumer<C, C> value) {
            merge = Optional.of(value);
            return this;
        }

        /** Takes over from what is there, the first, into a copy of what is desired what can't be changed any more. */
        public Builder<C> harmonizeImmutableFields(BiConsumer<C, C> value) {
            terms = terms.harmonizing(value);
            return this;
        }

        /** Only the state that was read is patched: when the object changed meanwhile, it is tried again quietly. */
        public Builder<C> locked() {
            locked = true;
            return this;
        }

        /** What of an object, which is a copy, may be logged; default: all, but nothing of secrets. */
        public Builder<C> sanitize(UnaryOperator<C> value) {
            terms = terms.sanitizing(value);
            return this;
        }

        /** The primary object is woken by what it wants, also when it does not own it. */
        public Builder<C> trackDesired() {
            terms = terms.tracking();
            return this;
        }

        /** On the primary object from before the object is created until after it is gone. */
        public Builder<C> finalizer(String value) {
            terms = terms.finalizer(value);
            return this;
        }

        /**
         * The manager.
         *
         * @throws IllegalStateException when something is missing; says what
         */
        public ObjectManager<C> build() {
            Kind<C> kind = terms.kind();
            boolean lock = locked;
            return new Management<>(
                    terms,
                    new Merging<>(
                            terms,
                            terms.defined(merge, "merge: what brings the desired object into the actual one"),
                            (reconciliation, actual, merged) -> patch(reconciliation, kind, lock, actual, merged),
                            "patch",
                            new Memory<>()));
        }
    }

    private static <C extends HasMetadata> C patch(
            Reconciliation<?> reconciliation, Kind<C> kind, boolean lock, C actual, C merged) {
        // what the first lacks is in the patch: it is for this very object, and perhaps for this very state
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
