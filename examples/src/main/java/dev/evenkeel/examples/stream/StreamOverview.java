package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.AggregateReconciler;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Maintains one ConfigMap with an overview of all brokers in the cluster, {@code stream-system/overview}; as long as
 * there are any.
 */
public final class StreamOverview {
    private StreamOverview() {}

    /** Returns the controller. */
    public static Controller<ConfigMap> controller() {
        return root().controller();
    }

    static AggregateReconciler<ConfigMap> root() {
        return AggregateReconciler.of(ConfigMap.class)
                .name("StreamOverview")
                .request("stream-system", "overview")
                .reconciler(counting())
                .desired((reconciliation, overview) -> Optional.of(overview)
                        .filter(counted -> !counted.getData().isEmpty()))
                .manager(
                        ObjectManager.updating(ConfigMap.class, (actual, desired) -> actual.setData(desired.getData())))
                .build();
    }

    /** Reports for each broker whether it is ready, and the number of its topics. */
    private static Part<ConfigMap> counting() {
        return SyncReconciler.of(ConfigMap.class)
                .name("Counting")
                .needs(
                        new Part.Requirement.Tracks<>(Kind.of(Broker.class)),
                        new Part.Requirement.Tracks<>(Kind.of(Topic.class)))
                .sync((reconciliation, overview) -> {
                    List<Broker> brokers = reconciliation
                            .tracker()
                            .list(Broker.class, ListOptions.ALL)
                            .items();
                    List<Topic> topics = reconciliation
                            .tracker()
                            .list(Topic.class, ListOptions.ALL)
                            .items();
                    Map<String, String> lines = new TreeMap<>();
                    for (Broker broker : brokers) {
                        ObjectMeta metadata = broker.getMetadata();
                        // a namespace has no dots, so this names one broker only
                        lines.put(metadata.getNamespace() + "." + metadata.getName(), line(broker, topics));
                    }
                    overview.setData(lines);
                    return Result.done();
                })
                .build();
    }

    private static String line(Broker broker, List<Topic> topics) {
        boolean ready = Conditions.isTrue(broker.getStatus().getConditions(), "Ready");
        long count = topics.stream()
                .filter(topic -> isOf(topic, broker.getMetadata()))
                .count();
        return (ready ? "ready" : "not ready") + ", topics: " + count;
    }

    private static boolean isOf(Topic topic, ObjectMeta broker) {
        return topic.getMetadata().getNamespace().equals(broker.getNamespace())
                && topic.getSpec().broker().equals(broker.getName());
    }
}
