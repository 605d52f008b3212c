package dev.evenkeel.reconcile;

import static dev.evenkeel.controller.EventRecorder.Type.NORMAL;
import static dev.evenkeel.controller.EventRecorder.Type.WARNING;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.LeaseLostException;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.condition.StatusAccess;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes the status of the primary object, as a whole or as a patch; both follow the same rules.
 *
 * <ol>
 * <li>A status that did not change is not written.
 * <li>It is written to the object as it was read, or as a part has written it since, or not at all. Of a status with
 *     parts only the own part is written, whatever has changed otherwise, but not to another object of the same name.
 * <li>A conflict is not a failure, and not reported. A deleted object needs no status.
 * </ol>
 *
 * @param key field of the status to write; empty for all
 */
record StatusWriter<T extends HasMetadata>(Kind<T> kind, Form form, String key) {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceReconciler.class);

    /** The form in which a status is written; the verb is also that of access rules. */
    record Form(String verb, String line, String reason, String message, String failure) {
        static final Form UPDATE =
                new Form("update", "updating status", "StatusUpdated", "Updated status", "StatusUpdateFailed");
        static final Form PATCH =
                new Form("patch", "patching status", "StatusPatched", "Patched status", "StatusPatchFailed");
    }

    /** The result of a write; stale when another client has written the object, gone when it is deleted. */
    sealed interface Ending {
        record Same() implements Ending {}

        record Written() implements Ending {}

        record Gone() implements Ending {}

        record Stale(ConflictException error) implements Ending {}

        record Failed(RuntimeException error) implements Ending {}
    }

    /**
     * Returns the conditions with the transition times of those before, where the status is the same. A condition
     * without a time gets the current one.
     */
    static List<Condition> timed(List<Condition> before, List<Condition> after, Instant now) {
        return after.stream()
                .map(condition -> {
                    String time = Conditions.find(before, String.valueOf(condition.getType()))
                            .filter(old -> Objects.equals(old.getStatus(), condition.getStatus()))
                            .map(Condition::getLastTransitionTime)
                            .or(() -> Optional.ofNullable(condition.getLastTransitionTime()))
                            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
                    return time.equals(condition.getLastTransitionTime())
                            ? condition
                            : new ConditionBuilder(condition)
                                    .withLastTransitionTime(time)
                                    .build();
                })
                .toList();
    }

    /** Corrects transition times. */
    static <T extends HasMetadata> void time(StatusAccess<T> access, T before, T after, Instant now) {
        List<Condition> proposed = access.conditions(after);
        List<Condition> timed = timed(access.conditions(before), proposed, now);
        if (!timed.equals(proposed)) {
            access.setConditions(after, timed);
        }
    }

    /** Writes the status, if it differs. */
    Ending write(Reconciliation<?> reconciliation, T before, T after) {
        if (SemanticEquality.sameStatus(before, after)) {
            return new Ending.Same();
        }
        Patch patch = patch(before, after);
        line(LOG.atInfo()).addKeyValue("diff", patch.text()).log(form.line);
        try {
            T unused = form.equals(Form.UPDATE)
                    ? reconciliation.client().updateStatus(kind, after, WriteOptions.DEFAULT)
                    : reconciliation.client().patchStatus(kind, ObjectKey.of(after), patch, WriteOptions.DEFAULT);
            reconciliation.events().record(after, NORMAL, form.reason, "WriteStatus", form.message);
            return new Ending.Written();
        } catch (ConflictException e) {
            line(LOG.atInfo()).addKeyValue("error", e.getMessage()).log("unable to {} status", form.verb);
            return new Ending.Stale(e);
        } catch (RuntimeException e) {
            if (e instanceof NotFoundException && isGone(reconciliation, after)) {
                return new Ending.Gone();
            }
            if (!(e instanceof LeaseLostException)) {
                line(LOG.atError()).setCause(e).log("unable to {} status", form.verb);
                String message = "Failed to " + form.verb + " status: " + e.getMessage();
                reconciliation.events().record(after, WARNING, form.failure, "WriteStatus", message);
            }
            return new Ending.Failed(e);
        }
    }

    /** Distinguishes a missing object from a missing status: a definition need not have one. */
    private boolean isGone(Reconciliation<?> reconciliation, T object) {
        try {
            return reconciliation
                    .client()
                    .find(kind, ObjectKey.of(object))
                    .filter(present -> Objects.equals(
                            present.getMetadata().getUid(), object.getMetadata().getUid()))
                    .isEmpty();
        } catch (ApiException e) {
            // without the right to look, the object counts as present
            return false;
        }
    }

    private static LoggingEventBuilder line(LoggingEventBuilder line) {
        return line.addKeyValue("part", ReconcilerPath.text());
    }

    /** Returns the patch of the status, or the part of it, and of nothing else. */
    private Patch patch(HasMetadata before, HasMetadata after) {
        ObjectMeta metadata = after.getMetadata();
        ObjectMeta seen = key.isEmpty()
                ? new ObjectMetaBuilder()
                        .withResourceVersion(metadata.getResourceVersion())
                        .build()
                : new ObjectMetaBuilder().withUid(metadata.getUid()).build();
        return Patch.mergeBetween(status(before, new ObjectMeta()), status(after, seen));
    }

    private HasMetadata status(HasMetadata object, ObjectMeta metadata) {
        Object status = ModelCodec.convert(object, GenericKubernetesResource.class)
                .getAdditionalProperties()
                .get("status");
        if (!key.isEmpty()) {
            Object part = status instanceof Map<?, ?> parts ? parts.get(key) : null;
            status = part == null ? null : Map.of(key, part);
        }
        GenericKubernetesResource view = new GenericKubernetesResource();
        view.setMetadata(metadata);
        view.setAdditionalProperties(status == null ? Map.of() : Map.of("status", status));
        return view;
    }
}
