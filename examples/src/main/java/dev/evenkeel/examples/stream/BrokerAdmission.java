package dev.evenkeel.examples.stream;

import static java.util.stream.Collectors.joining;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.examples.stream.BrokerSpec.Listener;
import dev.evenkeel.reconcile.flow.Always;
import dev.evenkeel.reconcile.flow.IfThen;
import dev.evenkeel.reconcile.webhook.Admission;
import dev.evenkeel.reconcile.webhook.AdmissionWebhookAdapter;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/** Refuses impossible brokers, with all errors at once. */
public final class BrokerAdmission {
    private BrokerAdmission() {}

    /** Returns the webhook, for a server of webhooks. */
    public static AdmissionWebhookAdapter<Broker> webhook() {
        return AdmissionWebhookAdapter.of(Broker.class)
                .validating(true)
                // a terminating object is not validated
                .reconciler(IfThen.of(
                        (reconciliation, broker) -> !broker.isMarkedForDeletion(),
                        Always.of(
                                replicas(),
                                unique("name", Listener::name),
                                unique("port", Listener::port),
                                gigabytes())))
                .build();
    }

    private static SubReconciler<Broker> replicas() {
        return (reconciliation, broker) -> {
            int replicas = broker.getSpec().replicas();
            return replicas % 2 == 1
                    ? Result.done()
                    : deny("spec.replicas: must be odd, so that more than half can agree: " + replicas);
        };
    }

    private static SubReconciler<Broker> unique(String field, Function<Listener, Object> value) {
        return (reconciliation, broker) -> {
            Set<Object> seen = new HashSet<>();
            String twice = broker.getSpec().listeners().stream()
                    .map(value)
                    .filter(one -> !seen.add(one))
                    .distinct()
                    .map(Object::toString)
                    .collect(joining(", "));
            return twice.isEmpty()
                    ? Result.done()
                    : deny("spec.listeners: each needs a " + field + " of its own, and several have " + twice);
        };
    }

    private static SubReconciler<Broker> gigabytes() {
        return (reconciliation, broker) -> {
            int wanted = broker.getSpec().gigabytes();
            return Admission.stored(reconciliation)
                    .map(stored -> stored.getSpec().gigabytes())
                    .filter(gigabytes -> gigabytes > wanted)
                    .map(more ->
                            deny("spec.gigabytes: can't shrink, and is to become " + wanted + " instead of " + more))
                    .orElse(Result.done());
        };
    }

    /** Refuses a change as invalid. */
    static Result deny(String message) {
        return Admission.deny(422, message);
    }
}
