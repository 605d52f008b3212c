package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.BrokerStatus.CONDITIONS;
import static dev.evenkeel.examples.stream.BrokerStatus.CONFIGURED;
import static dev.evenkeel.examples.stream.BrokerStatus.REACHABLE;
import static dev.evenkeel.examples.stream.BrokerStatus.SERVING;
import static java.util.stream.Collectors.joining;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.examples.stream.BrokerSpec.Listener;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.child.ChildReconciler;
import dev.evenkeel.reconcile.child.ChildSetReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.flow.IfThen;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs the servers of each {@link Broker}: a StatefulSet with its configuration, a Service by which the servers find
 * each other, and one for each listener by which clients find them.
 *
 * <p>Servers never run on missing settings: they are changed only when their configuration is written. Refusals of the
 * API are reported in the status; a refused listener does not keep the others from clients.
 */
public final class BrokerReconciler {
    private static final String FIELD_MANAGER = "broker-controller";
    private static final String BROKER = "stream.evenkeel.dev/broker";
    private static final int PEER_PORT = 7000;

    /** The data of the ConfigMap of the spec; absent when the spec names none. */
    private static final Stash.Key<ConfigMap> SETTINGS = Stash.Key.of("settings", ConfigMap.class);

    private BrokerReconciler() {}

    /** Returns the controller. */
    public static Controller<Broker> controller() {
        return root().controller();
    }

    static ResourceReconciler<Broker> root() {
        return ResourceReconciler.of(Broker.class)
                .conditions(CONDITIONS)
                .reconciler(
                        settings(),
                        config(),
                        IfThen.of(
                                (reconciliation, broker) ->
                                        Conditions.isTrue(broker.getStatus().getConditions(), CONFIGURED),
                                Sequence.of(peers(), listeners(), servers())))
                .build();
    }

    /** Reads the settings, which are tracked. */
    private static Part<Broker> settings() {
        return SyncReconciler.of(Broker.class)
                .name("Settings")
                .needs(new Part.Requirement.Tracks<>(Kind.of(ConfigMap.class)))
                .sync((reconciliation, broker) -> {
                    String name = broker.getSpec().configFrom();
                    if (name == null) {
                        return Result.done();
                    }
                    ObjectKey key = ObjectKey.of(reconciliation.key().namespace(), name);
                    Optional<ConfigMap> settings = reconciliation.tracker().find(ConfigMap.class, key);
                    if (settings.isEmpty()) {
                        ConditionManager conditions = CONDITIONS.manage(reconciliation, broker);
                        conditions.markFalse(CONFIGURED, "SettingsMissing", "there is no ConfigMap \"%s\"", name);
                        return Result.halted();
                    }
                    reconciliation.stash().put(SETTINGS, settings.get());
                    return Result.done();
                })
                .build();
    }

    /** Returns the configuration that the servers read when they start. */
    private static Part<Broker> config() {
        return ChildReconciler.of(Broker.class, ConfigMap.class)
                .name("Config")
                .desired((reconciliation, broker) -> Optional.of(new ConfigMapBuilder()
                        .withMetadata(metadata(broker, "-config"))
                        .addToData("broker.properties", properties(reconciliation, broker))
                        .build()))
                .fieldManager(FIELD_MANAGER)
                .reflect((reconciliation, broker, result) -> {
                    ConditionManager conditions = CONDITIONS.manage(reconciliation, broker);
                    if (result.error().isPresent()) {
                        conditions.markFalse(CONFIGURED, result.reason(), result.message());
                    } else {
                        conditions.markTrue(CONFIGURED, "Configured");
                    }
                })
                .build();
    }

    /** Manages the Service by which the servers find each other. */
    private static Part<Broker> peers() {
        return ChildReconciler.of(Broker.class, Service.class)
                .name("Peers")
                .ours(BrokerReconciler::isForPeers)
                .desired((reconciliation, broker) -> Optional.of(new ServiceBuilder()
                        .withMetadata(metadata(broker, ""))
                        .withNewSpec()
                        .withClusterIP("None")
                        .withPublishNotReadyAddresses(true)
                        .withSelector(labels(broker))
                        .addNewPort()
                        .withName("peers")
                        .withPort(PEER_PORT)
                        .withProtocol("TCP")
                        .withNewTargetPort(PEER_PORT)
                        .endPort()
                        .endSpec()
                        .build()))
                .merge((actual, desired) -> {
                    actual.getMetadata().setLabels(desired.getMetadata().getLabels());
                    actual.getSpec().setPublishNotReadyAddresses(true);
                    actual.getSpec().setSelector(desired.getSpec().getSelector());
                    actual.getSpec().setPorts(desired.getSpec().getPorts());
                })
                .build();
    }

    private static boolean isForPeers(Broker broker, Service service) {
        return service.getMetadata().getName().equals(broker.getMetadata().getName());
    }

    /** Manages the Services by which clients find the servers, one for each listener. */
    private static Part<Broker> listeners() {
        return ChildSetReconciler.of(Broker.class, Service.class)
                .name("Listeners")
                .ours((broker, service) -> !isForPeers(broker, service))
                .identify(service -> service.getMetadata().getName())
                .desired((reconciliation, broker) -> broker.getSpec().listeners().stream()
                        .map(listener -> service(broker, listener))
                        .toList())
                .fieldManager(FIELD_MANAGER)
                .reflect(BrokerReconciler::reflectListeners)
                .build();
    }

    private static Service service(Broker broker, Listener listener) {
        return new ServiceBuilder()
                .withMetadata(metadata(broker, "-" + listener.name()))
                .withNewSpec()
                .withType(listener.external() ? "LoadBalancer" : "ClusterIP")
                .withSelector(labels(broker))
                .addNewPort()
                .withName(listener.name())
                .withPort(listener.port())
                .withProtocol("TCP")
                .withNewTargetPort(listener.port())
                .endPort()
                .endSpec()
                .build();
    }

    private static void reflectListeners(
            Reconciliation<Broker> reconciliation, Broker broker, ChildSetReconciler.ChildSetResult<Service> result) {
        List<String> addresses = new ArrayList<>();
        List<String> pending = new ArrayList<>();
        for (Listener listener : broker.getSpec().listeners()) {
            String address = result.of(broker.getMetadata().getName() + "-" + listener.name())
                    .flatMap(ChildReconciler.ChildResult::child)
                    .flatMap(service -> host(listener, service))
                    .map(host -> host + ":" + listener.port())
                    .orElse("");
            addresses.add(address);
            if (address.isEmpty()) {
                pending.add(listener.name());
            }
        }
        broker.getStatus().setAddresses(addresses);
        ConditionManager conditions = CONDITIONS.manage(reconciliation, broker);
        if (result.error().isPresent()) {
            conditions.markFalse(REACHABLE, "ListenerFailed", result.message());
        } else if (!pending.isEmpty()) {
            conditions.markUnknown(REACHABLE, "AddressPending", "no address yet: %s", String.join(", ", pending));
        } else {
            conditions.markTrue(REACHABLE, "Reachable");
        }
    }

    /** Returns the host of a listener; empty while it has no address. */
    private static Optional<String> host(Listener listener, Service service) {
        if (!listener.external()) {
            return Optional.of(service.getMetadata().getName() + "."
                    + service.getMetadata().getNamespace() + ".svc");
        }
        return Optional.ofNullable(service.getStatus())
                .map(status -> status.getLoadBalancer())
                .flatMap(balancer -> balancer.getIngress().stream().findFirst())
                .map(ingress -> Objects.requireNonNullElse(ingress.getHostname(), ingress.getIp()));
    }

    private static Part<Broker> servers() {
        return ChildReconciler.of(Broker.class, StatefulSet.class)
                .name("Servers")
                .desired((reconciliation, broker) -> Optional.of(statefulSet(reconciliation, broker)))
                .manager(ObjectManager.applying(StatefulSet.class, FIELD_MANAGER)
                        .harmonizeImmutableFields(BrokerReconciler::keepVolumes))
                .reflect((reconciliation, broker, result) -> {
                    int wanted = broker.getSpec().replicas();
                    Optional<StatefulSetStatus> status = result.child().map(StatefulSet::getStatus);
                    int ready = status.map(StatefulSetStatus::getReadyReplicas).orElse(0);
                    broker.getStatus().setReplicas(ready);
                    ConditionManager conditions = CONDITIONS.manage(reconciliation, broker);
                    if (result.error().isPresent()) {
                        conditions.markFalse(SERVING, result.reason(), result.message());
                    } else if (ready < wanted) {
                        conditions.markFalse(SERVING, "ServersNotReady", "%d of %d servers are ready", ready, wanted);
                    } else {
                        conditions.markTrue(SERVING, "ServersReady");
                    }
                })
                .build();
    }

    /** Keeps the volumes of an existing StatefulSet, which cannot be changed. */
    private static void keepVolumes(StatefulSet actual, StatefulSet desired) {
        volume(desired).setResources(volume(actual).getResources());
    }

    private static PersistentVolumeClaimSpec volume(StatefulSet servers) {
        return servers.getSpec().getVolumeClaimTemplates().getFirst().getSpec();
    }

    private static StatefulSet statefulSet(Reconciliation<Broker> reconciliation, Broker broker) {
        BrokerSpec spec = broker.getSpec();
        String name = broker.getMetadata().getName();
        return new StatefulSetBuilder()
                .withMetadata(metadata(broker, ""))
                .withNewSpec()
                .withReplicas(spec.replicas())
                .withServiceName(name)
                .withNewSelector()
                .withMatchLabels(labels(broker))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels(broker))
                // another configuration changes the template, so that the servers are restarted
                .addToAnnotations(Checksum.ANNOTATION, Checksum.of(properties(reconciliation, broker)))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("broker")
                .withImage(spec.image())
                .addNewVolumeMount()
                .withName("config")
                .withMountPath("/etc/broker")
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("data")
                .withMountPath("/var/lib/broker")
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("config")
                .withNewConfigMap()
                .withName(name + "-config")
                .endConfigMap()
                .endVolume()
                .endSpec()
                .endTemplate()
                .addNewVolumeClaimTemplate()
                .withNewMetadata()
                .withName("data")
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity(spec.gigabytes() + "Gi"))
                .endResources()
                .endSpec()
                .endVolumeClaimTemplate()
                .endSpec()
                .build();
    }

    /** Returns the settings and the listeners, as the servers read them. */
    private static String properties(Reconciliation<Broker> reconciliation, Broker broker) {
        Map<String, String> properties = new TreeMap<>(
                reconciliation.stash().get(SETTINGS).map(ConfigMap::getData).orElse(Map.of()));
        for (Listener listener : broker.getSpec().listeners()) {
            properties.put("listener." + listener.name(), ":" + listener.port());
        }
        return properties.entrySet().stream().map(line -> line + "\n").collect(joining());
    }

    private static ObjectMeta metadata(Broker broker, String suffix) {
        return new ObjectMetaBuilder()
                .withNamespace(broker.getMetadata().getNamespace())
                .withName(broker.getMetadata().getName() + suffix)
                .withLabels(labels(broker))
                .build();
    }

    private static Map<String, String> labels(Broker broker) {
        return Map.of(BROKER, broker.getMetadata().getName());
    }
}
