package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.TopicStatus.BROKER_READY;
import static dev.evenkeel.examples.stream.TopicStatus.CONDITIONS;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.examples.stream.StreamService.TopicState;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Objects;
import java.util.Optional;

/**
 * Maintains each {@link Topic} in its broker, as soon as that is ready.
 *
 * <p>While the broker is not ready, the topic is left as it is: the broker is tracked, and triggers the topic.
 */
public final class TopicReconciler {
    /** Holds a topic until the broker has removed it. */
    public static final String FINALIZER = "stream.evenkeel.dev/topic";

    private TopicReconciler() {}

    /** Returns the controller. */
    public static Controller<Topic> controller(StreamService service) {
        return root(service).controller();
    }

    static ResourceReconciler<Topic> root(StreamService service) {
        Provision.Ensure<Topic> ensure = (reconciliation, topic, broker) -> ensure(service, topic, broker);
        return ResourceReconciler.of(Topic.class)
                .name("Topic")
                .conditions(CONDITIONS)
                .statusDuringFinalization(true)
                .reconciler(
                        FreshnessCheck.of(),
                        BrokerLookup.of(topic -> topic.getSpec().broker()),
                        SyncReconciler.of(Topic.class)
                                .name(BROKER_READY)
                                .sync(TopicReconciler::brokerReady)
                                .build(),
                        new Provision<>(FINALIZER, CONDITIONS, ensure, service::removeTopic).part(Topic.class))
                .build();
    }

    private static Result brokerReady(Reconciliation<Topic> reconciliation, Topic topic) {
        ConditionManager marks = CONDITIONS.manage(reconciliation, topic);
        String name = topic.getSpec().broker();
        Optional<Broker> broker = BrokerLookup.found(reconciliation);
        if (broker.isEmpty()) {
            marks.markFalse(BROKER_READY, "NoBroker", "there is no broker \"%s\"", name);
            return Result.halted();
        }
        Optional<Condition> ready = Conditions.find(broker.get().getStatus().getConditions(), "Ready");
        String status = ready.map(Condition::getStatus).orElse("Unknown");
        String message = ready.map(Condition::getMessage).orElse("");
        switch (status) {
            case "True" -> marks.markTrue(BROKER_READY, "BrokerReady");
            case "False" -> marks.markFalse(BROKER_READY, "BrokerNotReady", "broker \"%s\": %s", name, message);
            default -> marks.markUnknown(BROKER_READY, "BrokerUnknown", "broker \"%s\": %s", name, message);
        }
        return status.equals("True") ? Result.done() : Result.halted();
    }

    private static boolean ensure(StreamService service, Topic topic, Broker broker) {
        String id = Provision.id(broker);
        String name = ObjectKey.of(topic).name();
        TopicSpec spec = topic.getSpec();
        // the webhook's default; it need not be installed
        TopicState wanted = new TopicState(
                Objects.requireNonNullElse(spec.partitions(), TopicAdmission.PARTITIONS),
                Objects.requireNonNullElse(spec.replicas(), TopicAdmission.replicas(broker)),
                spec.settings());
        Optional<TopicState> present = service.topic(id, name);
        present.ifPresent(state -> topic.getStatus().setPartitions(state.partitions()));
        if (present.equals(Optional.of(wanted))) {
            return false;
        }
        service.ensureTopic(id, name, wanted);
        topic.getStatus().setPartitions(wanted.partitions());
        return true;
    }
}
