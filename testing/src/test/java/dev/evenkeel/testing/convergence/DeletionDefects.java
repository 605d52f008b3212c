package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.addFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.both;
import static dev.evenkeel.testing.convergence.Gardening.living;
import static dev.evenkeel.testing.convergence.Gardening.removeFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.say;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Trigger;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Defects of clean-ups: things that stay, in the cluster and outside, and objects that are never released. */
final class DeletionDefects {
    private DeletionDefects() {}

    static List<Defect> all() {
        return List.of(
                Defect.of(
                                "zalando/postgres-operator 498",
                                "deletes children one by one when the object is gone, without a finalizer",
                                100,
                                afterwards())
                        .right(beforehand()),
                Defect.of(
                        "fluid-cloudnative/fluid 1970",
                        "ignores objects that are terminating when the process starts",
                        100,
                        ignoredAtStart()),
                Defect.of(
                                "zalando/postgres-operator 3014",
                                "is not triggered by the deletion timestamp",
                                1,
                                triggered(
                                        Trigger.changed(entry -> entry.object().getSpec())))
                        .right(triggered(Trigger.generation())),
                Defect.of(
                                "Altinity/clickhouse-operator 2056",
                                "removes its finalizer after a clean-up that has failed",
                                100,
                                cleanedUp(true))
                        .right(cleanedUp(false)),
                Defect.of(
                        "netbirdio/kubernetes-operator 191",
                        "takes a successful read for an error, and never releases the object",
                        1,
                        invertedCheck()),
                Defect.of(
                        "Kuadrant/dns-operator 267",
                        "needs credentials for the clean-up that were deleted before",
                        1,
                        credentials()),
                Defect.of(
                                "kubernetes-sigs/cluster-api-provider-cloudstack 202",
                                "cannot delete an object for which nothing was created yet",
                                50,
                                withoutId(true))
                        .right(withoutId(false)),
                Defect.of(
                                "instaclustr/cassandra-operator 398",
                                "deletes a volume only while it sees the pod of the volume",
                                400,
                                volumes(false))
                        .right(volumes(true)),
                Defect.of(
                                "zalando/postgres-operator 2538",
                                "never releases an object one of whose children was not created",
                                200,
                                missingChild(true))
                        .right(missingChild(false)),
                Defect.of(
                                "kubernetes/kubernetes 78954",
                                "forgets with a restart that something outside is no longer wanted",
                                100,
                                unwanted(false))
                        .right(unwanted(true)),
                Defect.of(
                        "kubernetes/cloud-provider-aws 1254",
                        "leaves what was created outside under a former setting",
                        1,
                        formerSetting()),
                Defect.of(
                        "kubernetes/kubernetes 13333",
                        "re-creates everything outside after a restart",
                        50,
                        recreated()),
                Defect.of(
                                "banzaicloud/koperator 685",
                                "repeats a removal outside that is done, and fails since nothing is there",
                                50,
                                removedOnce(true))
                        .right(removedOnce(false)),
                Defect.of(
                        "Azure/azure-service-operator 385",
                        "deletes the default name, whatever name was configured",
                        1,
                        defaultName()));
    }

    /**
     * zalando/postgres-operator issue 498: the children have no owner, and are deleted one after the other when the deletion
     * is seen; a process that dies in the middle leaves the rest.
     */
    private static Convergence<?> afterwards() {
        Reconciler<Garden> reconciler = reconciliation -> {
            Optional<Garden> garden = reconciliation.resource();
            for (String name : List.of("eden-service", "eden-beds")) {
                if (garden.isEmpty()) {
                    Beds.delete(reconciliation, name);
                } else if (Beds.find(reconciliation, name).isEmpty()) {
                    Beds.create(reconciliation, Beds.unowned(garden.get(), name));
                }
            }
            return Result.done();
        };
        return Beds.eden(Convergence.of(
                        () -> Controller.of(Garden.class, reconciler).reads(ConfigMap.class)))
                .without(FaultKind.UNDO, FaultKind.DELETE);
    }

    private static Convergence<?> beforehand() {
        List<String> names = List.of("eden-service", "eden-beds");
        return Beds.edenByLabel(both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    Beds.requireWanted(reconciliation, held);
                    names.stream()
                            .filter(name -> Beds.find(reconciliation, name).isEmpty())
                            .forEach(name -> Beds.create(reconciliation, Beds.unowned(held, name)));
                },
                (reconciliation, garden) -> {
                    names.forEach(name -> Beds.delete(reconciliation, name));
                    removeFinalizer(reconciliation, garden);
                }));
    }

    /**
     * fluid-cloudnative/fluid issue 1970: a restarted controller gets a terminating object as a new one, and new ones that
     * are terminating are filtered out.
     */
    private static Convergence<?> ignoredAtStart() {
        return Beds.eden(Convergence.of(() -> {
            Set<ObjectKey> known = new HashSet<>();
            return Beds.byLabel(bed()).around(reconciler -> reconciliation -> {
                boolean terminating = reconciliation
                        .resource()
                        .filter(Garden::isMarkedForDeletion)
                        .isPresent();
                boolean added = known.add(reconciliation.key());
                return added && terminating ? Result.done() : reconciler.reconcile(reconciliation);
            });
        }));
    }

    /**
     * zalando/postgres-operator issue 3014 (the same: kubernetes-sigs/node-readiness-controller 213): changes count if the
     * desired state has changed; the deletion timestamp of an object with finalizers is not part of it.
     */
    private static Convergence<?> triggered(Trigger<Garden> trigger) {
        return Beds.eden(Convergence.of(() -> Beds.byLabel(bed()).trigger(trigger)));
    }

    /** A child without an owner, held by a finalizer. */
    private static Reconciler<Garden> bed() {
        return both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    Beds.requireWanted(reconciliation, held);
                    if (Beds.find(reconciliation, "eden-beds").isEmpty()) {
                        Beds.create(reconciliation, Beds.unowned(held, "eden-beds"));
                    }
                },
                (reconciliation, garden) -> {
                    Beds.delete(reconciliation, "eden-beds");
                    removeFinalizer(reconciliation, garden);
                });
    }

    /**
     * Altinity/clickhouse-operator issue 2056 (the same: kubernetes-csi/external-snapshotter 209, openkube-hub/KubeUser 54):
     * errors of the clean-up are logged, and the finalizer is removed.
     */
    private static Convergence<?> cleanedUp(boolean ignoresErrors) {
        return Beds.edenByLabel(both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    Beds.requireWanted(reconciliation, held);
                    if (Beds.find(reconciliation, "eden-beds").isEmpty()) {
                        Beds.create(reconciliation, Beds.unowned(held, "eden-beds"));
                    }
                },
                (reconciliation, garden) -> {
                    try {
                        Beds.delete(reconciliation, "eden-beds");
                    } catch (ApiException e) {
                        if (!ignoresErrors) {
                            throw e;
                        }
                    }
                    removeFinalizer(reconciliation, garden);
                }));
    }

    /** netbirdio/kubernetes-operator issue 191: unless the child is missing, its lookup counts as failed. */
    private static Convergence<?> invertedCheck() {
        return Beds.eden(both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    Gardening.ensureChild(reconciliation, held, "eden-beds");
                },
                (reconciliation, garden) -> {
                    if (Beds.find(reconciliation, "eden-beds").isPresent()) {
                        throw new IllegalStateException("error from the API");
                    }
                    removeFinalizer(reconciliation, garden);
                }));
    }

    /**
     * Kuadrant/dns-operator issue 267: the records are deleted with credentials from a secret of the same namespace, which
     * is deleted, too.
     */
    private static Convergence<?> credentials() {
        ConfigMap credentials = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("credentials")
                .endMetadata()
                .build();
        return Beds.edenOnFarm(farm -> both(
                        (reconciliation, garden) -> {
                            Garden held = addFinalizer(reconciliation, garden);
                            if (held.state().phase().isEmpty()) {
                                farm.plant("eden", held.crop());
                                say(reconciliation, held, "Planted", "");
                            }
                        },
                        (reconciliation, garden) -> {
                            var unused = reconciliation.client().get(ConfigMap.class, ObjectKey.of(credentials));
                            farm.clear("eden");
                            removeFinalizer(reconciliation, garden);
                        }))
                .given(Given.of(credentials))
                .edit("deletes the credentials", client -> client.delete(credentials));
    }

    /**
     * cluster-api-provider-cloudstack issue 202: a machine cannot be deleted without the id of its instance, and a machine
     * whose creation has failed has none.
     */
    private static Convergence<?> withoutId(boolean needsId) {
        return Beds.edenOnFarm(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    Gardening.plant(reconciliation, held, farm);
                    say(reconciliation, held, "Planted", held.name());
                },
                (reconciliation, garden) -> {
                    if (needsId && garden.state().child().isEmpty()) {
                        throw new IllegalStateException("the id is missing");
                    }
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                }));
    }

    /**
     * instaclustr/cassandra-operator issue 398: a volume is deleted when its pod is seen to be deleted. If the pod is gone
     * when the controller looks, the volume stays.
     */
    private static Convergence<?> volumes(boolean bySize) {
        return Beds.eden(living((reconciliation, garden) -> {
                    List<String> wanted = Beds.names(garden);
                    for (String pod : wanted) {
                        Gardening.ensureChild(reconciliation, garden, pod + "-volume");
                        Gardening.ensureChild(reconciliation, garden, pod);
                    }
                    if (bySize) {
                        Beds.requireCurrent(reconciliation, garden);
                    }
                    Beds.present(reconciliation)
                            .map(child -> child.getMetadata().getName())
                            .filter(name -> bySize || !name.endsWith("-volume"))
                            .filter(name -> !wanted.contains(name.replace("-volume", "")))
                            .forEach(name -> {
                                Beds.delete(reconciliation, name);
                                if (!bySize) {
                                    Beds.delete(reconciliation, name + "-volume");
                                }
                            });
                }))
                .edit("one bed", Beds.spec("apples", 1));
    }

    /**
     * zalando/postgres-operator pull request 2538: a child that cannot be deleted is an error, also if it was never created;
     * then the finalizer is not removed.
     */
    private static Convergence<?> missingChild(boolean isAnError) {
        List<String> names = List.of("eden-set", "eden-budget");
        return Beds.eden(both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    names.forEach(name -> Gardening.ensureChild(reconciliation, held, name));
                },
                (reconciliation, garden) -> {
                    for (String name : names) {
                        if (!Beds.delete(reconciliation, name) && isAnError) {
                            throw new IllegalStateException(name + " cannot be deleted");
                        }
                    }
                    removeFinalizer(reconciliation, garden);
                }));
    }

    /**
     * kubernetes/kubernetes issue 78954: a service changes its type, and the controller restarts before it has seen that: it
     * finds a service that needs no load balancer, and skips it.
     */
    private static Convergence<?> unwanted(boolean always) {
        return Gardening.cluster(Convergence.outside(clock -> new Farm(), Farm::state)
                .controller(farm -> {
                    Set<String> balanced = new HashSet<>();
                    return Gardening.controller(both(
                            (reconciliation, garden) -> {
                                if (garden.crop().equals("apples")) {
                                    Gardening.plant(reconciliation, addFinalizer(reconciliation, garden), farm);
                                    balanced.add(garden.name());
                                } else if (always || balanced.remove(garden.name())) {
                                    farm.clear(garden.name());
                                    removeFinalizer(reconciliation, garden);
                                }
                                say(
                                        reconciliation,
                                        reconciliation.client().get(Garden.class, reconciliation.key()),
                                        "Planted",
                                        "");
                            },
                            (reconciliation, garden) -> {
                                farm.clear(garden.name());
                                removeFinalizer(reconciliation, garden);
                            }));
                }));
    }

    /**
     * kubernetes/cloud-provider-aws issue 1254 (similar: kubernetes/kubernetes 55585): load balancers of two types; an
     * annotation selects one, and when it changes, that of the other type stays.
     */
    private static Convergence<?> formerSetting() {
        Function<Garden, String> field = garden -> garden.name() + "-" + garden.crop();
        return Gardening.onFarm(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    farm.plant(field.apply(held), "trees");
                },
                (reconciliation, garden) -> {
                    farm.clear(field.apply(garden));
                    removeFinalizer(reconciliation, garden);
                }));
    }

    /**
     * kubernetes/kubernetes issue 13333: a load balancer that this process has not created is deleted and created again:
     * each restart gives all services other addresses.
     */
    private static Convergence<?> recreated() {
        return Beds.eden(Convergence.outside(clock -> new Farm(), Farm::state).controller(farm -> {
                    Map<ObjectKey, String> created = new HashMap<>();
                    return Gardening.controller(both(
                            (reconciliation, garden) -> {
                                Garden held = addFinalizer(reconciliation, garden);
                                Beds.requireWanted(reconciliation, held);
                                String field = created.get(reconciliation.key());
                                if (field == null) {
                                    farm.fields().forEach(farm::clear);
                                    field = farm.rent("trees");
                                    created.put(reconciliation.key(), field);
                                }
                                say(reconciliation, held, "Planted", field);
                            },
                            (reconciliation, garden) -> {
                                farm.fields().forEach(farm::clear);
                                created.remove(reconciliation.key());
                                removeFinalizer(reconciliation, garden);
                            }));
                }))
                .without(FaultKind.OVERTAKE);
    }

    /**
     * banzaicloud/koperator issue 685: the id of the task that removes a broker is lost, the removal is requested again, and
     * refused, since the broker does not exist any more.
     */
    private static Convergence<?> removedOnce(boolean mustExist) {
        return Beds.edenOnFarm(farm -> both(
                (reconciliation, garden) -> Gardening.plant(reconciliation, addFinalizer(reconciliation, garden), farm),
                (reconciliation, garden) -> {
                    if (mustExist && !farm.fields().contains(garden.name())) {
                        throw new IllegalStateException(garden.name() + " does not exist");
                    }
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                }));
    }

    /** Azure/azure-service-operator issue 385: the secret has a configured name, and that of the default is deleted. */
    private static Convergence<?> defaultName() {
        return Beds.edenByLabel(both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    if (Beds.find(reconciliation, "eden-" + held.crop()).isEmpty()) {
                        Beds.create(reconciliation, Beds.unowned(held, "eden-" + held.crop()));
                    }
                },
                (reconciliation, garden) -> {
                    Beds.delete(reconciliation, "eden-beds");
                    removeFinalizer(reconciliation, garden);
                }));
    }
}
