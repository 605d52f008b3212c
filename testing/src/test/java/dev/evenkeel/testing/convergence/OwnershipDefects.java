package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.KEY;
import static dev.evenkeel.testing.convergence.Gardening.addFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.both;
import static dev.evenkeel.testing.convergence.Gardening.living;
import static dev.evenkeel.testing.convergence.Gardening.removeFinalizer;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.DeleteOptions.Propagation;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Defects of reconcilers that write what belongs to others: other users, controllers and siblings. */
final class OwnershipDefects {
    private OwnershipDefects() {}

    static List<Defect> all() {
        return List.of(
                Defect.of(
                                "FoundationDB/fdb-kubernetes-operator 175",
                                "replaces all annotations of an object that others annotate, too",
                                50,
                                annotated((all, own) -> {
                                    all.clear();
                                    all.putAll(own);
                                }))
                        .right(annotated(Map::putAll)),
                Defect.of(
                                "karmada-io/karmada 7208",
                                "retries after a conflict with the annotations of before",
                                50,
                                retried(false))
                        .right(retried(true)),
                Defect.of(
                                "kubernetes-sigs/cluster-api 6773",
                                "writes the whole specification to add a label, and reverts what the user has changed",
                                50,
                                labelled(true))
                        .right(labelled(false)),
                Defect.of(
                                "defilantech/LLMKube 485",
                                "resets the replicas that an autoscaler has set",
                                1,
                                autoscaled(true))
                        .right(autoscaled(false)),
                Defect.of(
                        "cert-manager/cert-manager 5074", "lets two objects overwrite one secret in turn", 1, shared()),
                Defect.of(
                                "Kuadrant/authorino-operator 348",
                                "names a cluster-scoped child without the namespace of its object",
                                1,
                                bound(Garden::name))
                        .right(bound(garden -> garden.getMetadata().getNamespace() + "." + garden.name())),
                Defect.of(
                                "operator-framework/operator-lifecycle-manager 1629",
                                "names children by their content, which siblings have in common",
                                1,
                                siblings(Garden::crop))
                        .right(siblings(garden -> garden.name() + "-" + garden.crop())),
                Defect.of(
                                "keycloak/keycloak 12590",
                                "deletes an object of another owner by name when a feature is disabled",
                                1,
                                disabled(false))
                        .right(disabled(true)),
                Defect.of(
                                "kubernetes/ingress-gce 537",
                                "truncates the names of children, so that those of two objects are equal",
                                1,
                                truncated(garden -> garden.name().substring(0, 8)))
                        .right(truncated(Garden::name)),
                Defect.of(
                                "ai-dynamo/dynamo 14169",
                                "does not own again what was orphaned",
                                1,
                                ownedAgain(false, OwnershipDefects::orphaned))
                        .right(ownedAgain(true, OwnershipDefects::orphaned)),
                Defect.of(
                                "kubernetes-sigs/cluster-api 7575",
                                "does not restore an owner reference that was removed",
                                1,
                                ownedAgain(false, OwnershipDefects::restored))
                        .right(ownedAgain(true, OwnershipDefects::restored)));
    }

    /** An object of a user that exists before. */
    private static final ConfigMap POD = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("pod")
            .endMetadata()
            .build();

    private static Map<String, String> annotations(ConfigMap map) {
        Map<String, String> annotations = map.getMetadata().getAnnotations();
        return annotations == null ? new HashMap<>() : new HashMap<>(annotations);
    }

    /**
     * FoundationDB/fdb-kubernetes-operator issue 175: the annotations of pods become those of the template; those of other
     * controllers are lost.
     *
     * @param add adds the controller's own annotations to those of the object
     */
    private static Convergence<?> annotated(BiConsumer<Map<String, String>, Map<String, String>> add) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
                    ConfigMap pod = reconciliation.client().get(ConfigMap.class, ObjectKey.of(POD));
                    Map<String, String> annotations = annotations(pod);
                    if (!garden.crop().equals(annotations.get("crop"))) {
                        add.accept(annotations, Map.of("crop", garden.crop()));
                        pod.getMetadata().setAnnotations(annotations);
                        reconciliation.client().update(pod);
                    }
                }))
                .ignoring("metadata.annotations.crop")
                .given(Given.of(POD));
    }

    /**
     * karmada-io/karmada pull request 7208: the annotations are computed before the loop that retries conflicts; the second
     * attempt writes them into the new version of the object.
     */
    private static Convergence<?> retried(boolean again) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
                    ConfigMap first = reconciliation.client().get(ConfigMap.class, ObjectKey.of(POD));
                    if (!garden.crop().equals(annotations(first).get("crop"))) {
                        Map<String, String> before = annotations(first);
                        for (int attempt = 0; attempt < 5; attempt++) {
                            ConfigMap pod = reconciliation.client().get(ConfigMap.class, ObjectKey.of(POD));
                            Map<String, String> annotations = again ? annotations(pod) : before;
                            annotations.put("crop", garden.crop());
                            pod.getMetadata().setAnnotations(annotations);
                            try {
                                reconciliation.client().update(pod);
                                return;
                            } catch (ConflictException e) {
                                // another attempt
                            }
                        }
                    }
                }))
                .ignoring("metadata.annotations.crop")
                .given(Given.of(POD));
    }

    /**
     * kubernetes-sigs/cluster-api pull request 6773: the topology controller applies the cluster as it has read it; a change
     * that the user makes meanwhile is reverted.
     */
    private static Convergence<?> labelled(boolean whole) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            Map<String, String> labels = garden.getMetadata().getLabels();
            if (labels == null || !labels.containsKey("topology")) {
                String label = "\"metadata\":{\"labels\":{\"topology\":\"yes\"}}";
                String spec = ",\"spec\":{\"crop\":\"" + garden.crop() + "\"}";
                Beds.merge(reconciliation, Garden.class, "eden", "{" + label + (whole ? spec : "") + "}");
            }
        }));
    }

    /**
     * defilantech/LLMKube pull request 485 (the same: apache/superset-kubernetes-operator 151, knative/operator 1200,
     * druid-io/druid-operator 160): the specification of the deployment is replaced, with the number of replicas that an
     * autoscaler has set.
     */
    private static Convergence<?> autoscaled(boolean resets) {
        Reconciler<Garden> autoscaler = living((reconciliation, garden) -> Beds.find(reconciliation, "eden-beds")
                .filter(child -> !"3".equals(child.getData().get("replicas")))
                .ifPresent(child ->
                        Beds.merge(reconciliation, ConfigMap.class, "eden-beds", "{\"data\":{\"replicas\":\"3\"}}")));
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
            Map<String, String> wanted = new HashMap<>(Map.of("crop", garden.crop(), "replicas", "1"));
            if (!resets && present.isPresent()) {
                wanted.put("replicas", present.get().getData().getOrDefault("replicas", "1"));
            }
            ConfigMap child = present.orElseGet(() -> Beds.owned(garden, "eden-beds"));
            boolean differs = !wanted.equals(child.getData());
            child.setData(wanted);
            if (present.isEmpty()) {
                Beds.create(reconciliation, child);
            } else if (differs) {
                reconciliation.client().update(child);
            }
        });
        return Gardening.inCluster(reconciler)
                .controller(outside -> Gardening.controller(autoscaler).name("autoscaler"));
    }

    /**
     * cert-manager issue 5074 (and 6149): two certificates name the same secret, and each finds that it has the certificate
     * of the other.
     */
    private static Convergence<?> shared() {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            Secret wanted = new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName(garden.crop())
                    .endMetadata()
                    .withType(garden.name())
                    .withStringData(Map.of("issuer", garden.name()))
                    .build();
            wanted.setType("Opaque");
            Optional<Secret> present = reconciliation.client().find(Secret.class, Beds.key(garden.crop()));
            wanted.getMetadata().setLabels(Map.of("issuer", garden.name()));
            if (present.isEmpty()
                    || !wanted.getMetadata()
                            .getLabels()
                            .equals(present.get().getMetadata().getLabels())) {
                reconciliation.client().apply(wanted, WriteOptions.DEFAULT.force(true));
            }
        });
        return Beds.eden(Convergence.of(() -> Controller.of(Garden.class, reconciler)
                        .watches(Secret.class, Mapper.of("all", secret -> Stream.of(KEY, Beds.key("rosary"))))))
                .given(Given.of(Garden.of("rosary", "apples", 2)));
    }

    /**
     * Kuadrant/authorino-operator issue 348: two instances of one name in two namespaces have the same cluster role binding,
     * and each evicts the other's account.
     *
     * @param name returns the name of the binding
     */
    private static Convergence<?> bound(Function<Garden, String> name) {
        Garden other = Garden.of("eden", "apples", 2);
        other.getMetadata().setNamespace("park");
        Namespace park = new NamespaceBuilder()
                .withNewMetadata()
                .withName("park")
                .endMetadata()
                .build();
        Reconciler<Garden> reconciler = both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    Beds.requireWanted(reconciliation, held);
                    ObjectKey key = ObjectKey.of("", name.apply(held));
                    ClusterRoleBinding wanted = new ClusterRoleBindingBuilder()
                            .withNewMetadata()
                            .withName(key.name())
                            .endMetadata()
                            .addNewSubject(
                                    "",
                                    "ServiceAccount",
                                    "eden",
                                    held.getMetadata().getNamespace())
                            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "view")
                            .build();
                    Optional<ClusterRoleBinding> present =
                            reconciliation.client().find(ClusterRoleBinding.class, key);
                    if (present.isEmpty()
                            || !wanted.getSubjects().equals(present.get().getSubjects())) {
                        reconciliation.client().apply(wanted, WriteOptions.DEFAULT.force(true));
                    }
                },
                (reconciliation, garden) -> {
                    ObjectKey key = ObjectKey.of("", name.apply(garden));
                    if (reconciliation
                            .client()
                            .find(ClusterRoleBinding.class, key)
                            .isPresent()) {
                        reconciliation.client().delete(ClusterRoleBinding.class, key);
                    }
                    removeFinalizer(reconciliation, garden);
                });
        return Beds.eden(Convergence.of(() -> Controller.of(Garden.class, reconciler)
                        .watches(
                                ClusterRoleBinding.class,
                                Mapper.of("all", binding -> Stream.of(KEY, ObjectKey.of("park", "eden"))))))
                .given(Given.of(park), Given.of(other))
                .without(FaultKind.LOSE_ANSWER);
    }

    /**
     * operator-lifecycle-manager pull request 1629: names are computed from the content, and two objects with the same
     * content share a child, which goes with the first of them.
     *
     * @param name returns the name of the child
     */
    private static Convergence<?> siblings(Function<Garden, String> name) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
                    if (Gardening.cached(reconciliation, name.apply(garden)).isEmpty()) {
                        Beds.create(reconciliation, Beds.owned(garden, name.apply(garden)));
                    }
                    Beds.present(reconciliation)
                            .filter(child -> Beds.isMine(garden, child))
                            .filter(child -> !child.getMetadata().getName().equals(name.apply(garden)))
                            .forEach(child -> Gardening.deleteQuietly(reconciliation, child));
                }))
                .given(Given.of(Garden.of("rosary", "apples", 2)))
                .without(FaultKind.UNDO, FaultKind.DELETE, FaultKind.CONFLICT);
    }

    /**
     * keycloak/keycloak issue 12590 (the same: kiali/kiali 5637, VictoriaMetrics/operator 758): without an ingress of its
     * own, the operator deletes the one with the name that its own would have.
     */
    private static Convergence<?> disabled(boolean onlyOwn) {
        return Gardening.inCluster(living((reconciliation, garden) -> Gardening.cached(reconciliation, "eden-beds")
                        .filter(child -> !onlyOwn || Beds.isMine(garden, child))
                        .ifPresent(child -> Gardening.deleteQuietly(reconciliation, child))))
                .foreign(Given.of(WrongReconcilers.foreign()));
    }

    /**
     * kubernetes/ingress-gce issue 537 (the same: argoproj-labs/argocd-agent 1024): long names are cut off, and the
     * difference between two of them is at their ends.
     *
     * @param name returns the name of the child
     */
    private static Convergence<?> truncated(Function<Garden, String> name) {
        return Convergence.of(() -> Gardening.controller(living((reconciliation, garden) -> {
                    Optional<ConfigMap> present = Gardening.cached(reconciliation, name.apply(garden));
                    if (present.isEmpty()) {
                        Beds.create(reconciliation, Beds.owned(garden, name.apply(garden)));
                    } else if (!Beds.isOf(present.get(), garden.crop())) {
                        ConfigMap changed = present.get();
                        changed.setData(Map.of("crop", garden.crop()));
                        reconciliation.client().update(changed);
                    }
                })))
                .given(
                        Given.of(Garden.of("river-side-north", "apples", 2)),
                        Given.of(Garden.of("river-side-south", "pears", 2)));
    }

    /** Whatever takes the owner from the children. */
    @FunctionalInterface
    private interface Loss {
        Convergence<?> of(Convergence<?> convergence);
    }

    /** ai-dynamo/dynamo pull request 14169: the object is deleted without its children, and created again. */
    private static Convergence<?> orphaned(Convergence<?> convergence) {
        return convergence
                .without(FaultKind.EDIT)
                .edit(
                        "deletes the garden, not the beds",
                        client -> client.delete(
                                Kind.of(Garden.class), KEY, DeleteOptions.DEFAULT.propagation(Propagation.ORPHAN)))
                .edit("creates it again", client -> Beds.createAgain(client, "apples"));
    }

    /** kubernetes-sigs/cluster-api issue 7575: owner references are lost, such as by a restored backup. */
    private static Convergence<?> restored(Convergence<?> convergence) {
        return convergence.edit(
                "removes the owner references",
                client -> client.find(ConfigMap.class, Beds.key("eden-beds"))
                        .filter(child -> client.find(Garden.class, KEY)
                                .filter(garden -> !garden.isMarkedForDeletion())
                                .isPresent())
                        .ifPresent(child -> client.patch(
                                Kind.of(ConfigMap.class),
                                Beds.key("eden-beds"),
                                Patch.merge("{\"metadata\":{\"ownerReferences\":null}}"),
                                WriteOptions.DEFAULT)));
    }

    private static Convergence<?> ownedAgain(boolean adopts, Loss loss) {
        Convergence<?> adopting = loss.of(Beds.edenByLabel(reconciliation -> {
            reconciliation.resource().ifPresent(garden -> {
                Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
                if (present.isEmpty() && !garden.isMarkedForDeletion()) {
                    Beds.create(reconciliation, Beds.owned(garden, "eden-beds"));
                } else if (present.isPresent() && adopts) {
                    adopt(reconciliation, garden, present.get());
                }
            });
            return Result.done();
        }));
        // the garden may be deleted before it owns them again
        return adopts ? adopting.outlives(ConfigMap.class) : adopting;
    }

    private static void adopt(Reconciliation<Garden> reconciliation, Garden garden, ConfigMap child) {
        if (OwnerReferences.controllerOf(child).isEmpty()) {
            Garden now = reconciliation.client().get(Garden.class, KEY);
            if (!now.getMetadata().getUid().equals(garden.getMetadata().getUid())) {
                throw new IllegalStateException("the cache is behind");
            }
            OwnerReferences.control(garden, child);
            reconciliation.client().update(child);
        }
    }
}
