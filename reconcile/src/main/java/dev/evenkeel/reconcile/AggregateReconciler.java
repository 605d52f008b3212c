package dev.evenkeel.reconcile;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The root for one object that is derived from the state of others: it exists because the controller does, and not
 * because a user created it.
 *
 * <p>It reconciles this object only, also when it does not exist: at the start, and when the objects tracked by its
 * parts change. The parts then work on an empty one. They set the desired state in memory, or {@code desired} computes
 * it from their results; the manager writes it. Without a desired object it is deleted.
 *
 * <ol>
 *   <li>The actual state is the loaded one, whatever parts do to their object: so their changes are written, and
 *       nothing is when there are none.
 *   <li>After a failure nothing is written. A halt is not a failure.
 *   <li>While the object is terminating nothing is done.
 *   <li>{@code after} is called once, with the outcome, whatever happens.
 * </ol>
 *
 * @param <T> class of the object
 */
public final class AggregateReconciler<T extends HasMetadata> implements Reconciler<T> {
    private final Kind<T> kind;
    private final ObjectKey key;
    private final AroundReconcile<T> surroundings;
    private final Part<T> tree;
    private final BiFunction<Reconciliation<T>, T, Optional<T>> desired;
    private final ObjectManager<T> manager;
    private final UnaryOperator<Controller<T>> setup;

    private AggregateReconciler(
            Builder<T> builder, ObjectKey key, AroundReconcile<T> surroundings, ObjectManager<T> manager) {
        this.kind = builder.kind;
        this.key = key;
        this.surroundings = surroundings;
        this.tree = builder.tree;
        this.desired = builder.desired;
        this.manager = manager;
        this.setup = builder.setup;
    }

    /** Returns a builder for an object of the kind of this class. */
    public static <T extends HasMetadata> Builder<T> of(Class<T> type) {
        return of(Kind.of(type));
    }

    /** Returns a builder for an object of this kind. */
    public static <T extends HasMetadata> Builder<T> of(Kind<T> kind) {
        return new Builder<>(kind);
    }

    /** Returns its name. */
    public String name() {
        return surroundings.name();
    }

    /** Returns the description of the whole tree, the root first. */
    public Part.Description description() {
        return Part.Description.of("AggregateReconciler")
                .name(name())
                .needs(new Part.Requirement.May(kind, "", Part.Requirement.READING))
                .needs(manager.needs())
                .slots("reconciler", tree);
    }

    /**
     * Returns the controller that runs it, with all needs of the parts.
     *
     * @throws IllegalStateException when the parts do not fit together; the message has a line with the place of each
     *     error
     */
    public Controller<T> controller() {
        Part.Description description = description();
        PartTreeValidator.check(kind, description);
        return setup.apply(description.in(Controller.of(kind, this).always(key)));
    }

    @Override
    public Result reconcile(Reconciliation<T> reconciliation) {
        if (!reconciliation.key().equals(key)) {
            return Result.done();
        }
        return surroundings.around(reconciliation, () -> {
            Optional<T> loaded = reconciliation.resource();
            return loaded.filter(HasMetadata::isMarkedForDeletion).isPresent()
                    ? Result.done()
                    : reconcile(reconciliation, loaded);
        });
    }

    private Result reconcile(Reconciliation<T> reconciliation, Optional<T> loaded) {
        T resource = loaded.map(ModelCodec::copy).orElseGet(this::empty);
        Result outcome = tree.reconcile(reconciliation, resource);
        return outcome.succeeded() ? outcome.plus(managed(reconciliation, resource, loaded)) : outcome;
    }

    private Result managed(Reconciliation<T> reconciliation, T resource, Optional<T> loaded) {
        Optional<T> wanted = desired.apply(reconciliation, ModelCodec.copy(resource));
        try {
            Optional<T> unused = manager.manage(reconciliation, resource, loaded, wanted);
            return Result.done();
        } catch (RuntimeException e) {
            return ObjectManager.outcome(e);
        }
    }

    /** Returns the object to start with when none exists. */
    private T empty() {
        String blank = "{\"apiVersion\":\"" + kind.apiVersion() + "\",\"kind\":\"" + kind.kind() + "\"}";
        T object = ModelCodec.decode(blank.getBytes(StandardCharsets.UTF_8), kind.javaType());
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(key.namespace().isEmpty() ? null : key.namespace())
                .withName(key.name())
                .build());
        return object;
    }

    @Override
    public String toString() {
        return description().toString();
    }

    /** Builds a root. */
    public static final class Builder<T extends HasMetadata> {
        private final Kind<T> kind;
        private Optional<String> name = Optional.empty();
        private Optional<ObjectKey> key = Optional.empty();
        private AroundReconcile<T> surroundings = AroundReconcile.none();
        private Part<T> tree = Sequence.of();
        private BiFunction<Reconciliation<T>, T, Optional<T>> desired =
                (reconciliation, resource) -> Optional.of(resource);
        private Optional<ObjectManager<T>> manager = Optional.empty();
        private UnaryOperator<Controller<T>> setup = UnaryOperator.identity();

        private Builder(Kind<T> kind) {
            this.kind = kind;
        }

        /** Sets the name for logs, journals and messages; default: the kind, and {@code AggregateReconciler}. */
        public Builder<T> name(String value) {
            name = Optional.of(value);
            return this;
        }

        /** Sets the key of the object; the namespace is empty for cluster-scoped kinds. */
        public Builder<T> request(String namespace, String objectName) {
            key = Optional.of(ObjectKey.of(namespace, objectName));
            return this;
        }

        /** Sets the parts; several are a {@link Sequence}; default: none. */
        @SafeVarargs
        @SuppressWarnings("varargs") // only read
        public final Builder<T> reconciler(SubReconciler<T>... parts) {
            tree = parts.length == 1 ? Part.of(parts[0]) : Sequence.of(parts);
            return this;
        }

        /**
         * Sets the function that computes the desired object from the object as the parts have left it, which it may
         * change; empty for none. Default: that object.
         */
        public Builder<T> desired(BiFunction<? super Reconciliation<T>, ? super T, Optional<T>> value) {
            desired = value::apply;
            return this;
        }

        /** Sets the manager that brings the object from its actual to its desired state. */
        public Builder<T> manager(ObjectManager<T> value) {
            manager = Optional.of(value);
            return this;
        }

        /** Sets the first step, before the object is loaded; when it stops, nothing else is done. */
        public Builder<T> before(Function<? super Reconciliation<T>, Result> value) {
            surroundings = surroundings.before(value::apply);
            return this;
        }

        /** Sets the function of the final outcome, called for all outcomes. */
        public Builder<T> after(BiFunction<? super Reconciliation<T>, ? super Result, Result> value) {
            surroundings = surroundings.after(value::apply);
            return this;
        }

        /** Configures the controller: placement, more triggers. */
        public Builder<T> setup(UnaryOperator<Controller<T>> value) {
            setup = value;
            return this;
        }

        /**
         * Returns the root.
         *
         * @throws IllegalStateException when something is missing; the message names it
         */
        public AggregateReconciler<T> build() {
            String named = name.orElse(kind.kind() + "AggregateReconciler");
            if (named.isBlank()) {
                throw new IllegalStateException(
                        "AggregateReconciler of " + kind.id() + " must define name: it is blank");
            }
            ObjectKey where = key.filter(
                            one -> !one.name().isEmpty() && one.namespace().isEmpty() != kind.namespaced())
                    .orElseThrow(() -> new IllegalStateException("AggregateReconciler \"" + named
                            + "\" must define request: the name of the one object of " + kind.id() + ", "
                            + (kind.namespaced() ? "and its namespace" : "which live in no namespace")
                            + key.map(one -> ", and not \"" + one + "\"").orElse("")));
            return new AggregateReconciler<>(
                    this,
                    where,
                    surroundings.named(named),
                    manager.orElseThrow(() -> new IllegalStateException("AggregateReconciler \"" + named
                            + "\" must define manager: one that writes the object, such as ObjectManager.updating")));
        }
    }
}
