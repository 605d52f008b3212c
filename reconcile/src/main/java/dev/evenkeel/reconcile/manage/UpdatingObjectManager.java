package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A manager that replaces the object: with what was read, into which what is desired is merged. Fields that the merge leaves
 * alone stay as others have written them. An update fails, and is tried again quietly, when the object changed meanwhile.
 *
 * <p>What the server makes of an update is remembered: a webhook that changes what is desired causes one update, and not one
 * at each reconciliation.
 */
public final class UpdatingObjectManager {
    private UpdatingObjectManager() {}

    /** One for objects of this kind. */
    public static <C extends HasMetadata> Builder<C> of(Kind<C> kind) {
        return new Builder<>(Terms.of("UpdatingObjectManager", kind));
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
            return new Management<>(
                    terms,
                    new Merging<>(
                            terms,
                            terms.defined(merge, "merge: what brings the desired object into the actual one"),
                            (reconciliation, actual, merged) ->
                                    reconciliation.client().update(kind, merged, WriteOptions.DEFAULT),
                            "update",
                            new Memory<>()));
        }
    }
}
