package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A manager that applies the desired object, server-side: as the owner of these fields and of no others. Fields that
 * are no longer desired are removed by the server; fields of other managers stay. The desired object needs a name.
 *
 * <p>Nothing is sent when nothing can have changed: when the desired object is the one applied last, and the same
 * fields of the actual object are as they were then. After a start the first apply of each object is sent.
 *
 * <p>Before an object is created its name is looked up: applying to another owner's object would take it over. Between
 * that look-up and the apply another client may still create one.
 */
public final class ApplyingObjectManager {
    private ApplyingObjectManager() {}

    /** Returns a builder for objects of this kind. */
    public static <C extends HasMetadata> Builder<C> of(Kind<C> kind) {
        return new Builder<>(ManagerOptions.of("ApplyingObjectManager", kind));
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
        private Optional<String> fieldManager = Optional.empty();
        private boolean force = true;

        private Builder(ManagerOptions<C> terms) {
            this.terms = terms;
        }

        /** Sets the name; default: that of the kind and the manager. */
        public Builder<C> named(String value) {
            terms = terms.named(value);
            return this;
        }

        /** Sets the field manager: a stable name that no other part uses for the same objects. Required. */
        public Builder<C> fieldManager(String value) {
            fieldManager = Optional.of(value).filter(name -> !name.isBlank());
            return this;
        }

        /** Takes over fields of other managers; default: true. Otherwise such a conflict fails, and is reported. */
        public Builder<C> force(boolean value) {
            force = value;
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
            return new DefaultObjectManager<>(
                    terms,
                    new ApplyStrategy<>(
                            terms,
                            terms.defined(fieldManager, "fieldManager: as whom it owns fields"),
                            force,
                            new ExpiringCache<>()));
        }
    }
}
