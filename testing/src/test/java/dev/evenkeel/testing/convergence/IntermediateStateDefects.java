package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.LABEL;
import static dev.evenkeel.testing.convergence.Gardening.addFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.both;
import static dev.evenkeel.testing.convergence.Gardening.living;
import static dev.evenkeel.testing.convergence.Gardening.removeFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.say;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Defects of reconcilers that do not continue where a former process stopped. */
final class IntermediateStateDefects {
    private IntermediateStateDefects() {}

    static List<Defect> all() {
        return List.of(
                Defect.of(
                                "rabbitmq/cluster-operator 782",
                                "resizes volumes only together with the set that it deletes before",
                                100,
                                resized(false).without(FaultKind.UNDO, FaultKind.DELETE))
                        .right(resized(true)),
                Defect.of(
                        "konpyutaika/nifikop 79",
                        "records the last step only in the run that has created the child",
                        50,
                        steps()),
                Defect.of(
                        "fluxcd/helm-controller 149",
                        "waits for an operation whose lock was left by a killed process",
                        50,
                        locked()),
                Defect.of(
                                "crossplane/crossplane 3037",
                                "refuses to continue a creation that was announced and not confirmed",
                                100,
                                announced())
                        .right(Gardening.onFarm(Gardening::field)),
                Defect.of(
                        "crossplane/crossplane-runtime 279",
                        "creates again what was created outside and whose id was not recorded",
                        100,
                        recorded()),
                Defect.of(
                                "kubernetes-sigs/cluster-api 5483",
                                "creates the child without an owner, and sets the owner afterwards",
                                400,
                                ownedLater())
                        .right(Gardening.inCluster(Gardening.child())),
                Defect.of(
                        "SwissDataScienceCenter/amalthea 392",
                        "creates all children again after a partial creation, and fails since some exist",
                        50,
                        createdAgain()),
                Defect.of(
                                "cert-manager/cert-manager 4956",
                                "creates a second request for the same revision, and then refuses both",
                                50,
                                requested(false))
                        .right(requested(true)),
                Defect.of(
                                "kubernetes-csi/external-provisioner 1507",
                                "removes its finalizer from the source only in the run that has added it",
                                100,
                                protectedSource(false))
                        .right(protectedSource(true)));
    }

    /**
     * rabbitmq/cluster-operator issue 782: to expand volumes, the stateful set is deleted, the claims are changed, and the
     * set is created with the new size. The size is compared with that of the set: a crash after the first step leaves
     * claims that are never changed.
     */
    private static Convergence<?> resized(boolean comparesVolume) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            Optional<ConfigMap> set = Gardening.cached(reconciliation, "eden-set");
            Optional<ConfigMap> volume = Gardening.cached(reconciliation, "eden-volume");
            boolean outdated = set.isPresent() && !Beds.isOf(set.get(), garden.crop());
            if (outdated) {
                Gardening.deleteQuietly(reconciliation, set.get());
            }
            if (volume.isEmpty()) {
                Beds.create(reconciliation, Beds.owned(garden, "eden-volume"));
            } else if (comparesVolume ? !Beds.isOf(volume.get(), garden.crop()) : outdated) {
                Beds.setCrop(reconciliation, "eden-volume", garden.crop());
            }
            if (outdated || set.isEmpty()) {
                Beds.create(reconciliation, Beds.owned(garden, "eden-set"));
            }
        }));
    }

    /**
     * konpyutaika/nifikop issue 79: after the creation of a pod two states are recorded, one after the other. If the
     * process dies between, the second is never recorded, and the node is never scaled down.
     */
    private static Convergence<?> steps() {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
            if (present.isEmpty()) {
                Beds.create(reconciliation, Beds.owned(garden, "eden-beds"));
                say(reconciliation, garden, "InSync", "");
                say(
                        reconciliation,
                        reconciliation.client().get(Garden.class, reconciliation.key()),
                        "UpscaleSucceeded",
                        "");
            } else if (!Beds.isOf(present.get(), garden.crop())
                    && garden.state().phase().equals("UpscaleSucceeded")) {
                Beds.setCrop(reconciliation, "eden-beds", garden.crop());
                say(reconciliation, garden, "UpscaleSucceeded", "");
            }
        }));
    }

    /**
     * fluxcd/helm-controller issue 149: a release is locked during an upgrade. The controller is killed in the middle, and
     * each later upgrade is refused: another operation is in progress.
     */
    private static Convergence<?> locked() {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
            if (present.isPresent() && Beds.isOf(present.get(), garden.crop())) {
                return;
            }
            try {
                Beds.create(reconciliation, Beds.owned(garden, "eden-lock"));
            } catch (AlreadyExistsException e) {
                throw new IllegalStateException("another operation is in progress", e);
            }
            Gardening.ensureChild(reconciliation, garden, "eden-beds");
            Beds.delete(reconciliation, "eden-lock");
        }));
    }

    /**
     * crossplane/crossplane issue 3037: before an external resource is created, an annotation announces it, and after it
     * another one confirms it. A process that dies between leaves an object that is never reconciled again.
     */
    private static Convergence<?> announced() {
        String annotation = "test.evenkeel.dev/creating";
        return Gardening.onFarm(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    if (annotations(held).containsKey(annotation)) {
                        throw new IllegalStateException("it is not known whether the field exists");
                    }
                    if (held.state().child().isEmpty()) {
                        Beds.merge(reconciliation, Garden.class, "eden", annotation(annotation, "\"yes\""));
                        farm.plant("eden", held.crop());
                        Beds.merge(reconciliation, Garden.class, "eden", annotation(annotation, "null"));
                    } else {
                        farm.plant("eden", held.crop());
                    }
                    say(
                            reconciliation,
                            reconciliation.client().get(Garden.class, reconciliation.key()),
                            "Planted",
                            "eden");
                },
                (reconciliation, garden) -> {
                    farm.clear("eden");
                    removeFinalizer(reconciliation, garden);
                }));
    }

    private static Map<String, String> annotations(Garden garden) {
        Map<String, String> annotations = garden.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    private static String annotation(String name, String value) {
        return "{\"metadata\":{\"annotations\":{\"" + name + "\":" + value + "}}}";
    }

    /**
     * crossplane-runtime pull request 279: the provider assigns the name of what it creates. If that is not recorded, or the
     * cache does not have it yet, another one is created.
     */
    private static Convergence<?> recorded() {
        return Gardening.onFarm(farm -> both(
                        (reconciliation, garden) -> {
                            Garden held = addFinalizer(reconciliation, garden);
                            Beds.requireWanted(reconciliation, held);
                            String field = held.state().child();
                            if (field.isEmpty()) {
                                field = farm.rent("anything");
                            }
                            Garden present = reconciliation.client().get(Garden.class, reconciliation.key());
                            say(reconciliation, present, "Planted", field);
                        },
                        (reconciliation, garden) -> {
                            farm.clear(garden.state().child());
                            removeFinalizer(reconciliation, garden);
                        }))
                .without(FaultKind.OVERTAKE);
    }

    /**
     * kubernetes-sigs/cluster-api issue 5483: the infrastructure machine is created by one controller, and gets its owner
     * later. If the cluster is deleted between, it stays.
     */
    private static Convergence<?> ownedLater() {
        return Beds.pears(Beds.edenByLabel(living((reconciliation, garden) -> {
            Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
            ConfigMap child =
                    present.orElseGet(() -> reconciliation.client().create(Beds.unowned(garden, "eden-beds")));
            if (!Beds.isMine(garden, child) || !Beds.isOf(child, garden.crop())) {
                child.setData(Map.of("crop", garden.crop()));
                if (OwnerReferences.controllerOf(child).isEmpty()) {
                    OwnerReferences.control(garden, child);
                }
                reconciliation.client().update(child);
            }
        })));
    }

    /**
     * SwissDataScienceCenter/amalthea issue 392 (the same: wildfly/wildfly-operator 120): the creation is attempted as a
     * whole until it succeeds; what a former attempt has created makes it fail.
     */
    private static Convergence<?> createdAgain() {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            if (!garden.state().phase().equals("Planted")) {
                Beds.create(reconciliation, Beds.owned(garden, "eden-service"));
                Beds.create(reconciliation, Beds.owned(garden, "eden-beds"));
                say(reconciliation, garden, "Planted", "");
                return;
            }
            Gardening.ensureChild(reconciliation, garden, "eden-service");
            Gardening.ensureChild(reconciliation, garden, "eden-beds");
            say(reconciliation, garden, "Planted", "");
        }));
    }

    /**
     * cert-manager issue 4956 (and 3603, 6837): a request for the next revision is created with a generated name unless the
     * cache has one. Two of the same revision block the certificate until a person deletes one.
     */
    private static Convergence<?> requested(boolean named) {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            String revision = Long.toString(garden.generation());
            List<ConfigMap> requests = Beds.cached(reconciliation)
                    .filter(request ->
                            revision.equals(request.getMetadata().getLabels().get("revision")))
                    .toList();
            if (requests.size() > 1) {
                throw new IllegalStateException(requests.size() + " requests of revision " + revision);
            }
            if (requests.isEmpty()) {
                ConfigMap request = named ? Beds.owned(garden, "eden-" + revision) : Gardening.generated(garden);
                request.getMetadata().setLabels(Map.of(LABEL, garden.name(), "revision", revision));
                Beds.create(reconciliation, request);
            }
            Beds.present(reconciliation)
                    .filter(request ->
                            !revision.equals(request.getMetadata().getLabels().get("revision")))
                    .forEach(request -> Gardening.deleteQuietly(reconciliation, request));
        }));
    }

    /** An object that exists before, and from which something is made. */
    private static final ConfigMap SOURCE = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("source")
            .endMetadata()
            .withData(Map.of("of", "seeds"))
            .build();

    /**
     * kubernetes-csi/external-provisioner issue 1507: the source of a volume has a finalizer while the volume is provisioned.
     * It is removed at the end of that run; a run that finds the volume has nothing to do.
     */
    private static Convergence<?> protectedSource(boolean always) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
            if (present.isPresent() && Beds.isOf(present.get(), garden.crop())) {
                if (always) {
                    release(reconciliation.client());
                }
                return;
            }
            ConfigMap source = reconciliation.client().get(ConfigMap.class, ObjectKey.of(SOURCE));
            if (Finalizers.add(source, Gardening.FINALIZER)) {
                reconciliation.client().update(source);
            }
            Gardening.ensureChild(reconciliation, garden, "eden-beds");
            release(reconciliation.client());
        });
        return Gardening.inCluster(reconciler)
                .without(FaultKind.UNDO, FaultKind.DELETE)
                .given(Given.of(SOURCE));
    }

    private static void release(Client client) {
        ConfigMap source = client.get(ConfigMap.class, ObjectKey.of(SOURCE));
        if (Finalizers.remove(source, Gardening.FINALIZER)) {
            client.update(source);
        }
    }
}
