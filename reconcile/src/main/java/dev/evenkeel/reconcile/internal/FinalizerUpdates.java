package dev.evenkeel.reconcile.internal;

import static dev.evenkeel.controller.EventRecorder.Type.NORMAL;
import static dev.evenkeel.controller.EventRecorder.Type.WARNING;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Adds and removes finalizers of the primary object of a reconciliation, on the server and in memory.
 *
 * <p>The problem: parts change the object in memory and want nothing of that written before the root does so; a
 * finalizer must be written at once, by any part, and other clients may write the object meanwhile.
 *
 * <ol>
 * <li>The list of finalizers is written, whole, and nothing else: a merge patch.
 * <li>It is written to the object as it was read, or not at all: the patch has its resourceVersion. A conflict is not a
 *     failure: the object is reconciled again, and nothing is reported.
 * <li>It is written, and recorded, with the client and recorder of the root, whatever is configured for the part.
 * <li>After the write, the object in memory has the finalizers, the resourceVersion and the generation of the answer;
 *     otherwise it is unchanged.
 * </ol>
 */
public final class FinalizerUpdates {
    private static final Logger LOG = LoggerFactory.getLogger(FinalizerUpdates.class);

    private FinalizerUpdates() {}

    /** Returns the need of a part that does this to primary objects of a kind. */
    public static Part.Requirement need(Kind<?> kind) {
        return new Part.Requirement.May(kind, "", Set.of("patch"));
    }

    /** Adds a finalizer, unless the object has it, or its name is empty. */
    public static Result add(Reconciliation<?> reconciliation, HasMetadata resource, String finalizer) {
        return finalizer.isEmpty() || Finalizers.has(resource, finalizer)
                ? Result.done()
                : write(reconciliation, resource, finalizer, true);
    }

    /** Removes a finalizer, if the object has it; its name may be empty. A deleted object counts as done. */
    public static Result clear(Reconciliation<?> reconciliation, HasMetadata resource, String finalizer) {
        return finalizer.isEmpty() || !Finalizers.has(resource, finalizer)
                ? Result.done()
                : write(reconciliation, resource, finalizer, false);
    }

    private static Result write(
            Reconciliation<?> reconciliation, HasMetadata resource, String finalizer, boolean adds) {
        log(LOG.atInfo(), finalizer).log(adds ? "adding finalizer" : "removing finalizer");
        String action = adds ? "AddFinalizer" : "ClearFinalizer";
        String what = "finalizer \"" + finalizer + "\"";
        ObjectMeta present = resource.getMetadata();
        List<String> wanted = finalizers(present);
        boolean unused = adds ? wanted.add(finalizer) : wanted.remove(finalizer);
        try {
            ObjectMeta written = patched(ReconciliationView.original(reconciliation), resource, wanted);
            // not all of the answer: the rest may undo changes of other parts in memory
            present.setFinalizers(finalizers(written));
            present.setResourceVersion(written.getResourceVersion());
            present.setGeneration(written.getGeneration());
            ReconciliationView.tell(reconciliation, resource, NORMAL, "FinalizerPatched", action, "Patched " + what);
            return Result.done();
        } catch (ConflictException e) {
            log(LOG.atInfo(), finalizer).setCause(e).log("unable to patch finalizers");
            return Result.quiet(e);
        } catch (RuntimeException e) {
            if (e instanceof NotFoundException && !adds) {
                present.setFinalizers(wanted);
                return Result.done();
            }
            log(LOG.atError(), finalizer).setCause(e).log("unable to patch finalizers");
            String message = "Failed to patch " + what + ": " + e.getMessage();
            ReconciliationView.tell(reconciliation, resource, WARNING, "FinalizerPatchFailed", action, message);
            return Result.failed(e);
        }
    }

    private static ObjectMeta patched(Reconciliation<?> original, HasMetadata resource, List<String> wanted) {
        ObjectMeta metadata = resource.getMetadata();
        if (metadata.getResourceVersion() == null
                || metadata.getResourceVersion().isEmpty()) {
            throw new IllegalStateException(
                    "metadata.resourceVersion: " + ObjectKey.of(resource) + " has none: patch an object that was read");
        }
        Patch patch = Patch.mergeBetween(head(finalizers(metadata), null), head(wanted, metadata.getResourceVersion()));
        return original.client()
                .patch(original.kind(), ObjectKey.of(resource), patch, WriteOptions.DEFAULT)
                .getMetadata();
    }

    private static HasMetadata head(List<String> finalizers, @Nullable String version) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setMetadata(new ObjectMetaBuilder()
                .withFinalizers(finalizers)
                .withResourceVersion(version)
                .build());
        return object;
    }

    private static LoggingEventBuilder log(LoggingEventBuilder line, String finalizer) {
        return line.addKeyValue("part", ReconcilerPath.text()).addKeyValue("finalizer", finalizer);
    }

    private static List<String> finalizers(ObjectMeta metadata) {
        return new ArrayList<>(Objects.requireNonNullElse(metadata.getFinalizers(), List.of()));
    }
}
