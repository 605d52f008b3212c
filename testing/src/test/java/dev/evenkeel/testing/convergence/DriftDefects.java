package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.KEY;
import static dev.evenkeel.testing.convergence.Gardening.LABEL;
import static dev.evenkeel.testing.convergence.Gardening.living;
import static dev.evenkeel.testing.convergence.Gardening.say;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Defects of reconcilers whose result depends on the way: what was before stays, or what changes is not noticed. */
final class DriftDefects {
    private DriftDefects() {}

    static List<Defect> all() {
        return List.of(
                Defect.of(
                                "apache/solr-operator 673",
                                "leaves the child of a feature that was disabled",
                                50,
                                feature(false))
                        .right(feature(true)),
                Defect.of(
                                "rabbitmq/cluster-operator 968",
                                "adds labels to the child, and never removes former ones",
                                50,
                                labels(false))
                        .right(labels(true)),
                Defect.of(
                                "kubernetes/kubernetes 22909",
                                "selects its children by a label that changes, and loses the former ones",
                                50,
                                selected("{crop}"))
                        .right(selected("")),
                Defect.of(
                                "pravega/zookeeper-operator 454",
                                "does not roll out a changed configuration",
                                50,
                                configured(false, DriftDefects::watching))
                        .right(configured(true, DriftDefects::watching)),
                Defect.of(
                        "authzed/spicedb-operator 39",
                        "does not watch the secret from which the child is made",
                        1,
                        configured(true, controller -> controller.reads(Secret.class))),
                Defect.of(
                                "cloudnative-pg/cloudnative-pg 10985",
                                "takes a terminating child for the new one",
                                50,
                                terminating(true))
                        .right(terminating(false)),
                Defect.of(
                        "stacklok/toolhive 6343", "takes its own status for the state of the children", 50, byStatus()),
                Defect.of("redpanda-data/redpanda 980", "logs an error, and does not retry", 50, logged()),
                Defect.of("zalando/postgres-operator 895", "gives up after the first failure", 50, givenUp()),
                Defect.of(
                                "VictoriaMetrics/operator 2438",
                                "reports success if the last of several children succeeds",
                                50,
                                several(false))
                        .right(several(true)));
    }

    /**
     * apache/solr-operator issue 673 (the same: open-telemetry/opentelemetry-operator 2651, grafana/grafana-operator 906,
     * knative/operator 1157): nothing deletes the ingress when the specification no longer has one.
     */
    private static Convergence<?> feature(boolean deletes) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            if (garden.crop().equals("apples")) {
                Gardening.ensureChild(reconciliation, garden, "eden-ingress");
            } else if (deletes) {
                Gardening.cached(reconciliation, "eden-ingress")
                        .filter(child -> Beds.isMine(garden, child))
                        .ifPresent(child -> Gardening.deleteQuietly(reconciliation, child));
            }
        }));
    }

    /** rabbitmq/cluster-operator issue 968: annotations of the service are merged with those that it has. */
    private static Convergence<?> labels(boolean removes) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
            Map<String, String> wanted = new HashMap<>(Map.of(LABEL, garden.name(), "crop/" + garden.crop(), "yes"));
            if (present.isEmpty()) {
                ConfigMap child = Beds.owned(garden, "eden-beds");
                child.getMetadata().setLabels(wanted);
                child.setData(Map.of());
                Beds.create(reconciliation, child);
                return;
            }
            Map<String, String> labels = present.get().getMetadata().getLabels();
            Map<String, String> result = new HashMap<>(labels);
            if (removes) {
                result.keySet().removeIf(label -> label.startsWith("crop/"));
            }
            result.putAll(wanted);
            if (!result.equals(labels)) {
                ConfigMap changed = present.get();
                changed.getMetadata().setLabels(result);
                reconciliation.client().update(changed);
            }
        }));
    }

    /**
     * kubernetes/kubernetes issue 22909: pods that the changed selector no longer selects are nobody's, and others are
     * created.
     *
     * @param selector further label of the children; crop in braces is replaced
     */
    private static Convergence<?> selected(String selector) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            String label = selector.replace("{crop}", garden.crop());
            LabelSelector mine = LabelSelector.parse(LABEL + "=eden,set=" + label);
            List<ConfigMap> present = reconciliation
                    .client()
                    .list(ConfigMap.class, ListOptions.in("default").labels(mine))
                    .items();
            present.stream()
                    .skip(garden.getSpec().beds())
                    .forEach(child -> Gardening.deleteQuietly(reconciliation, child));
            for (int i = present.size(); i < garden.getSpec().beds(); i++) {
                ConfigMap child = Gardening.generated(garden);
                child.getMetadata().setLabels(Map.of(LABEL, "eden", "set", label));
                child.setData(Map.of());
                Beds.create(reconciliation, child);
            }
        }));
    }

    private static final Secret CONFIGURATION = new SecretBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("configuration")
            .endMetadata()
            .withData(Map.of("water", "b25jZQ=="))
            .build();

    private static Controller<Garden> watching(Controller<Garden> controller) {
        return controller.watches(Secret.class, Mapper.of("configuration", secret -> Stream.of(KEY)));
    }

    /**
     * pravega/zookeeper-operator issue 454: the configuration changes, and what runs with it does not. authzed/spicedb-operator
     * issue 39: the secret changes, and nothing triggers the controller.
     */
    private static Convergence<?> configured(boolean compares, UnaryOperator<Controller<Garden>> how) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            Map<String, String> wanted = reconciliation
                    .client()
                    .get(Secret.class, Beds.key("configuration"))
                    .getData();
            Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
            ConfigMap child = Beds.owned(garden, "eden-beds");
            child.setData(wanted);
            if (present.isEmpty()) {
                Beds.create(reconciliation, child);
            } else if (compares && !wanted.equals(present.get().getData())) {
                ConfigMap changed = present.get();
                changed.setData(wanted);
                reconciliation.client().update(changed);
            }
        });
        return Beds.eden(Convergence.of(() -> how.apply(Gardening.controller(reconciler))))
                .given(Given.of(CONFIGURATION))
                .edit(
                        "more water",
                        client -> client.patch(
                                Kind.of(Secret.class),
                                Beds.key("configuration"),
                                Patch.merge("{\"data\":{\"water\":\"dHdpY2U=\"}}"),
                                WriteOptions.DEFAULT));
    }

    /**
     * cloudnative-pg issue 10985: a claim is created again while the former one is terminating; that it exists counts as
     * success, and then it is gone.
     */
    private static Convergence<?> terminating(boolean ignoresExisting) {
        return Beds.pears(Beds.edenInUse(living((reconciliation, garden) -> {
            if (garden.state().observedGeneration() == garden.generation()) {
                Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
                if (ignoresExisting || present.isPresent()) {
                    return;
                }
            }
            Beds.find(reconciliation, "eden-beds")
                    .filter(child -> !Beds.isOf(child, garden.crop()))
                    .ifPresent(child -> Gardening.deleteQuietly(reconciliation, child));
            try {
                Beds.create(reconciliation, Beds.inUse(garden, "eden-beds"));
            } catch (AlreadyExistsException e) {
                boolean exists = Beds.find(reconciliation, "eden-beds")
                        .filter(child -> Beds.isOf(child, garden.crop()) && !child.isMarkedForDeletion())
                        .isPresent();
                if (!ignoresExisting && !exists) {
                    throw e;
                }
            }
            say(reconciliation, garden, "Planted", "");
        })));
    }

    /**
     * stacklok/toolhive issue 6343 (the same: Twingate/kubernetes-operator 161, karmada-io/karmada 6542): a child that was
     * deleted is not created again, since the status says that all is well.
     */
    private static Convergence<?> byStatus() {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            if (garden.state().observedGeneration() != garden.generation()) {
                Gardening.ensureChild(reconciliation, garden, "eden-beds");
                say(reconciliation, garden, "Planted", "");
            }
        }));
    }

    /**
     * redpanda-data/redpanda pull request 980 (the same: GoogleCloudPlatform/flink-on-k8s-operator 33, humio/humio-operator
     * 530): the error of a child is logged, and the reconciliation ends without one.
     */
    private static Convergence<?> logged() {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            try {
                Gardening.ensureChild(reconciliation, garden, "eden-beds");
            } catch (ApiException e) {
                // logged
            }
        }));
    }

    /** zalando/postgres-operator issue 895: the status says that the creation has failed, and then it is not attempted. */
    private static Convergence<?> givenUp() {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            if (garden.state().phase().equals("CreateFailed")) {
                return;
            }
            try {
                Gardening.ensureChild(reconciliation, garden, "eden-beds");
                say(reconciliation, garden, "Planted", "");
            } catch (ApiException e) {
                say(reconciliation, garden, "CreateFailed", "");
            }
        }));
    }

    /**
     * VictoriaMetrics/operator pull request 2438: errors of single children are logged, and the generation is recorded as
     * done.
     */
    private static Convergence<?> several(boolean all) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            List<String> names = List.of("eden-apples", "eden-service", "eden-route");
            boolean complete = names.stream()
                    .allMatch(name -> Gardening.cached(reconciliation, name).isPresent());
            if (garden.state().observedGeneration() == garden.generation() && (complete || !all)) {
                return;
            }
            Optional<ApiException> error = Optional.empty();
            for (String name : names) {
                Optional<ApiException> failed = attempt(reconciliation, garden, name);
                error = all && failed.isEmpty() ? error : failed;
            }
            error.ifPresent(failure -> {
                throw failure;
            });
            say(reconciliation, garden, "Planted", "");
        }));
    }

    private static Optional<ApiException> attempt(Reconciliation<Garden> reconciliation, Garden garden, String name) {
        try {
            if (Gardening.cached(reconciliation, name).isEmpty()) {
                Beds.create(
                        reconciliation,
                        new ConfigMapBuilder(Beds.owned(garden, name))
                                .withData(Map.of())
                                .build());
            }
            return Optional.empty();
        } catch (ApiException e) {
            return Optional.of(e);
        }
    }
}
