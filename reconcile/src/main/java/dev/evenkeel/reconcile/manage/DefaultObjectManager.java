package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The common behaviour of the managers: the table of {@link ObjectManager}, with its events and log lines. They differ
 * in their {@link WriteStrategy}.
 */
record DefaultObjectManager<C extends HasMetadata>(ManagerOptions<C> options, WriteStrategy<C> writing)
        implements ObjectManager<C> {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectManager.class);

    @Override
    public List<Part.Requirement> needs() {
        Part.Requirement writes = new Part.Requirement.May(options.kind(), "", writing.verbs());
        return options.tracks() ? List.of(writes, new Part.Requirement.Tracks<>(options.kind())) : List.of(writes);
    }

    @Override
    public Optional<C> manage(
            Reconciliation<?> reconciliation, HasMetadata resource, Optional<C> actual, Optional<C> desired) {
        Call call = new Call(reconciliation, resource);
        if (desired.isEmpty()) {
            if (actual.isEmpty()) {
                require(FinalizerUpdates.clear(reconciliation, resource, options.finalizer()));
            } else if (!actual.get().isMarkedForDeletion()) {
                call.delete(actual.get());
            }
            return Optional.empty();
        }
        require(FinalizerUpdates.add(reconciliation, resource, options.finalizer()));
        if (actual.isEmpty()) {
            return Optional.of(call.create(desired.get()));
        }
        call.track(actual.get());
        return Optional.of(call.update(actual.get(), desired.get()));
    }

    private static void require(Result outcome) {
        if (!outcome.succeeded()) {
            throw outcome.problems().getFirst().error();
        }
    }

    private final class Call {
        private final Reconciliation<?> reconciliation;
        private final HasMetadata resource;
        private final Kind<C> kind = options.kind();

        Call(Reconciliation<?> reconciliation, HasMetadata resource) {
            this.reconciliation = reconciliation;
            this.resource = resource;
        }

        void track(C object) {
            if (options.tracks()) {
                reconciliation.tracker().track(Tracker.Target.of(kind, ObjectKey.of(object)));
            }
        }

        void delete(C actual) {
            log(LOG.atInfo(), actual).log("deleting unwanted resource");
            try {
                Deletion<C> unused = reconciliation
                        .client()
                        .delete(
                                kind,
                                ObjectKey.of(actual),
                                DeleteOptions.DEFAULT.uid(actual.getMetadata().getUid()));
                tell("Deleted", "DeleteChild", "Deleted " + named(actual));
            } catch (RuntimeException e) {
                if (goneIn(e, actual)) {
                    return;
                }
                track(actual);
                if (!late(e)) {
                    log(LOG.atError(), actual).setCause(e).log("unable to delete unwanted resource");
                    warn("DeleteFailed", "DeleteChild", "Failed to delete " + named(actual) + ": " + e.getMessage());
                }
                throw e;
            }
        }

        C create(C desired) {
            log(LOG.atInfo(), desired).log("creating resource");
            C created;
            try {
                created = writing.create(reconciliation, desired);
            } catch (RuntimeException e) {
                if (!late(e) && !isThere(e, desired)) {
                    log(LOG.atError(), desired).setCause(e).log("unable to create resource");
                    warn("CreationFailed", "CreateChild", "Failed to create " + named(desired) + ": " + e.getMessage());
                }
                throw e;
            }
            // a generated name is known only now
            track(created);
            tell("Created", "CreateChild", "Created " + named(created));
            return created;
        }

        /** Returns whether the object is the primary object's: then the cache lagged, and nothing is reported. */
        private boolean isThere(RuntimeException failure, C desired) {
            ObjectKey key = ObjectKey.of(desired);
            if (key.name().isEmpty()
                    || !(ObjectManager.refusal(failure).orElse(null) instanceof AlreadyExistsException)) {
                return false;
            }
            try {
                return reconciliation
                        .client()
                        .find(kind, key)
                        .filter(present -> OwnerReferences.isControlledBy(present, resource))
                        .isPresent();
            } catch (ApiException e) {
                // without the right to look, the error stands
                return false;
            }
        }

        C update(C actual, C desired) {
            if (actual.isMarkedForDeletion()) {
                log(LOG.atDebug(), actual).log("resource is being deleted, waiting until it is gone");
                return actual;
            }
            Optional<WriteStrategy.Change<C>> change = writing.change(reconciliation, actual, desired);
            if (change.isEmpty()) {
                log(LOG.atDebug(), actual).log("resource is in sync, no update required");
                return actual;
            }
            if (LOG.isInfoEnabled()) {
                log(LOG.atInfo(), actual)
                        .addKeyValue("diff", difference(change.get()))
                        .log("updating resource");
            }
            C updated;
            try {
                updated = change.get().write().get();
            } catch (RuntimeException e) {
                RuntimeException failure = read(e, actual);
                if (!late(failure)) {
                    log(LOG.atError(), actual).setCause(e).log("unable to update resource");
                    warn("UpdateFailed", "UpdateChild", "Failed to update " + named(actual) + ": " + e.getMessage());
                }
                throw failure;
            }
            if (!Objects.equals(
                    actual.getMetadata().getResourceVersion(),
                    updated.getMetadata().getResourceVersion())) {
                log(LOG.atInfo(), updated).log("updated resource");
                tell("Updated", "UpdateChild", "Updated " + named(updated));
            }
            return updated;
        }

        /** Turns a missing or replaced object into a conflict: the object that was read no longer exists. */
        private RuntimeException read(RuntimeException failure, C actual) {
            boolean other = failure instanceof InvalidException invalid
                    && !invalid.causes().isEmpty()
                    && invalid.causes().stream().allMatch(cause -> cause.field().equals("metadata.uid"));
            if (!other && !goneIn(failure, actual)) {
                return failure;
            }
            String name = ObjectKey.of(actual).name();
            ApiException conflict = ApiException.of(Status.of(
                    409,
                    "Conflict",
                    "Operation cannot be fulfilled on " + kind.id() + " \"" + name
                            + "\": the object that was read is gone",
                    Status.Details.of(name, kind.group(), kind.plural())));
            conflict.initCause(failure);
            return conflict;
        }

        private boolean goneIn(RuntimeException failure, C actual) {
            return failure instanceof NotFoundException missing
                    && missing.isAbout(kind, ObjectKey.of(actual).name());
        }

        private static boolean late(RuntimeException failure) {
            return ObjectManager.outcome(failure).severity() == Result.Severity.QUIET;
        }

        private String named(C object) {
            return kind.kind() + " \"" + ObjectKey.of(object).name() + "\"";
        }

        private void tell(String reason, String action, String message) {
            ReconciliationView.tell(reconciliation, resource, EventRecorder.Type.NORMAL, reason, action, message);
        }

        private void warn(String reason, String action, String message) {
            ReconciliationView.tell(reconciliation, resource, EventRecorder.Type.WARNING, reason, action, message);
        }

        private LoggingEventBuilder log(LoggingEventBuilder line, C object) {
            return line.addKeyValue("part", ReconcilerPath.text())
                    .addKeyValue("kind", kind.kind())
                    .addKeyValue("resource", ObjectKey.of(object));
        }

        private String difference(WriteStrategy.Change<C> change) {
            if (options.sanitize().isEmpty() && kind.id().equals("secrets")) {
                return "(not shown: say with sanitize(...) what of a secret may be logged)";
            }
            return Patch.mergeBetween(sanitized(change.before().get()), sanitized(change.after()))
                    .text();
        }

        private C sanitized(C object) {
            return options.sanitize()
                    .map(sanitize -> sanitize.apply(ModelCodec.copy(object)))
                    .orElse(object);
        }
    }

    /** The writes in which managers differ. */
    interface WriteStrategy<C extends HasMetadata> {
        C create(Reconciliation<?> reconciliation, C desired);

        /** Returns the write that brings the actual to the desired state; empty when nothing differs. */
        Optional<Change<C>> change(Reconciliation<?> reconciliation, C actual, C desired);

        /** Returns the verbs of access rules. */
        Set<String> verbs();

        /** A pending write, which returns the stored object; the one before may lack irrelevant fields. */
        record Change<C>(Supplier<C> before, C after, Supplier<C> write) {}
    }

    @Override
    public String toString() {
        return options.toString();
    }
}
