package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.BrokerAdmission.deny;
import static dev.evenkeel.examples.stream.BrokerLookup.BROKERS;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.flow.Always;
import dev.evenkeel.reconcile.webhook.Admission;
import dev.evenkeel.reconcile.webhook.AdmissionWebhookAdapter;
import java.util.Objects;
import java.util.Optional;

/**
 * Sets defaults of a {@link Topic}, and refuses values that its broker can never support.
 *
 * <p>Unchanged fields are not checked: a topic whose broker has shrunk can still get a label, and be deleted.
 */
public final class TopicAdmission {
    static final int PARTITIONS = 3;
    private static final int REPLICAS = 3;

    private TopicAdmission() {}

    /**
     * Sets default partitions and replicas: those that the topic has, otherwise three, or as many replicas as the
     * broker has servers.
     *
     * @param client reads brokers
     */
    public static AdmissionWebhookAdapter<Topic> mutating(Client client) {
        return AdmissionWebhookAdapter.of(Topic.class)
                .name("topic-defaults")
                .client(client)
                .reconciler(TopicAdmission::fillIn)
                .build();
    }

    /**
     * Refuses another broker, fewer partitions, and more replicas than the broker has servers.
     *
     * @param client reads brokers
     */
    public static AdmissionWebhookAdapter<Topic> validating(Client client) {
        return AdmissionWebhookAdapter.of(Topic.class)
                .name("topic-rules")
                .client(client)
                .validating(true)
                .reconciler(Always.of(
                        TopicAdmission::brokerStays, TopicAdmission::partitionsStay, TopicAdmission::replicasFit))
                .build();
    }

    /** Returns the number of servers, up to three. */
    static int replicas(Broker broker) {
        return Math.min(REPLICAS, broker.getSpec().replicas());
    }

    private static Result fillIn(Reconciliation<Topic> reconciliation, Topic topic) {
        TopicSpec spec = topic.getSpec();
        if (spec == null) {
            // its schema refuses it later
            return Result.done();
        }
        Optional<TopicSpec> stored = stored(reconciliation);
        Optional<Integer> partitions =
                Optional.ofNullable(spec.partitions()).or(() -> stored.map(TopicSpec::partitions));
        Optional<Integer> replicas = Optional.ofNullable(spec.replicas())
                .or(() -> stored.map(TopicSpec::replicas))
                .or(() -> broker(reconciliation, topic).map(TopicAdmission::replicas));
        topic.setSpec(
                new TopicSpec(spec.broker(), partitions.orElse(PARTITIONS), replicas.orElse(null), spec.settings()));
        return Result.done();
    }

    private static Result brokerStays(Reconciliation<Topic> reconciliation, Topic topic) {
        String broker = topic.getSpec().broker();
        return stored(reconciliation)
                .map(TopicSpec::broker)
                .filter(before -> !before.equals(broker))
                .map(before -> deny("spec.broker: is \"" + before + "\" and cannot become \"" + broker
                        + "\": make another topic there"))
                .orElse(Result.done());
    }

    private static Result partitionsStay(Reconciliation<Topic> reconciliation, Topic topic) {
        int partitions = Objects.requireNonNullElse(topic.getSpec().partitions(), PARTITIONS);
        return stored(reconciliation)
                .map(TopicSpec::partitions)
                .filter(before -> before > partitions)
                .map(before -> deny(
                        "spec.partitions: are " + before + " and cannot become " + partitions + ": they do not shrink"))
                .orElse(Result.done());
    }

    private static Result replicasFit(Reconciliation<Topic> reconciliation, Topic topic) {
        Optional<Integer> replicas = Optional.ofNullable(topic.getSpec().replicas());
        if (replicas.isEmpty() || replicas.equals(stored(reconciliation).map(TopicSpec::replicas))) {
            return Result.done();
        }
        String name = topic.getSpec().broker();
        Optional<Broker> broker = broker(reconciliation, topic);
        if (broker.isEmpty()) {
            Admission.warn(reconciliation, "there is no broker \"" + name + "\" yet: the topic waits for it");
            return Result.done();
        }
        int servers = broker.get().getSpec().replicas();
        return replicas.get() <= servers
                ? Result.done()
                : deny("spec.replicas: are " + replicas.get() + ", and broker \"" + name + "\" has " + servers
                        + " servers: at most as many");
    }

    private static Optional<TopicSpec> stored(Reconciliation<Topic> reconciliation) {
        return Admission.stored(reconciliation).map(Topic::getSpec);
    }

    private static Optional<Broker> broker(Reconciliation<Topic> reconciliation, Topic topic) {
        ObjectKey key =
                ObjectKey.of(reconciliation.key().namespace(), topic.getSpec().broker());
        return reconciliation.client().find(BROKERS, key);
    }
}
