package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A manager that applies what is desired, server-side: as the owner of these fields and of no others. What it does not say
 * any more the server takes out; what others have added stays. The desired object needs a name.
 *
 * <p>Nothing is sent when nothing can have changed: when the same is desired as was applied last, and the object says of it
 * what it said then. After a start the first apply of each object is sent.
 *
 * <p>Before an object is made its name is looked up: who applied to the object of somebody else would take it over. Between
 * that look and the apply somebody else may still make one.
 */
public final class ApplyingObjectManager {
    private ApplyingObjectManager() {}

    /** One for objects of this kind. */
    public static <C extends HasMetadata> Builder<C> of(Kind<C> kind) {
        return new Builder<>(Terms.of("ApplyingObjectManager", kind));
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
        private Optional<String> fieldManager = Optional.empty();
        private boolean force = true;

        private Builder(Terms<C> terms) {
            this.terms = terms;
        }

        /** Its name, for people; default: that of the kind and the manager. */
        public Builder<C> named(String value) {
            terms = terms.named(value);
            return this;
        }

        /** As whom it owns fields: a name that stays, and that no other part uses for the same objects. Required. */
        public Builder<C> fieldManager(String value) {
            fieldManager = Optional.of(value).filter(name -> !name.isBlank());
            return this;
        }

        /** Whether fields of others are taken over; default: yes. Otherwise that fails, and people are told. */
        public Builder<C> force(boolean value) {
            force = value;
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
            return new Management<>(
                    terms,
                    new Applying<>(
                            terms,
                            terms.defined(fieldManager, "fieldManager: as whom it owns fields"),
                            force,
                            new Memory<>()));
        }
    }
}
