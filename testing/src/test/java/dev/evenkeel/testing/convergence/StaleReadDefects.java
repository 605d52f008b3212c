package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.LABEL;
import static dev.evenkeel.testing.convergence.Gardening.addFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.both;
import static dev.evenkeel.testing.convergence.Gardening.living;
import static dev.evenkeel.testing.convergence.Gardening.removeFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.say;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Defects of reconcilers that act on a cache which is behind, or which went back in time with a restart. */
final class StaleReadDefects {
    private StaleReadDefects() {}

    static List<Defect> all() {
        return List.of(
                Defect.of(
                                "pravega/zookeeper-operator 312",
                                "deletes the volume of a garden by name when it sees the deletion of a former garden",
                                400,
                                volumesOf(Garden::name))
                        .right(volumesOf(garden -> garden.getMetadata().getUid())),
                Defect.of(
                                "pravega/zookeeper-operator 314",
                                "scales down, with its data, to a size that the user has revoked",
                                400,
                                scaled(false))
                        .right(scaled(true)),
                Defect.of(
                                "instaclustr/cassandra-operator 404",
                                "re-creates a child of a former object with the same name",
                                200,
                                refreshed((garden, child) -> true))
                        .right(refreshed(Beds::isMine)),
                Defect.of(
                                "instaclustr/cassandra-operator 407",
                                "deletes volumes whose pods are not in the cache",
                                100,
                                volumesOfPods(false))
                        .right(volumesOfPods(true)),
                Defect.of(
                                "cert-manager/cert-manager 9097",
                                "deletes each secret that the cached status does not name",
                                100,
                                keys(Reconciliation::resource))
                        .right(keys(
                                reconciliation -> reconciliation.client().find(Garden.class, reconciliation.key()))),
                Defect.of("ray-project/kuberay 715", "creates as many children as its cache lacks", 50, counted(false))
                        .right(counted(true)),
                Defect.of(
                                "opensearch-project/opensearch-k8s-operator 1471",
                                "replaces the next child while the cache still has the one it has just deleted",
                                200,
                                oneAtATime(false))
                        .right(oneAtATime(true)),
                Defect.of(
                                "NVIDIA/aicr 2171",
                                "deletes by name what another user has created under a name it no longer uses",
                                400,
                                renamed(child -> DeleteOptions.DEFAULT))
                        .right(renamed(child ->
                                DeleteOptions.DEFAULT.uid(child.getMetadata().getUid()))),
                Defect.of(
                                "pingcap/tidb-operator 6532",
                                "removes its finalizer when the cache has no children",
                                400,
                                finished(Beds::cached))
                        .right(finished(Beds::present)));
    }

    /**
     * pravega/zookeeper-operator issue 312 (the same: instaclustr/cassandra-operator 402, datastax/cass-operator 412): the
     * claims of volumes are listed by the name of the cluster. After a restart, a server that is behind shows the
     * deletion of a former cluster with this name, and the volumes of the present one are deleted.
     *
     * @param owner what a volume says about its owner
     */
    private static Convergence<?> volumesOf(Function<Garden, String> owner) {
        String label = "test.evenkeel.dev/volume-of";
        Reconciler<Garden> reconciler = both(
                (reconciliation, garden) -> {
                    Beds.requireWanted(reconciliation, garden);
                    if (Beds.find(reconciliation, "eden-volume").isEmpty()) {
                        Beds.create(
                                reconciliation,
                                new ConfigMapBuilder(Beds.unowned(garden, "eden-volume"))
                                        .editMetadata()
                                        .addToLabels(label, owner.apply(garden))
                                        .endMetadata()
                                        .build());
                    }
                    say(reconciliation, garden, "Planted", "");
                },
                (reconciliation, garden) -> {
                    LabelSelector volumes = LabelSelector.parse(label + "=" + owner.apply(garden));
                    reconciliation
                            .client()
                            .list(ConfigMap.class, ListOptions.in("default").labels(volumes))
                            .items()
                            .forEach(volume -> Gardening.deleteQuietly(reconciliation, volume));
                    removeFinalizer(reconciliation, garden);
                });
        Garden held = Garden.of("eden", "apples", 2);
        held.addFinalizer(Gardening.FINALIZER);
        return undisturbed(Convergence.of(() -> Beds.byLabel(reconciler)))
                .without(FaultKind.EDIT)
                .given(Given.of(held))
                .edit("deletes the garden", client -> client.delete(held))
                .edit("creates it again", client -> client.create(held))
                .always(
                        "a planted garden has its volume",
                        client -> Beds.planted(garden -> Beds.exists(client, "eden-volume"))
                                .test(client));
    }

    /** Leaves out deletions by other actors: what they delete is missing, whatever the reconciler does. */
    private static <E> Convergence<E> undisturbed(Convergence<E> convergence) {
        return convergence.without(FaultKind.DELETE, FaultKind.UNDO);
    }

    /**
     * pravega/zookeeper-operator issue 314 (the same: elastic/cloud-on-k8s 5274): after scaling down and up again, a
     * restarted controller sees the smaller size, and deletes pods and volumes that are wanted again.
     */
    private static Convergence<?> scaled(boolean careful) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            List<String> wanted = Beds.names(garden);
            wanted.stream()
                    .filter(name -> Beds.find(reconciliation, name).isEmpty())
                    .forEach(name -> Beds.create(reconciliation, Beds.owned(garden, name)));
            if (careful) {
                Beds.requireCurrent(reconciliation, garden);
            }
            Beds.present(reconciliation)
                    .filter(child -> !wanted.contains(child.getMetadata().getName()))
                    .forEach(child -> Gardening.deleteQuietly(reconciliation, child));
            say(reconciliation, garden, "Planted", "");
        });
        return undisturbed(Beds.eden(reconciler))
                .edit("one bed", Beds.spec("apples", 1))
                .edit("two beds again", Beds.spec("apples", 2))
                .always(
                        "a planted garden has its beds",
                        client -> Beds.planted(garden ->
                                        Beds.names(garden).stream().allMatch(name -> Beds.exists(client, name)))
                                .test(client));
    }

    /** Whether a child counts as one of a garden. */
    @FunctionalInterface
    private interface Belongs {
        boolean test(Garden garden, ConfigMap child);
    }

    /**
     * instaclustr/cassandra-operator issue 404: each set that the cache has for this name is created or updated, also that
     * of a former data center, which is deleted.
     */
    private static Convergence<?> refreshed(Belongs belongs) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            String name = "eden-" + garden.crop();
            Beds.cached(reconciliation)
                    .filter(child -> belongs.test(garden, child))
                    .map(child -> child.getMetadata().getName())
                    .filter(other -> !other.equals(name))
                    .forEach(other ->
                            reconciliation.client().apply(Beds.owned(garden, other), WriteOptions.DEFAULT.force(true)));
            Gardening.ensureChild(reconciliation, garden, name);
            say(reconciliation, garden, "Planted", name);
        });
        return Beds.replanted(Beds.eden(reconciler), "pears");
    }

    /**
     * instaclustr/cassandra-operator issue 407: a volume is deleted when its pod is not in the cache, which after a restart
     * may be one from before the pod was created again.
     */
    private static Convergence<?> volumesOfPods(boolean careful) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            for (String pod : Beds.names(garden)) {
                if (volume(reconciliation, pod).isEmpty()) {
                    var unused = reconciliation.client().create(secret(garden, pod));
                }
                if (Beds.find(reconciliation, pod).isEmpty()) {
                    Beds.create(reconciliation, Beds.owned(garden, pod));
                }
            }
            List<String> volumes = reconciliation.cache(Secret.class).list().stream()
                    .map(entry -> entry.key().name())
                    .filter(volume -> careful
                            ? Beds.find(reconciliation, volume).isEmpty()
                            : Gardening.cached(reconciliation, volume).isEmpty())
                    .toList();
            volumes.forEach(volume -> reconciliation.client().delete(Secret.class, Beds.key(volume)));
            List<String> wanted = Beds.names(garden);
            if (careful) {
                Beds.requireCurrent(reconciliation, garden);
            }
            Beds.present(reconciliation)
                    .filter(pod -> !wanted.contains(pod.getMetadata().getName()))
                    .forEach(pod -> Gardening.deleteQuietly(reconciliation, pod));
            say(reconciliation, garden, "Planted", "");
        });
        return undisturbed(Beds.eden(
                        Convergence.of(() -> Gardening.controller(reconciler).owns(Secret.class))))
                .edit("one bed", Beds.spec("apples", 1))
                .edit("two beds again", Beds.spec("apples", 2))
                .always(
                        "planted beds have their volumes",
                        client -> Beds.planted(garden -> Beds.names(garden).stream()
                                        .allMatch(name -> client.find(Secret.class, Beds.key(name))
                                                .isPresent()))
                                .test(client));
    }

    private static Optional<Secret> volume(Reconciliation<Garden> reconciliation, String name) {
        return reconciliation.client().find(Secret.class, Beds.key(name));
    }

    private static Secret secret(Garden garden, String name) {
        return new SecretBuilder()
                .withMetadata(Beds.owned(garden, name).getMetadata())
                .build();
    }

    /**
     * cert-manager pull request 9097: secrets other than the one that the status names are deleted, and the status is that
     * of the cache: the key in use is deleted.
     *
     * @param present returns the garden whose status counts
     */
    private static Convergence<?> keys(Function<Reconciliation<Garden>, Optional<Garden>> present) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            String named = present.apply(reconciliation)
                    .map(known -> known.state().child())
                    .orElse("");
            LabelSelector mine = LabelSelector.parse(LABEL + "=eden");
            reconciliation.client().list(Secret.class, ListOptions.in("default").labels(mine)).items().stream()
                    .filter(secret -> !secret.getMetadata().getName().equals(named))
                    .forEach(secret -> reconciliation.client().delete(secret));
            String key = named;
            if (key.isEmpty() || volume(reconciliation, key).isEmpty()) {
                Secret generated = secret(garden, "");
                generated.getMetadata().setName(null);
                generated.getMetadata().setGenerateName("eden-");
                Secret created = reconciliation.client().create(generated);
                key = created.getMetadata().getName();
            }
            say(reconciliation, garden, "Planted", key);
        });
        return undisturbed(Beds.pears(Beds.eden(
                        Convergence.of(() -> Gardening.controller(reconciler).owns(Secret.class)))))
                .always(
                        "the key that the status names exists",
                        client -> Beds.planted(garden -> client.find(
                                                Secret.class,
                                                Beds.key(garden.state().child()))
                                        .isPresent())
                                .test(client));
    }

    /**
     * ray-project/kuberay issue 715 (and 704): the number of pods is that of the cache; more are created than wanted, and
     * then some are deleted, not necessarily the new ones.
     */
    private static Convergence<?> counted(boolean named) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            if (named) {
                Beds.names(garden).forEach(name -> createIfMissing(reconciliation, garden, name));
                return;
            }
            long present = Beds.cached(reconciliation).count();
            for (long i = present; i < garden.getSpec().beds(); i++) {
                Beds.create(reconciliation, Gardening.generated(garden));
            }
            Beds.present(reconciliation)
                    .skip(garden.getSpec().beds())
                    .forEach(surplus -> Gardening.deleteQuietly(reconciliation, surplus));
        });
        return Beds.eden(reconciler)
                .always("there are two beds at most", client -> Beds.all(client).size() <= 2);
    }

    private static void createIfMissing(Reconciliation<Garden> reconciliation, Garden garden, String name) {
        if (Gardening.cached(reconciliation, name).isEmpty()) {
            try {
                Beds.create(reconciliation, Beds.owned(garden, name));
            } catch (AlreadyExistsException e) {
                // the cache is behind
            }
        }
    }

    /**
     * opensearch-k8s-operator issue 1471: a node may be replaced while all others are there, by the cache: it still has the
     * one that was deleted before.
     */
    private static Convergence<?> oneAtATime(boolean careful) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            List<ConfigMap> present = (careful ? Beds.present(reconciliation) : Beds.cached(reconciliation)).toList();
            List<String> names =
                    present.stream().map(child -> child.getMetadata().getName()).toList();
            Beds.names(garden).stream()
                    .filter(name -> !names.contains(name))
                    .forEach(name -> Beds.create(reconciliation, Beds.owned(garden, name)));
            boolean replacing = names.size() == garden.getSpec().beds()
                    && present.stream()
                            .filter(child -> !Beds.isOf(child, garden.crop()))
                            .map(child -> child.getMetadata().getName())
                            .anyMatch(name -> careful
                                    ? replace(reconciliation, garden, name)
                                    : Beds.delete(reconciliation, name));
            if (!replacing) {
                say(reconciliation, garden, "Planted", "");
            }
        });
        return undisturbed(Beds.pears(Beds.eden(reconciler)))
                .always(
                        "one bed is replaced at a time",
                        client -> client.list(Garden.class, ListOptions.ALL).items().stream()
                                .filter(garden -> garden.state().phase().equals("Planted"))
                                .allMatch(garden -> Beds.all(client).size() >= 1));
    }

    private static boolean replace(Reconciliation<Garden> reconciliation, Garden garden, String name) {
        Beds.delete(reconciliation, name);
        Beds.create(reconciliation, Beds.owned(garden, name));
        return true;
    }

    /**
     * NVIDIA/aicr pull request 2171 (similar: carvel-dev/kapp 229; kubernetes/kubernetes 22965 has the precondition for it):
     * the object to be deleted was deleted already, and another user has created one with its name.
     *
     * @param options options for the deletion of a child
     */
    private static Convergence<?> renamed(Function<ConfigMap, DeleteOptions> options) {
        Reconciler<Garden> reconciler = living((reconciliation, garden) -> {
            String name = "eden-" + garden.crop();
            createIfMissing(reconciliation, garden, name);
            Beds.cached(reconciliation)
                    .filter(child -> Beds.isMine(garden, child))
                    .filter(child -> !child.getMetadata().getName().equals(name))
                    .forEach(child -> reconciliation
                            .client()
                            .delete(Kind.of(ConfigMap.class), ObjectKey.of(child), options.apply(child)));
            say(reconciliation, garden, "Planted", name);
            if (Gardening.cached(reconciliation, name).isEmpty()) {
                throw new IllegalStateException("the cache is behind"); // the child may be deleted before it is seen
            }
        });
        ConfigMap other = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("eden-apples")
                .endMetadata()
                .withData(Map.of("of", "the user"))
                .build();
        return Beds.pears(Beds.eden(reconciler))
                .without(FaultKind.EDIT)
                .edit("creates an object of the former name", client -> client.create(other))
                .edit("plums", Beds.spec("plums", 2));
    }

    /**
     * pingcap/tidb-operator issue 6532: the finalizer is removed when the cache has no children; one that was created just
     * before stays.
     *
     * @param children returns the children that count
     */
    private static Convergence<?> finished(Function<Reconciliation<Garden>, Stream<ConfigMap>> children) {
        Reconciler<Garden> reconciler = both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    Beds.requireWanted(reconciliation, held);
                    Optional<ConfigMap> present = Gardening.cached(reconciliation, "eden-beds");
                    if (present.isEmpty()) {
                        Beds.create(reconciliation, Beds.unowned(held, "eden-beds"));
                    } else if (!Beds.isOf(present.get(), held.crop())) {
                        Beds.setCrop(reconciliation, "eden-beds", held.crop());
                    }
                },
                (reconciliation, garden) -> {
                    List<ConfigMap> left = children.apply(reconciliation).toList();
                    left.forEach(child -> Gardening.deleteQuietly(reconciliation, child));
                    if (left.isEmpty()) {
                        removeFinalizer(reconciliation, garden);
                    }
                });
        return Beds.pears(Beds.edenByLabel(reconciler));
    }
}
