package dev.evenkeel.reconcile;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Request;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.StatusAccess;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.reconcile.part.Requirement;
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
 * The root of a tree of parts: it loads one object, has the parts work on it, and writes its status once.
 *
 * <h2>The order of a reconcile</h2>
 *
 * <ol>
 *   <li>The request may be skipped: then nothing else happens.
 *   <li>{@code before}. When it stops, all up to {@code after} is left out.
 *   <li>The object is loaded; when there is none, or it is terminating without finalizers, there is nothing to do.
 *   <li>It is defaulted, in hand; it may be skipped; conditions that are missing are made.
 *   <li>The parts run.
 *   <li>When they are done, or have halted, the observed generation is noted. After a failure it is not.
 *   <li>The status is written if it says something else than before, unless an outcome says that it is not to be, or the
 *       object is terminating.
 *   <li>{@code after} has the last word.
 * </ol>
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>There is one way out: whatever happens on the way, and whatever is thrown, {@code after} sees the outcome of it.
 *   <li>Of an outcome nothing is lost by writing the status: errors keep their growing delays and appointments hold, unless
 *       the {@linkplain StatusPolicy policy} says otherwise.
 *   <li>A status is written at most once, to the object that was looked at. A conflict is tried again, and nobody is told.
 *   <li>A status that was written while something failed does not by itself bring the object again before its time.
 * </ol>
 *
 * @param <T> class of the primary objects
 */
public final class ResourceReconciler<T extends HasMetadata> implements Reconciler<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceReconciler.class);

    private final Kind<T> kind;
    private final AroundReconcile<T> surroundings;
    private final Part<T> tree;
    private final Predicate<Request> skipRequest;
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
        this.status = builder.writesStatus
                ? Optional.of(new StatusWriter<>(
                        kind, builder.patchesStatus ? StatusWriter.Form.PATCH : StatusWriter.Form.UPDATE))
                : Optional.empty();
        this.statusDuringFinalization = builder.statusDuringFinalization;
        this.policy = builder.policy;
        this.setup = builder.setup;
    }

    /** A root for objects of the kind of this class. */
    public static <T extends HasMetadata> Builder<T> of(Class<T> type) {
        return of(Kind.of(type));
    }

    /**
     * A root for objects of this kind. Its class may know a part of the objects only, as {@code kind.in(Duck.class)} has it:
     * then the status is patched, so that what the class does not know stays.
     */
    public static <T extends HasMetadata> Builder<T> of(Kind<T> kind) {
        return new Builder<>(kind);
    }

    /** Its name. */
    public String name() {
        return surroundings.name();
    }

    /** What the whole tree says of itself, the root first. */
    public Description description() {
        Description root = Description.of("ResourceReconciler")
                .named(name())
                .needing(new Requirement.May(kind, "", Requirement.READING))
                .with("reconciler", tree);
        return status.map(writer -> root.needing(
                        new Requirement.May(kind, "status", Set.of(writer.form().verb()))))
                .orElse(root);
    }

    /**
     * The controller that runs it, with all that the parts need.
     *
     * @throws IllegalStateException when the parts do not fit together; has a line for each thing that is wrong, and says
     *     where
     */
    public Controller<T> controller() {
        PartTreeValidator.check(kind, description());
        warnings()
                .forEach(warning -> LOG.atInfo()
                        .addKeyValue("part", name())
                        .addKeyValue("resourceType", kind.id())
                        .log(warning));
        Controller<T> controller = setup.apply(tree.declare(Controller.of(kind, this)));
        return controller.when(controller.trigger().and(echoes.trigger()));
    }

    /** What will not be done for want of something that most statuses have. */
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
    public Outcome reconcile(Reconciliation<T> reconciliation) {
        echoes.forget(reconciliation.request().key());
        if (skipRequest.test(reconciliation.request())) {
            return Outcome.done();
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
                        .orElse(Outcome.done()));
    }

    /** The same state again: where it came from it comes for less than from a copy. */
    private static <T extends HasMetadata> T twin(Reconciliation<T> reconciliation, T loaded) {
        return reconciliation
                .resource()
                .filter(again -> Objects.equals(
                        again.getMetadata().getResourceVersion(),
                        loaded.getMetadata().getResourceVersion()))
                .orElseGet(() -> ModelCodec.copy(loaded));
    }

    private Outcome reconcile(Reconciliation<T> reconciliation, T loaded) {
        T resource = twin(reconciliation, loaded);
        defaults.accept(reconciliation, resource);
        if (skipResource.test(reconciliation, resource)) {
            return Outcome.done();
        }
        access.ifPresent(way -> conditions.ifPresent(set ->
                ConditionManager.of(set, resource, way, reconciliation.clock()).initialize()));
        Outcome outcome = tree.reconcile(reconciliation, resource);
        try {
            return ended(reconciliation, loaded, resource, outcome);
        } catch (RuntimeException e) {
            return outcome.plus(Outcome.failed(e));
        }
    }

    private Outcome ended(Reconciliation<T> reconciliation, T loaded, T resource, Outcome outcome) {
        if (outcome.succeeded()) {
            access.ifPresent(way -> Optional.ofNullable(resource.getMetadata().getGeneration())
                    .ifPresent(generation -> way.setObservedGeneration(resource, generation)));
        }
        return status.filter(
                        writer -> !outcome.skipsStatus() && (!loaded.isMarkedForDeletion() || statusDuringFinalization))
                .map(writer -> written(reconciliation, loaded, resource, outcome, writer))
                .orElse(outcome);
    }

    private Outcome written(
            Reconciliation<T> reconciliation, T loaded, T resource, Outcome outcome, StatusWriter<T> writer) {
        access.ifPresent(way ->
                StatusWriter.time(way, loaded, resource, reconciliation.clock().instant()));
        Outcome afterWrite = policy == StatusPolicy.TRUST_THE_WATCH ? Outcome.done() : outcome;
        Supplier<StatusWriter.Ending> write = () -> writer.write(reconciliation, loaded, resource);
        StatusWriter.Ending ending =
                afterWrite.retries() ? echoes.without(reconciliation.request().key(), write) : write.get();
        return switch (ending) {
            case StatusWriter.Ending.Same unused -> outcome;
            case StatusWriter.Ending.Written unused -> afterWrite;
            case StatusWriter.Ending.Gone unused -> Outcome.done();
            case StatusWriter.Ending.Stale(var error) ->
                policy == StatusPolicy.TRUST_THE_WATCH ? afterWrite : outcome.plus(Outcome.quiet(error));
            case StatusWriter.Ending.Failed(var error) -> outcome.plus(Outcome.failed(error));
        };
    }

    @Override
    public String toString() {
        return description().toString();
    }

    /**
     * Makes a root.
     *
     * @param <T> class of the primary objects
     */
    public static final class Builder<T extends HasMetadata> {
        private final Kind<T> kind;
        private Optional<String> name = Optional.empty();
        private Optional<Part<T>> tree = Optional.empty();
        private AroundReconcile<T> surroundings = AroundReconcile.none();
        private Predicate<Request> skipRequest = request -> false;
        private BiConsumer<Reconciliation<T>, T> defaults = (reconciliation, resource) -> {};
        private BiPredicate<Reconciliation<T>, T> skipResource = (reconciliation, resource) -> false;
        private Optional<ConditionSet> conditions = Optional.empty();
        private Optional<StatusAccess<T>> access = Optional.empty();
        private boolean writesStatus = true;
        private boolean patchesStatus;
        private boolean statusDuringFinalization;
        private StatusPolicy policy = StatusPolicy.KEEP_OUTCOME;
        private UnaryOperator<Controller<T>> setup = UnaryOperator.identity();

        private Builder(Kind<T> kind) {
            this.kind = kind;
            this.patchesStatus = isView(kind);
        }

        /** Returns whether the class is not the one of the kind, nor one that keeps all there is. */
        private static boolean isView(Kind<?> kind) {
            if (kind.javaType() == GenericKubernetesResource.class) {
                return false;
            }
            try {
                return !Kind.of(kind.javaType()).equals(kind);
            } catch (IllegalArgumentException e) {
                // it does not say its kind
                return true;
            }
        }

        /** For people: in logs, journals and messages; default: the kind, and {@code ResourceReconciler}. */
        public Builder<T> named(String value) {
            name = Optional.of(value);
            return this;
        }

        /** What works on the object; several are a {@link Sequence}. */
        @SafeVarargs
        @SuppressWarnings("varargs") // only read
        public final Builder<T> reconciler(SubReconciler<T>... parts) {
            tree = parts.length == 0
                    ? Optional.empty()
                    : Optional.of(parts.length == 1 ? Part.of(parts[0]) : Sequence.of(parts));
            return this;
        }

        /** Fills in what the object leaves open, in hand: parts see it, and it is not written. */
        public Builder<T> defaults(Consumer<? super T> value) {
            return defaults((reconciliation, resource) -> value.accept(resource));
        }

        /** Fills in what the object leaves open, in hand. */
        public Builder<T> defaults(BiConsumer<? super Reconciliation<T>, ? super T> value) {
            defaults = value::accept;
            return this;
        }

        /** The conditions that each object has, made when they are missing. */
        public Builder<T> conditions(ConditionSet value) {
            conditions = Optional.of(value);
            return this;
        }

        /**
         * How conditions and observed generation are read and written; default: as a {@link
         * dev.evenkeel.reconcile.condition.ConditionedStatus}, when the status is one, and not at all otherwise.
         */
        public Builder<T> status(StatusAccess<T> value) {
            access = Optional.of(value);
            return this;
        }

        /** Leaves out requests, before anything else. */
        public Builder<T> skipRequest(Predicate<? super Request> value) {
            skipRequest = value::test;
            return this;
        }

        /** Leaves out objects, when they are loaded and defaulted. */
        public Builder<T> skipResource(Predicate<? super T> value) {
            skipResource = (reconciliation, resource) -> value.test(resource);
            return this;
        }

        /** What is done first, before the object is loaded; when it stops, the parts do not run. */
        public Builder<T> before(Function<? super Reconciliation<T>, Outcome> value) {
            surroundings = surroundings.before(value::apply);
            return this;
        }

        /** What is made of the outcome in the end, whatever it is. */
        public Builder<T> after(BiFunction<? super Reconciliation<T>, ? super Outcome, Outcome> value) {
            surroundings = surroundings.after(value::apply);
            return this;
        }

        /** The status is left alone. */
        public Builder<T> withoutStatus() {
            writesStatus = false;
            return this;
        }

        /** The status is written as a merge patch; default: when the class knows only a part of the objects. */
        public Builder<T> patchingStatus() {
            patchesStatus = true;
            return this;
        }

        /** The status is written while the object is terminating, too. */
        public Builder<T> statusDuringFinalization() {
            statusDuringFinalization = true;
            return this;
        }

        /** What becomes of the outcome when the status was written; default: {@link StatusPolicy#KEEP_OUTCOME}. */
        public Builder<T> policy(StatusPolicy value) {
            policy = value;
            return this;
        }

        /** More for the controller: workers, placement, what else wakes it. */
        public Builder<T> setup(UnaryOperator<Controller<T>> value) {
            setup = value;
            return this;
        }

        /**
         * The root.
         *
         * @throws IllegalStateException when something is missing; the message says what
         */
        public ResourceReconciler<T> build() {
            String named = name.orElse(kind.kind() + "ResourceReconciler");
            if (named.isBlank()) {
                throw new IllegalStateException(
                        "ResourceReconciler of " + kind.id() + " must define named: it is blank");
            }
            Part<T> part = tree.orElseThrow(() -> new IllegalStateException("ResourceReconciler \"" + named
                    + "\" must define reconciler: the parts that work on " + kind.id()));
            Optional<StatusAccess<T>> way = access.or(() -> StatusAccess.find(kind.javaType()));
            if (conditions.isPresent() && way.isEmpty()) {
                throw new IllegalStateException(
                        "ResourceReconciler \"" + named + "\" must define status: conditions are "
                                + "given, and the status of " + kind.javaType().getSimpleName()
                                + " is no ConditionedStatus: say how to read and write it with a StatusAccess");
            }
            return new ResourceReconciler<>(this, part, surroundings.named(named), way);
        }
    }
}
