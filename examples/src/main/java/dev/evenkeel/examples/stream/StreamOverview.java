package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.reconcile.AggregateReconciler;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
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
                    Tracker tracker = reconciliation.tracker();
                    Listing<Broker> brokers = tracker.list(Broker.class, ListOptions.ALL);
                    Listing<Topic> topics = tracker.list(Topic.class, ListOptions.ALL);
                    Map<String, String> lines = new TreeMap<>();
                    for (Broker broker : brokers.items()) {
                        ObjectKey key = ObjectKey.of(broker);
                        // a namespace has no dots, so this names one broker only
                        lines.put(key.namespace() + "." + key.name(), line(broker, topics.items()));
                    }
                    overview.setData(lines);
                    return Result.done();
                })
                .build();
    }

    private static String line(Broker broker, List<Topic> topics) {
        boolean ready = Conditions.isTrue(broker.getStatus().getConditions(), "Ready");
        ObjectKey key = ObjectKey.of(broker);
        long count = topics.stream()
                .filter(topic -> key.equals(ObjectKey.of(
                        topic.getMetadata().getNamespace(), topic.getSpec().broker())))
                .count();
        return (ready ? "ready" : "not ready") + ", topics: " + count;
    }
}
