package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of user code: for live objects, and for terminating ones.
 *
 * @param <T> class of the primary objects
 */
public final class SyncReconciler<T extends HasMetadata> {
    private static final Logger LOG = LoggerFactory.getLogger(SyncReconciler.class);
    private static final String TYPE = "SyncReconciler";

    private final List<Part.Requirement> needs = new ArrayList<>();
    private String name = TYPE;
    private boolean duringFinalization;
    private Optional<SubReconciler<T>> sync = Optional.empty();
    private Optional<SubReconciler<T>> finalization = Optional.empty();

    private SyncReconciler() {}

    /** Returns an empty builder for objects of this class. */
    @SuppressWarnings("unused") // says which T, where nothing else does
    public static <T extends HasMetadata> SyncReconciler<T> of(Class<T> type) {
        return new SyncReconciler<>();
    }

    /** Returns a part that runs this for live objects. */
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T> sync) {
        return new SyncReconciler<T>().sync(sync).build();
    }

    /** Sets the name; default: {@code SyncReconciler}. */
    public SyncReconciler<T> name(String value) {
        name = value;
        return this;
    }

    /** Sets the step for live objects. */
    public SyncReconciler<T> sync(SubReconciler<T> value) {
        sync = Optional.of(value);
        return this;
    }

    /** Sets whether the same step runs for terminating objects, before the step for those; default: false. */
    public SyncReconciler<T> syncDuringFinalization(boolean value) {
        duringFinalization = value;
        return this;
    }

    /** Sets the step for terminating objects; default: nothing. */
    public SyncReconciler<T> finalizing(SubReconciler<T> value) {
        finalization = Optional.of(value);
        return this;
    }

    /** Adds needs of the controller or of access rules. */
    public SyncReconciler<T> needs(Part.Requirement... more) {
        needs.addAll(List.of(more));
        return this;
    }

    /**
     * Returns the part.
     *
     * @throws IllegalStateException when the step for live objects is missing
     */
    public Part<T> build() {
        SubReconciler<T> living = sync.orElseThrow(() ->
                new IllegalStateException(TYPE + " \"" + name + "\" must define sync: the step for live objects"));
        Step<T> first = new Step<>("sync", living);
        Optional<Step<T>> last = finalization.map(code -> new Step<>("finalize", code));
        boolean both = duringFinalization;
        Part.Description mine = first.in(Part.Description.of(TYPE).name(name).needs(needs));
        return Part.of(last.map(step -> step.in(mine)).orElse(mine), (reconciliation, resource) -> {
            boolean deleted = resource.isMarkedForDeletion();
            Result outcome = Result.done();
            if (!deleted || both) {
                outcome = told(first.part().reconcile(reconciliation, resource), "unable to sync");
            }
            if (deleted && last.isPresent() && !outcome.stops()) {
                outcome =
                        outcome.plus(told(last.get().part().reconcile(reconciliation, resource), "unable to finalize"));
            }
            return outcome;
        });
    }

    private static Result told(Result outcome, String message) {
        outcome.failure()
                .ifPresent(error -> LOG.atError()
                        .addKeyValue("part", ReconcilerPath.text())
                        .setCause(error)
                        .log(message));
        return outcome;
    }
}
