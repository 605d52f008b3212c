package dev.evenkeel.reconcile;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.StatusAccess;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The root of a tree of parts: it loads one object, runs the parts on it, and writes its status once.
 *
 * <h2>The order of a reconciliation</h2>
 *
 * <ol>
 *   <li>The request may be skipped: then nothing else happens.
 *   <li>{@code before}. When it stops, all up to {@code after} is left out.
 *   <li>The object is loaded; when it does not exist, or is terminating without finalizers, nothing is done.
 *   <li>It is defaulted, in memory; it may be skipped; missing conditions are initialized.
 *   <li>The parts run.
 *   <li>When they are done, or have halted, the observed generation is set. After a failure it is not.
 *   <li>The status is written if it differs, unless an outcome skips it, or the object is terminating.
 *   <li>{@code after} maps the final outcome.
 * </ol>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>Unless the request is skipped, {@code after} is called once, with the outcome, whatever is thrown.
 *   <li>Writing the status loses nothing of an outcome: errors keep their growing delays and requeue times hold, unless
 *       the {@linkplain StatusPolicy policy} differs.
 *   <li>A status is written at most once, to the object that was read. A conflict is retried, and not reported.
 *   <li>A status that was written after a failure does not by itself trigger the object before its time.
 * </ol>
 *
 * @param <T> class of the primary objects
 */
public final class ResourceReconciler<T extends HasMetadata> implements Reconciler<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceReconciler.class);

    private final Kind<T> kind;
    private final AroundReconcile<T> surroundings;
    private final Part<T> tree;
    private final Predicate<ObjectKey> skipRequest;
    private final BiConsumer<Reconciliation<T>, T> defaults;
    private final BiPredicate<Reconciliation<T>, T> skipResource;
    private final Optional<ConditionSet> conditions;
    private final Optional<StatusAccess<T>> access;
    private final Optional<StatusWriter<T>> status;
    private final boolean statusDuringFinalization;
    private final StatusPolicy policy;
    private final UnaryOperator<Controller<T>> setup;
    private final StatusEchoFilter<T> echoes = new StatusEchoFilter<>();

    private ResourceReconciler(
            Builder<T> builder, Part<T> tree, AroundReconcile<T> surroundings, Optional<StatusAccess<T>> access) {
        this.kind = builder.kind;
        this.surroundings = surroundings;
        this.tree = tree;
        this.skipRequest = builder.skipRequest;
        this.defaults = builder.defaults;
        this.skipResource = builder.skipResource;
        this.conditions = builder.conditions;
        this.access = access;
        String key = access.map(StatusAccess::key).orElse("");
        StatusWriter.Form form =
                builder.patchStatus || !key.isEmpty() ? StatusWriter.Form.PATCH : StatusWriter.Form.UPDATE;
        this.status = builder.skipStatus ? Optional.empty() : Optional.of(new StatusWriter<>(kind, form, key));
        this.statusDuringFinalization = builder.statusDuringFinalization;
        this.policy = builder.policy;
        this.setup = builder.setup;
    }

    /** Returns a builder for objects of the kind of this class. */
    public static <T extends HasMetadata> Builder<T> of(Class<T> type) {
        return of(Kind.of(type));
    }

    /**
     * Returns a builder for objects of this kind. Its class may be a partial view of the objects, such as
     * {@code kind.in(Duck.class)}: then the status is patched, so that unknown fields are kept.
     */
    public static <T extends HasMetadata> Builder<T> of(Kind<T> kind) {
        return new Builder<>(kind);
    }

    /** Returns its name. */
    public String name() {
        return surroundings.name();
    }

    /** Returns the description of the whole tree, the root first. */
    public Part.Description description() {
        Part.Description root = Part.Description.of("ResourceReconciler")
                .name(name())
                .needs(new Part.Requirement.May(kind, "", Part.Requirement.READING))
                .slots("reconciler", tree);
        return status.map(writer -> root.needs(new Part.Requirement.May(
                        kind, "status", Set.of(writer.form().verb()))))
                .orElse(root);
    }

    /**
     * Returns the controller that runs it, with all needs of the parts.
     *
     * @throws IllegalStateException when the parts do not fit together; the message has a line with the place of each
     *     error
     */
    public Controller<T> controller() {
        PartTreeValidator.check(kind, description());
        warnings()
                .forEach(warning -> LOG.atInfo()
                        .addKeyValue("part", name())
                        .addKeyValue("resourceType", kind.id())
                        .log(warning));
        Controller<T> controller = setup.apply(tree.declare(Controller.of(kind, this)));
        return controller.trigger(controller.trigger().and(echoes.trigger()));
    }

    /** Returns warnings about features that are off because the status lacks a common field. */
    List<String> warnings() {
        if (status.isEmpty()) {
            return List.of();
        }
        if (access.isEmpty()) {
            return List.of(
                    "resource status missing ObservedGeneration, generation will not be managed",
                    "resource status is missing Conditions, condition timestamps will not be managed");
        }
        return conditions.isEmpty()
                ? List.of("resource status missing a ConditionSet, conditions will not be auto-initialized")
                : List.of();
    }

    @Override
    public Result reconcile(Reconciliation<T> reconciliation) {
        echoes.forget(reconciliation.key());
        if (skipRequest.test(reconciliation.key())) {
            return Result.done();
        }
        return surroundings.around(
                reconciliation,
                () -> reconciliation
                        .resource()
                        .filter(loaded -> !loaded.isMarkedForDeletion()
                                || !Objects.requireNonNullElse(
                                                loaded.getMetadata().getFinalizers(), List.of())
                                        .isEmpty())
                        .map(loaded -> reconcile(reconciliation, loaded))
                        .orElse(Result.done()));
    }

    /** Returns a second instance of the same state, if the status is compared with that of the first. */
    private T twin(Reconciliation<T> reconciliation, T loaded) {
        if (status.isEmpty()) {
            return loaded;
        }
        // reading a class of a user's own from the cache is cheaper than copying
        return reconciliation
                .resource()
                .filter(again -> Objects.equals(
                        again.getMetadata().getResourceVersion(),
                        loaded.getMetadata().getResourceVersion()))
                .orElseGet(() -> ModelCodec.copy(loaded));
    }

    private Result reconcile(Reconciliation<T> reconciliation, T loaded) {
        T resource = twin(reconciliation, loaded);
        defaults.accept(reconciliation, resource);
        if (skipResource.test(reconciliation, resource)) {
            return Result.done();
        }
        access.ifPresent(way -> conditions.ifPresent(set ->
                ConditionManager.of(set, resource, way, reconciliation::now).initialize()));
        Result outcome = tree.reconcile(reconciliation, resource);
        try {
            return ended(reconciliation, loaded, resource, outcome);
        } catch (RuntimeException e) {
            return outcome.plus(Result.failed(e));
        }
    }

    private Result ended(Reconciliation<T> reconciliation, T loaded, T resource, Result outcome) {
        if (outcome.succeeded()) {
            access.ifPresent(way -> Optional.ofNullable(resource.getMetadata().getGeneration())
                    .ifPresent(generation -> way.setObservedGeneration(resource, generation)));
        }
        return status.filter(
                        writer -> !outcome.skipsStatus() && (!loaded.isMarkedForDeletion() || statusDuringFinalization))
                .map(writer -> written(reconciliation, loaded, resource, outcome, writer))
                .orElse(outcome);
    }

    private Result written(
            Reconciliation<T> reconciliation, T loaded, T resource, Result outcome, StatusWriter<T> writer) {
        access.ifPresent(way -> StatusWriter.time(way, loaded, resource, reconciliation.now()));
        Result afterWrite = policy == StatusPolicy.TRUST_THE_WATCH ? Result.done() : outcome;
        Supplier<StatusWriter.Ending> write = () -> writer.write(reconciliation, loaded, resource);
        StatusWriter.Ending ending = afterWrite.retries() ? echoes.without(reconciliation.key(), write) : write.get();
        return switch (ending) {
            case StatusWriter.Ending.Same unused -> outcome;
            case StatusWriter.Ending.Written unused -> afterWrite;
            case StatusWriter.Ending.Gone unused -> Result.done();
            case StatusWriter.Ending.Stale(var error) ->
                policy == StatusPolicy.TRUST_THE_WATCH ? afterWrite : outcome.plus(Result.quiet(error));
            case StatusWriter.Ending.Failed(var error) -> outcome.plus(Result.failed(error));
        };
    }

    @Override
    public String toString() {
        return description().toString();
    }

    /** Builds a root. */
    public static final class Builder<T extends HasMetadata> {
        private final Kind<T> kind;
        private Optional<String> name = Optional.empty();
        private Optional<Part<T>> tree = Optional.empty();
        private AroundReconcile<T> surroundings = AroundReconcile.none();
        private Predicate<ObjectKey> skipRequest = key -> false;
        private BiConsumer<Reconciliation<T>, T> defaults = (reconciliation, resource) -> {};
        private BiPredicate<Reconciliation<T>, T> skipResource = (reconciliation, resource) -> false;
        private Optional<ConditionSet> conditions = Optional.empty();
        private Optional<StatusAccess<T>> access = Optional.empty();
        private boolean skipStatus;
        private boolean patchStatus;
        private boolean statusDuringFinalization;
        private StatusPolicy policy = StatusPolicy.KEEP_OUTCOME;
        private UnaryOperator<Controller<T>> setup = UnaryOperator.identity();

        private Builder(Kind<T> kind) {
            this.kind = kind;
            this.patchStatus = isView(kind);
        }

        /** Returns whether the class is neither the one of the kind nor a generic one. */
        private static boolean isView(Kind<?> kind) {
            if (kind.javaType() == GenericKubernetesResource.class) {
                return false;
            }
            try {
                return !Kind.of(kind.javaType()).equals(kind);
            } catch (IllegalArgumentException e) {
                // the class does not declare its kind
                return true;
            }
        }

        /** Sets the name for logs, journals and messages; default: the kind, and {@code ResourceReconciler}. */
        public Builder<T> name(String value) {
            name = Optional.of(value);
            return this;
        }

        /** Sets the parts; several are a {@link Sequence}. */
        @SafeVarargs
        @SuppressWarnings("varargs") // only read
        public final Builder<T> reconciler(SubReconciler<T>... parts) {
            tree = parts.length == 0
                    ? Optional.empty()
                    : Optional.of(parts.length == 1 ? Part.of(parts[0]) : Sequence.of(parts));
            return this;
        }

        /** Sets defaults in memory: parts see them, and they are not written. */
        public Builder<T> defaults(Consumer<? super T> value) {
            return defaults((reconciliation, resource) -> value.accept(resource));
        }

        /** Sets defaults in memory. */
        public Builder<T> defaults(BiConsumer<? super Reconciliation<T>, ? super T> value) {
            defaults = value::accept;
            return this;
        }

        /** Sets the conditions of each object, which are initialized when missing. */
        public Builder<T> conditions(ConditionSet value) {
            conditions = Optional.of(value);
            return this;
        }

        /**
         * Sets the access to conditions and observed generation; default: that of a
         * {@link dev.evenkeel.reconcile.condition.ConditionedStatus}, if the status is one, otherwise none. With access to
         * {@linkplain StatusAccess#part a part} of the status, only that part is written.
         */
        public Builder<T> status(StatusAccess<T> value) {
            access = Optional.of(value);
            return this;
        }

        /** Skips requests, before anything else. */
        public Builder<T> skipRequest(Predicate<? super ObjectKey> value) {
            skipRequest = value::test;
            return this;
        }

        /** Skips objects, after they are loaded and defaulted. */
        public Builder<T> skipResource(Predicate<? super T> value) {
            skipResource = (reconciliation, resource) -> value.test(resource);
            return this;
        }

        /** Sets the first step, before the object is loaded; when it stops, the parts do not run. */
        public Builder<T> before(Function<? super Reconciliation<T>, Result> value) {
            surroundings = surroundings.before(value::apply);
            return this;
        }

        /** Sets the function of the final outcome, called for all outcomes. */
        public Builder<T> after(BiFunction<? super Reconciliation<T>, ? super Result, Result> value) {
            surroundings = surroundings.after(value::apply);
            return this;
        }

        /** Sets whether the status is never written; default: false. */
        public Builder<T> skipStatus(boolean value) {
            skipStatus = value;
            return this;
        }

        /**
         * Sets whether the status is a merge patch; default: when the class is a partial view of the objects. A part of a
         * status always is.
         */
        public Builder<T> patchStatus(boolean value) {
            patchStatus = value;
            return this;
        }

        /** Sets whether the status is written also while the object is terminating; default: false. */
        public Builder<T> statusDuringFinalization(boolean value) {
            statusDuringFinalization = value;
            return this;
        }

        /** Sets the policy for outcomes after the status was written; default: {@link StatusPolicy#KEEP_OUTCOME}. */
        public Builder<T> policy(StatusPolicy value) {
            policy = value;
            return this;
        }

        /** Configures the controller: workers, placement, more triggers. */
        public Builder<T> setup(UnaryOperator<Controller<T>> value) {
            setup = value;
            return this;
        }

        /**
         * Returns the root.
         *
         * @throws IllegalStateException when something is missing; the message names it
         */
        public ResourceReconciler<T> build() {
            String named = name.orElse(kind.kind() + "ResourceReconciler");
            if (named.isBlank()) {
                throw new IllegalStateException(
                        "ResourceReconciler of " + kind.id() + " must define name: it is blank");
            }
            Part<T> part = tree.orElseThrow(() -> new IllegalStateException("ResourceReconciler \"" + named
                    + "\" must define reconciler: the parts that work on " + kind.id()));
            Optional<StatusAccess<T>> way = access.or(() -> StatusAccess.find(kind.javaType()));
            if (conditions.isPresent() && way.isEmpty()) {
                throw new IllegalStateException(
                        "ResourceReconciler \"" + named + "\" must define status: conditions are "
                                + "given, and the status of " + kind.javaType().getSimpleName()
                                + " is not a ConditionedStatus: set a StatusAccess with status(...)");
            }
            return new ResourceReconciler<>(this, part, surroundings.named(named), way);
        }
    }

    /** Decides about the outcome of a reconciliation that has changed the status, which is a change that triggers. */
    public enum StatusPolicy {
        /** Keeps it: errors are reported and retried with growing delays, requeue times hold. */
        KEEP_OUTCOME,
        /**
         * Drops it: the watch triggers the object again, at once. Only for controllers that every change of the status
         * triggers; with a status that changes at each failure, such as a counter, failures have no delay between them.
         */
        TRUST_THE_WATCH
    }
}
