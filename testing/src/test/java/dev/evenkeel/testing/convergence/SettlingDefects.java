package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.living;
import static dev.evenkeel.testing.convergence.Gardening.say;

import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.simulation.fault.FaultKind;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Defects of reconcilers that never settle, or that change what need not change. */
final class SettlingDefects {
    private SettlingDefects() {}

    static List<Defect> all() {
        return List.of(
                Defect.of(
                                "strimzi/strimzi-kafka-operator 13079",
                                "sets the transition time of a condition that does not change",
                                1,
                                condition(false))
                        .right(condition(true)),
                Defect.of(
                                "prometheus-operator/prometheus-operator 2950",
                                "compares with defaults that the server has set, and re-creates the child each time",
                                1,
                                defaults(Object::equals))
                        .right(defaults((wanted, present) -> wanted.getSpec()
                                .getSelector()
                                .equals(present.getSpec().getSelector()))),
                Defect.of(
                                "stacklok/toolhive 5064",
                                "writes a list in an order that differs from process to process",
                                50,
                                ordered(false))
                        .right(ordered(true)),
                Defect.of("arkmq-org/arkmq-org-broker-operator 121", "counts revisions in memory", 50, revisions(false))
                        .right(revisions(true)),
                Defect.of(
                                "OT-CONTAINER-KIT/redis-operator 488",
                                "changes a field that is immutable",
                                1,
                                immutable(Garden::crop))
                        .right(immutable(Garden::name)),
                Defect.of(
                                "quay/quay-operator 1239",
                                "takes the former state of a rollout for that of the present one",
                                1,
                                rolledOut((app, crop) -> !ready(app).isEmpty()))
                        .right(rolledOut((app, crop) -> ready(app).equals(crop) && Beds.isOf(app, crop))));
    }

    /**
     * strimzi-kafka-operator issue 13079 (the same: rabbitmq/messaging-topology-operator 250, stackabletech/operator-rs 1032,
     * openshift/cluster-logging-operator 2315): each reconciliation writes the present time, which triggers the next one.
     */
    private static Convergence<?> condition(boolean keeps) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            Gardening.ensureChild(reconciliation, garden, "eden-beds");
            String since = garden.state().child();
            boolean changes = !garden.state().phase().equals("Planted");
            String now = reconciliation.clock().instant().toString();
            say(reconciliation, garden, "Planted", keeps && !changes ? since : now);
        }));
    }

    /**
     * prometheus-operator issue 2950 (similar: 4519, 5067): the child differs from the wanted one in what the server has
     * filled in; the operator deletes it and creates it again, without end.
     *
     * @param same whether the wanted and the present child are the same
     */
    private static Convergence<?> defaults(BiPredicate<Service, Service> same) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            Service wanted = new ServiceBuilder()
                    .withMetadata(Beds.owned(garden, "eden").getMetadata())
                    .withNewSpec()
                    .withSelector(Map.of("crop", garden.crop()))
                    .addNewPort()
                    .withPort(80)
                    .endPort()
                    .endSpec()
                    .build();
            Optional<Service> present = reconciliation.client().find(Service.class, Beds.key("eden"));
            if (present.isPresent() && same.test(wanted, present.get())) {
                return;
            }
            present.ifPresent(service -> reconciliation.client().delete(service));
            var unused = reconciliation.client().create(wanted);
        });
        return Beds.pears(
                Beds.eden(Convergence.of(() -> Gardening.controller(reconciler).owns(Service.class))));
    }

    /**
     * stacklok/toolhive pull request 5064 (the same: cortexlabs/cortex 2411, openshift-knative/serverless-operator 910,
     * stackabletech/airflow-operator 371): the variables come out of a hash map, in an order that each process draws.
     */
    private static Convergence<?> ordered(boolean sorts) {
        return Gardening.cluster(Convergence.outside(clock -> new AtomicInteger(), starts -> "")
                .controller(starts -> {
                    List<String> map = starts.incrementAndGet() % 2 == 0 ? List.of("B", "A") : List.of("A", "B");
                    return Gardening.controller(living((reconciliation, garden) -> {
                        String variables =
                                String.join(",", sorts ? map.stream().sorted().toList() : map);
                        Map<String, String> wanted = Map.of("crop", garden.crop(), "variables", variables);
                        Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
                        ConfigMap child = new ConfigMapBuilder(present.orElseGet(() -> Beds.owned(garden, "eden-beds")))
                                .withData(wanted)
                                .build();
                        if (present.isEmpty()) {
                            Beds.create(reconciliation, child);
                        } else if (!wanted.equals(present.get().getData())) {
                            reconciliation.client().update(child);
                        }
                    }));
                }));
    }

    /**
     * arkmq-org-broker-operator issue 121 (similar: sky-uk/cassandra-operator 7): what is rolled out is known from memory; a
     * restarted operator begins again, and restarts what runs.
     */
    private static Convergence<?> revisions(boolean fromGeneration) {
        record Revision(String crop, int number) {}
        return Gardening.cluster(Convergence.of(() -> {
            Map<String, Revision> known = new HashMap<>();
            return Gardening.controller(living((reconciliation, garden) -> {
                Revision before = known.getOrDefault("eden", new Revision("", 0));
                Revision now =
                        before.crop().equals(garden.crop()) ? before : new Revision(garden.crop(), before.number() + 1);
                known.put("eden", now);
                String revision = fromGeneration ? "" + garden.generation() : "" + now.number();
                Map<String, String> wanted = Map.of("crop", garden.crop(), "revision", revision);
                Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
                ConfigMap child = new ConfigMapBuilder(present.orElseGet(() -> Beds.owned(garden, "eden-beds")))
                        .withData(wanted)
                        .build();
                if (present.isEmpty()) {
                    Beds.create(reconciliation, child);
                } else if (!wanted.equals(present.get().getData())) {
                    reconciliation.client().update(child);
                }
            }));
        }));
    }

    /**
     * OT-CONTAINER-KIT/redis-operator issue 488 (the same: rajsinghtech/garage-operator 230, operator-framework/java-operator-sdk
     * 2241): labels of the user are part of the selector, which cannot change; each update is refused.
     *
     * @param label returns the value of the selector
     */
    private static Convergence<?> immutable(Function<Garden, String> label) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            Map<String, String> labels = Map.of("garden", label.apply(garden));
            StatefulSet wanted = new StatefulSetBuilder()
                    .withMetadata(Beds.owned(garden, "eden").getMetadata())
                    .withNewSpec()
                    .withServiceName("eden")
                    .withReplicas(garden.getSpec().beds())
                    .withNewSelector()
                    .withMatchLabels(labels)
                    .endSelector()
                    .withNewTemplate()
                    .withNewMetadata()
                    .withLabels(labels)
                    .addToAnnotations("crop", garden.crop())
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("garden")
                    .withImage("garden")
                    .endContainer()
                    .endSpec()
                    .endTemplate()
                    .endSpec()
                    .build();
            Optional<StatefulSet> present = reconciliation.client().find(StatefulSet.class, Beds.key("eden"));
            if (present.isEmpty()) {
                var unused = reconciliation.client().create(wanted);
            } else if (!Objects.equals(
                    wanted.getSpec().getTemplate().getMetadata().getAnnotations(),
                    present.get().getSpec().getTemplate().getMetadata().getAnnotations())) {
                wanted.getMetadata()
                        .setResourceVersion(present.get().getMetadata().getResourceVersion());
                reconciliation.client().update(wanted);
            }
        });
        return Beds.pears(
                Beds.eden(Convergence.of(() -> Gardening.controller(reconciler).owns(StatefulSet.class))));
    }

    /**
     * quay/quay-operator pull request 1239 (the same: openshift/cluster-ingress-operator 811): the rollout counts as complete
     * although its status is still that of the former generation, and what the running pods need is deleted.
     *
     * @param done whether the rollout of an app is complete, by the app and what is wanted
     */
    private static Convergence<?> rolledOut(BiPredicate<ConfigMap, String> done) {
        Reconciler<Garden> rollout = living((reconciliation, garden) -> Beds.find(reconciliation, "eden-app")
                .filter(app -> !ready(app).equals(app.getData().get("crop")))
                .ifPresent(app -> Beds.merge(
                        reconciliation,
                        ConfigMap.class,
                        "eden-app",
                        "{\"metadata\":{\"annotations\":{\"ready\":\""
                                + app.getData().get("crop") + "\"}}}")));
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            String config = "eden-config-" + garden.crop();
            Gardening.ensureChild(reconciliation, garden, config);
            Gardening.ensureChild(reconciliation, garden, "eden-app");
            Beds.find(reconciliation, "eden-app")
                    .filter(app -> done.test(app, garden.crop()))
                    .ifPresent(app -> Beds.present(reconciliation)
                            .map(child -> child.getMetadata().getName())
                            .filter(name -> name.startsWith("eden-config-") && !name.equals(config))
                            .forEach(name -> Beds.delete(reconciliation, name)));
        });
        return Gardening.inCluster(reconciler)
                .controller(outside -> Gardening.controller(rollout).name("rollout"))
                .without(FaultKind.UNDO, FaultKind.DELETE)
                .always(
                        "what runs has its configuration",
                        client -> client.find(ConfigMap.class, Beds.key("eden-app"))
                                .map(SettlingDefects::ready)
                                .filter(ready -> !ready.isEmpty())
                                .map(ready -> Beds.exists(client, "eden-config-" + ready))
                                .orElse(true));
    }

    private static String ready(ConfigMap app) {
        Map<String, String> annotations = app.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault("ready", "");
    }
}
