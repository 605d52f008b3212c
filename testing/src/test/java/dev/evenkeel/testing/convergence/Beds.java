package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.KEY;
import static dev.evenkeel.testing.convergence.Gardening.LABEL;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Mapper;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Steps of garden reconcilers with several children, and what users do to gardens. */
final class Beds {
    /** The finalizer of a second controller, on children. */
    private static final String IN_USE = "test.evenkeel.dev/in-use";

    private Beds() {}

    // ---- checks

    /** A check of a garden of two beds of apples. */
    static <E> Convergence<E> eden(Convergence<E> convergence) {
        return convergence.given(Given.of(Garden.of("eden", "apples", 2)));
    }

    /** A check of a reconciler whose children are owned config maps. */
    static Convergence<?> eden(Reconciler<Garden> reconciler) {
        return eden(Convergence.of(() -> Gardening.controller(reconciler)));
    }

    /** A check of a reconciler whose children have no owner, and are watched by their label. */
    static Convergence<?> edenByLabel(Reconciler<Garden> reconciler) {
        return eden(Convergence.of(() -> byLabel(reconciler)));
    }

    static Controller<Garden> byLabel(Reconciler<Garden> reconciler) {
        return Controller.of(Garden.class, reconciler).watches(ConfigMap.class, Mapper.label(LABEL));
    }

    /** A check of a reconciler that works with a farm. */
    static Convergence<?> edenOnFarm(Function<Farm, Reconciler<Garden>> reconciler) {
        return eden(Convergence.outside(clock -> new Farm(), Farm::state)
                .controller(farm -> Gardening.controller(reconciler.apply(farm))));
    }

    /** A check with a second controller, which keeps children until it has removed its finalizer from them. */
    static Convergence<?> edenInUse(Reconciler<Garden> reconciler) {
        return eden(reconciler)
                .controller(outside ->
                        Gardening.controller(Beds::release).name("in-use").always(KEY));
    }

    // ---- what users do

    static Consumer<Client> spec(String crop, int beds) {
        return client -> client.patch(
                Kind.of(Garden.class),
                KEY,
                Patch.merge("{\"spec\":{\"crop\":\"" + crop + "\",\"beds\":" + beds + "}}"),
                WriteOptions.DEFAULT);
    }

    static <E> Convergence<E> pears(Convergence<E> convergence) {
        return convergence.edit("pears", spec("pears", 2));
    }

    /** A user deletes the garden, and then creates another one with its name. */
    static <E> Convergence<E> replanted(Convergence<E> convergence, String crop) {
        return convergence
                .edit("deletes the garden", client -> client.delete(Garden.class, KEY))
                .edit("creates it again", client -> createAgain(client, crop));
    }

    static void createAgain(Client client, String crop) {
        if (client.find(Garden.class, KEY).isEmpty()) {
            client.create(Garden.of("eden", crop, 2));
        }
    }

    // ---- invariants

    /** Returns whether what the status of gardens says of their present generation holds. */
    static Predicate<Client> planted(Predicate<Garden> holds) {
        return client -> client.list(Garden.class, ListOptions.ALL).items().stream()
                .filter(garden -> !garden.isMarkedForDeletion())
                .filter(garden -> garden.state().phase().equals("Planted"))
                .filter(garden -> garden.state().observedGeneration() == garden.generation())
                .allMatch(holds);
    }

    static boolean exists(Client client, String name) {
        return client.find(ConfigMap.class, key(name)).isPresent();
    }

    static List<ConfigMap> all(Client client) {
        return client.list(ConfigMap.class, ListOptions.in("default")).items().stream()
                .filter(map -> map.getMetadata().getLabels() != null)
                .filter(map -> map.getMetadata().getLabels().containsKey(LABEL))
                .toList();
    }

    // ---- steps

    static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    /** Returns the names of the beds that a garden should have. */
    static List<String> names(Garden garden) {
        return IntStream.range(0, garden.getSpec().beds())
                .mapToObj(i -> garden.name() + "-" + i)
                .toList();
    }

    static ConfigMap owned(Garden garden, String name) {
        return Gardening.child(garden, name);
    }

    static ConfigMap unowned(Garden garden, String name) {
        return new ConfigMapBuilder(Gardening.child(garden, name))
                .editMetadata()
                .withOwnerReferences(List.of())
                .endMetadata()
                .build();
    }

    /** Returns an owned child that a second controller keeps until it is not in use. */
    static ConfigMap inUse(Garden garden, String name) {
        ConfigMap child = owned(garden, name);
        Finalizers.add(child, IN_USE);
        return child;
    }

    private static Result release(Reconciliation<Garden> reconciliation) {
        all(reconciliation.client()).stream()
                .filter(child -> child.isMarkedForDeletion() && Finalizers.remove(child, IN_USE))
                .forEach(child -> reconciliation.client().update(child));
        return Result.done();
    }

    /** Returns a child as the API has it. */
    static Optional<ConfigMap> find(Reconciliation<Garden> reconciliation, String name) {
        return reconciliation.client().find(ConfigMap.class, key(name));
    }

    static Stream<ConfigMap> cached(Reconciliation<Garden> reconciliation) {
        return Gardening.cachedChildren(
                reconciliation, reconciliation.resource().orElseThrow())
                .stream();
    }

    static Stream<ConfigMap> present(Reconciliation<Garden> reconciliation) {
        return Gardening.children(reconciliation, reconciliation.resource().orElseThrow()).stream();
    }

    static void create(Reconciliation<Garden> reconciliation, ConfigMap child) {
        var unused = reconciliation.client().create(child);
    }

    /** Deletes a child by its name; false if it does not exist. */
    static boolean delete(Reconciliation<Garden> reconciliation, String name) {
        try {
            var unused = reconciliation.client().delete(ConfigMap.class, key(name));
            return true;
        } catch (NotFoundException e) {
            return false;
        }
    }

    static void setCrop(Reconciliation<Garden> reconciliation, String name, String crop) {
        merge(reconciliation, ConfigMap.class, name, "{\"data\":{\"crop\":\"" + crop + "\"}}");
    }

    static void merge(
            Reconciliation<Garden> reconciliation,
            Class<? extends io.fabric8.kubernetes.api.model.HasMetadata> type,
            String name,
            String patch) {
        var unused = reconciliation.client().patch(Kind.of(type), key(name), Patch.merge(patch), WriteOptions.DEFAULT);
    }

    static boolean isOf(ConfigMap child, String crop) {
        return Map.of("crop", crop).equals(child.getData());
    }

    static boolean isMine(Garden garden, ConfigMap child) {
        return OwnerReferences.isControlledBy(child, garden);
    }

    /** Fails unless the API still has this garden, with its finalizer. */
    static void requireWanted(Reconciliation<Garden> reconciliation, Garden garden) {
        if (!Gardening.isWanted(reconciliation, garden)) {
            throw new IllegalStateException("the cache is behind");
        }
    }

    /** Fails unless the API has this generation of this garden. */
    static void requireCurrent(Reconciliation<Garden> reconciliation, Garden garden) {
        Garden present = reconciliation.client().get(Garden.class, KEY);
        if (!present.getMetadata().getUid().equals(garden.getMetadata().getUid())
                || present.generation() != garden.generation()
                || present.isMarkedForDeletion()) {
            throw new IllegalStateException("the cache is behind");
        }
    }
}
