package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.examples.stream.StreamService.UnavailableException;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import dev.evenkeel.reconcile.flow.TryCatch;
import dev.evenkeel.reconcile.flow.WithFinalizer;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Maintains the external state of an object at its broker, and deletes it with the object. Its condition is
 * {@code Provisioned}.
 *
 * <ol>
 *   <li>The finalizer is set before the first call: from then on the object cannot be deleted without its external
 *       state.
 *   <li>An unavailable broker is called again, with growing delays. A deleted one has taken all its state with it.
 *   <li>A refusal of a broker is final until something changes.
 *   <li>No fence undoes external effects: a process that was paused in the middle of a call may recreate state that the
 *       next leader has deleted. So after a change the object is checked again.
 *   <li>Foreign changes at the broker are reverted at the next requeue time.
 * </ol>
 *
 * @param <T> class of the objects
 * @param remove removes the state with the name of the object, the second, from the broker, the first
 */
record Provision<T extends HasMetadata>(
        String finalizer, ConditionSet conditions, Ensure<T> ensure, BiConsumer<String, String> remove) {
    static final Duration AGAIN = Duration.ofMinutes(10);
    private static final String PROVISIONED = "Provisioned";

    /** Changes the external state of objects. */
    @FunctionalInterface
    interface Ensure<T extends HasMetadata> {
        /**
         * Creates or changes the external state.
         *
         * @return whether anything changed
         * @throws IllegalArgumentException when the broker refuses
         */
        boolean ensure(Reconciliation<T> reconciliation, T object, Broker broker);
    }

    /** Returns the part; {@link FreshnessCheck} and {@link BrokerLookup} come before it. */
    Part<T> part(Class<T> type) {
        Part<T> state = SyncReconciler.of(type)
                .name(PROVISIONED)
                .sync(this::sync)
                .finalizing(this::finish)
                .build();
        return TryCatch.of(WithFinalizer.of(type, finalizer, state))
                .catching(this::told)
                .build();
    }

    /** Returns the service's name of a broker. */
    static String id(Broker broker) {
        return ObjectKey.of(broker).toString();
    }

    private Result sync(Reconciliation<T> reconciliation, T object) {
        Optional<Broker> broker = BrokerLookup.found(reconciliation);
        ConditionManager marks = conditions.manage(reconciliation, object);
        if (broker.isEmpty()) {
            marks.markFalse(PROVISIONED, "NoBroker", "there is no such broker");
            return Result.halted();
        }
        try {
            if (ensure.ensure(reconciliation, object, broker.get())) {
                if (takenBack(reconciliation, object, broker.get())) {
                    return Result.halted().skipStatus();
                }
                String message =
                        "Provisioned at broker \"" + ObjectKey.of(broker.get()).name() + "\"";
                reconciliation.events().record(object, EventRecorder.Type.NORMAL, PROVISIONED, "Provision", message);
            }
            marks.markTrue(PROVISIONED, PROVISIONED);
            return Result.after(AGAIN);
        } catch (IllegalArgumentException e) {
            marks.markFalse(PROVISIONED, "Refused", e);
            return Result.durable(e);
        }
    }

    /**
     * Removes created state that is no longer wanted, unless another object has that name now; returns false when it is
     * wanted.
     */
    private boolean takenBack(Reconciliation<T> reconciliation, T object, Broker broker) {
        Optional<T> stored = reconciliation.client().find(reconciliation.kind(), ObjectKey.of(object));
        boolean same = stored.filter(present -> isSame(present, object)).isPresent();
        if (same && Finalizers.has(stored.get(), finalizer)) {
            return false;
        }
        if (same || stored.isEmpty()) {
            remove.accept(id(broker), ObjectKey.of(object).name());
        }
        return true;
    }

    private static boolean isSame(HasMetadata present, HasMetadata object) {
        return present.getMetadata().getUid().equals(object.getMetadata().getUid());
    }

    private Result finish(Reconciliation<T> reconciliation, T object) {
        String name = ObjectKey.of(object).name();
        BrokerLookup.found(reconciliation).ifPresent(broker -> remove.accept(id(broker), name));
        return Result.done().skipStatus();
    }

    private Result told(Reconciliation<T> reconciliation, T object, Result outcome) {
        ConditionManager marks = conditions.manage(reconciliation, object);
        outcome.problems().stream()
                .map(Result.Problem::error)
                .filter(UnavailableException.class::isInstance)
                .forEach(error -> marks.markUnknown(PROVISIONED, "Unavailable", error));
        return outcome;
    }
}
