package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The steps of garden reconcilers, and the right reconcilers. */
final class Gardening {
    static final String FINALIZER = "test.evenkeel.dev/garden";
    static final String LABEL = "test.evenkeel.dev/garden";
    static final ObjectKey KEY = ObjectKey.of("default", "eden");

    private Gardening() {}

    /** Handles a garden that exists and is not being deleted. */
    @FunctionalInterface
    interface Work {
        void on(Reconciliation<Garden> reconciliation, Garden garden);
    }

    /** Runs a part for gardens that are there and stay. */
    static Reconciler<Garden> living(Work work) {
        return reconciliation -> {
            Optional<Garden> garden = reconciliation.resource();
            if (garden.isPresent() && !garden.get().isMarkedForDeletion()) {
                work.on(reconciliation, garden.get());
            }
            return Result.done();
        };
    }

    /** Runs one part for gardens that stay, and another for those that go. */
    static Reconciler<Garden> both(Work living, Work leaving) {
        return reconciliation -> {
            reconciliation.resource().ifPresent(garden -> {
                if (!garden.isMarkedForDeletion()) {
                    living.on(reconciliation, garden);
                } else if (Finalizers.has(garden, FINALIZER)) {
                    leaving.on(reconciliation, garden);
                }
            });
            return Result.done();
        };
    }

    static Controller<Garden> controller(Reconciler<Garden> reconciler) {
        return Controller.of(Garden.class, reconciler).owns(ConfigMap.class);
    }

    /** A garden that changes its crop once. */
    static <E> Convergence<E> cluster(Convergence<E> convergence) {
        return convergence
                .given(Given.of(Garden.of("eden", "apples", 2)))
                .edit(
                        "other fruit",
                        client -> client.patch(
                                Kind.of(Garden.class),
                                KEY,
                                Patch.merge("{\"spec\":{\"crop\":\"pears\"}}"),
                                WriteOptions.DEFAULT));
    }

    /** Of a reconciler that has only the cluster. */
    static Convergence<?> inCluster(Reconciler<Garden> reconciler) {
        return cluster(Convergence.of(() -> controller(reconciler)));
    }

    /** Of a reconciler whose children have no owner, and are watched by their label. */
    static Convergence<?> byLabel(Reconciler<Garden> reconciler) {
        return cluster(Convergence.of(() -> Beds.byLabel(reconciler)));
    }

    /** Of a reconciler that has a farm. */
    static Convergence<?> onFarm(Function<Farm, Reconciler<Garden>> reconciler) {
        return cluster(Convergence.outside(clock -> new Farm(), Farm::state)
                .controller(farm -> controller(reconciler.apply(farm))));
    }

    /** Of a reconciler that has a farm, of which each call is a place for faults. */
    static Convergence<?> onFields(Function<Fields, Reconciler<Garden>> reconciler) {
        return cluster(Convergence.<Fields, Farm>external(
                        Fields.class, clock -> new Farm(), farm -> List.of(farm.state(), farm.fenced()))
                .controller(fields -> controller(reconciler.apply(fields))));
    }

    /** Two versions in which gardens can be stored; the second does not have {@code status.child}. */
    static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: gardens.test.evenkeel.dev}
            spec:
              group: test.evenkeel.dev
              scope: Namespaced
              names: {kind: Garden, plural: gardens, singular: garden}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties:
                        spec: {type: object, properties: {crop: {type: string}, beds: {type: integer}}}
                        status:
                          type: object
                          properties:
                            observedGeneration: {type: integer}
                            phase: {type: string}
                            child: {type: string}
                            conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                - name: v2
                  served: true
                  storage: false
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties:
                        spec: {type: object, properties: {crop: {type: string}, beds: {type: integer}}}
                        status:
                          type: object
                          properties:
                            observedGeneration: {type: integer}
                            phase: {type: string}
                            conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    // ---- steps

    static String childName(Garden garden) {
        return garden.name() + "-beds";
    }

    static ConfigMap child(Garden garden, String name) {
        ConfigMap child = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(garden.getMetadata().getNamespace())
                .withName(name)
                .withLabels(Map.of(LABEL, garden.name()))
                .endMetadata()
                .withData(Map.of("crop", garden.crop()))
                .build();
        OwnerReferences.control(garden, child);
        return child;
    }

    /** One of many, whose name the server makes. */
    static ConfigMap generated(Garden garden) {
        ConfigMap child = child(garden, "");
        child.getMetadata().setName(null);
        child.getMetadata().setGenerateName(garden.name() + "-");
        return child;
    }

    static Optional<ConfigMap> cached(Reconciliation<Garden> reconciliation, String name) {
        return reconciliation.cache(ConfigMap.class).find(ObjectKey.of("default", name));
    }

    static List<ConfigMap> cachedChildren(Reconciliation<Garden> reconciliation, Garden garden) {
        return reconciliation
                .cache(ConfigMap.class)
                .list("default", LabelSelector.parse(LABEL + "=" + garden.name()))
                .stream()
                .map(Cache.Entry::object)
                .toList();
    }

    static List<ConfigMap> children(Reconciliation<Garden> reconciliation, Garden garden) {
        return reconciliation
                .client()
                .list(
                        ConfigMap.class,
                        ListOptions.in("default").labels(LabelSelector.parse(LABEL + "=" + garden.name())))
                .items();
    }

    /** Creates the child, or corrects it; what is not the garden's own is left alone. */
    static void ensureChild(Reconciliation<Garden> reconciliation, Garden garden, String name) {
        Optional<ConfigMap> present = cached(reconciliation, name);
        if (present.isEmpty()) {
            reconciliation.client().create(child(garden, name));
        } else if (!OwnerReferences.isControlledBy(present.get(), garden)) {
            throw new IllegalStateException(name + " is somebody else's");
        } else if (!garden.crop().equals(present.get().getData().get("crop"))) {
            ConfigMap changed = present.get();
            changed.setData(Map.of("crop", garden.crop()));
            reconciliation.client().update(changed);
        }
    }

    static void say(Reconciliation<Garden> reconciliation, Garden garden, String phase, String child) {
        Garden said = ModelCodec.copy(garden);
        said.setStatus(new Garden.State(garden.generation(), phase, child));
        reconciliation.updateStatus(said);
    }

    static Garden addFinalizer(Reconciliation<Garden> reconciliation, Garden garden) {
        return Finalizers.add(garden, FINALIZER) ? reconciliation.client().update(garden) : garden;
    }

    static void removeFinalizer(Reconciliation<Garden> reconciliation, Garden garden) {
        if (Finalizers.remove(garden, FINALIZER)) {
            reconciliation.client().update(garden);
        }
    }

    static void deleteQuietly(Reconciliation<Garden> reconciliation, ConfigMap child) {
        try {
            reconciliation.client().delete(child);
        } catch (NotFoundException e) {
            // it is what was wanted
        }
    }

    /** Returns whether the API, not a cache, has the garden and it is not being deleted. */
    static boolean isWanted(Reconciliation<Garden> reconciliation, Garden garden) {
        try {
            Garden present = reconciliation.client().get(Garden.class, ObjectKey.of(garden));
            return present.getMetadata().getUid().equals(garden.getMetadata().getUid())
                    && Finalizers.has(present, FINALIZER);
        } catch (ApiException e) {
            return false;
        }
    }

    /** The object in which all gardens have an entry; it exists before them and is never deleted. */
    static final ConfigMap REGISTER = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("register")
            .endMetadata()
            .withData(Map.of("of", "gardens"))
            .build();

    /** Has a garden that is held in the register. */
    static void enter(Reconciliation<Garden> reconciliation, Garden garden) {
        Garden held = addFinalizer(reconciliation, garden);
        if (!isWanted(reconciliation, held)) {
            throw new IllegalStateException("the cache is behind");
        }
        register(reconciliation, held, '"' + held.crop() + '"');
    }

    /** Takes a garden out of the register. */
    static void strike(Reconciliation<Garden> reconciliation, Garden garden) {
        register(reconciliation, garden, "null");
    }

    private static void register(Reconciliation<Garden> reconciliation, Garden garden, String entry) {
        var unused = reconciliation
                .client()
                .patch(
                        Kind.of(ConfigMap.class),
                        ObjectKey.of(REGISTER),
                        Patch.merge("{\"data\":{\"" + garden.name() + "\":" + entry + "}}"),
                        WriteOptions.DEFAULT);
    }

    // ---- those that are right

    /** An entry among others', held by a finalizer. */
    static Reconciler<Garden> entered() {
        return both(Gardening::enter, (reconciliation, garden) -> {
            strike(reconciliation, garden);
            removeFinalizer(reconciliation, garden);
        });
    }

    /** A child with a name that follows from the garden's. */
    static Reconciler<Garden> child() {
        return living((reconciliation, garden) -> {
            ensureChild(reconciliation, garden, childName(garden));
            say(reconciliation, garden, "Planted", childName(garden));
        });
    }

    /** So many children, whose names the server makes: what is too much goes, and what there is the API says. */
    static Reconciler<Garden> generatedChildren() {
        return living((reconciliation, garden) -> {
            List<ConfigMap> present = children(reconciliation, garden).stream()
                    .filter(child -> OwnerReferences.isControlledBy(child, garden))
                    .toList();
            List<ConfigMap> right = present.stream()
                    .filter(child -> garden.crop().equals(child.getData().get("crop")))
                    .limit(garden.getSpec().beds())
                    .toList();
            present.stream()
                    .filter(child -> !right.contains(child))
                    .forEach(child -> deleteQuietly(reconciliation, child));
            for (int i = right.size(); i < garden.getSpec().beds(); i++) {
                reconciliation.client().create(generated(garden));
            }
            say(reconciliation, garden, "Planted", "");
        });
    }

    /** A child that is called after the crop; that of another crop goes. */
    static Reconciler<Garden> renamedChild() {
        return living((reconciliation, garden) -> {
            String name = garden.name() + "-" + garden.crop();
            ensureChild(reconciliation, garden, name);
            children(reconciliation, garden).stream()
                    .filter(child -> OwnerReferences.isControlledBy(child, garden))
                    .filter(child -> !name.equals(child.getMetadata().getName()))
                    .forEach(child -> deleteQuietly(reconciliation, child));
            say(reconciliation, garden, "Planted", name);
        });
    }

    /** A field outside, held by a finalizer, under a name that follows from the garden. */
    static Reconciler<Garden> field(Farm farm) {
        return both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    plant(reconciliation, held, farm);
                    say(reconciliation, held, "Planted", "");
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                });
    }

    /** Looks before, for caches are behind at times, and after, for somebody else may have taken over meanwhile. */
    static void plant(Reconciliation<Garden> reconciliation, Garden garden, Farm farm) {
        if (!isWanted(reconciliation, garden)) {
            throw new IllegalStateException("the cache is behind");
        }
        farm.plant(garden.name(), garden.crop());
        if (!isWanted(reconciliation, garden)) {
            farm.clear(garden.name());
        }
    }

    /** A field with a fence, held by a finalizer: each step is idempotent, and done whatever was done before. */
    static Reconciler<Garden> fenced(Fields farm) {
        return both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    if (!isWanted(reconciliation, held)) {
                        throw new IllegalStateException("the cache is behind");
                    }
                    farm.plant(held.name(), held.crop());
                    farm.fence(held.name());
                    if (!isWanted(reconciliation, held)) {
                        farm.clear(held.name());
                    }
                    say(reconciliation, held, "Planted", "");
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                });
    }

    /** Times that are kept with what they are of: one in the child, one in a condition. */
    static Reconciler<Garden> timed() {
        return living((reconciliation, garden) -> {
            if (cached(reconciliation, childName(garden)).isEmpty()) {
                String now = reconciliation.now().toString();
                reconciliation.client().create(WrongReconcilers.stamped(garden, now));
            } else {
                ensureChild(reconciliation, garden, childName(garden));
            }
            Condition ready = Conditions.condition("Ready", true, garden.generation(), "Planted", garden.crop());
            ready(reconciliation, garden, Conditions.with(garden.state().conditions(), ready, reconciliation.now()));
        });
    }

    /** A child that is ready a minute after the time in it. */
    static Reconciler<Garden> rested() {
        return reconciliation -> {
            Optional<Garden> garden = reconciliation.resource();
            if (garden.isEmpty() || garden.get().isMarkedForDeletion()) {
                return Result.done();
            }
            Optional<ConfigMap> child = cached(reconciliation, childName(garden.get()));
            if (child.isEmpty()) {
                ConfigMap planted = WrongReconcilers.stamped(
                        garden.get(), reconciliation.now().toString());
                reconciliation.client().create(planted);
                return Result.done();
            }
            String since = child.get().getMetadata().getAnnotations().get(WrongReconcilers.SINCE);
            Duration rest =
                    Duration.between(reconciliation.now(), Instant.parse(since).plus(Duration.ofMinutes(1)));
            if (rest.isPositive()) {
                return Result.after(rest);
            }
            ensureChild(reconciliation, garden.get(), childName(garden.get()));
            say(reconciliation, garden.get(), "Ready", childName(garden.get()));
            return Result.done();
        };
    }

    static void ready(Reconciliation<Garden> reconciliation, Garden garden, List<Condition> conditions) {
        Garden said = ModelCodec.copy(garden);
        said.setStatus(new Garden.State(garden.generation(), "Planted", "", conditions));
        reconciliation.updateStatus(said);
    }

    /** The present version: a child that is called differently than that of the previous one, which is deleted. */
    static Reconciler<Garden> upgraded() {
        return living((reconciliation, garden) -> {
            ensureChild(reconciliation, garden, garden.name() + "-plot");
            cached(reconciliation, childName(garden))
                    .filter(child -> OwnerReferences.isControlledBy(child, garden))
                    .ifPresent(child -> deleteQuietly(reconciliation, child));
            say(reconciliation, garden, "Planted", garden.name() + "-plot");
        });
    }

    /** A child that may be denied: that is reported, and tried again until it is not. */
    static Reconciler<Garden> reported() {
        return living((reconciliation, garden) -> {
            try {
                ensureChild(reconciliation, garden, childName(garden));
            } catch (ForbiddenException e) {
                say(reconciliation, garden, "Failed", "");
                throw e;
            }
            say(reconciliation, garden, "Planted", childName(garden));
        });
    }

    /** A child without an owner, held by a finalizer and deleted by its name: those of other gardens stay. */
    static Reconciler<Garden> deletedByName() {
        return both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    if (!isWanted(reconciliation, held)) {
                        throw new IllegalStateException("the cache is behind");
                    }
                    ConfigMap wanted = Beds.unowned(held, childName(held));
                    var unused = reconciliation.client().apply(wanted, WriteOptions.DEFAULT.force(true));
                },
                (reconciliation, garden) -> {
                    Beds.delete(reconciliation, childName(garden));
                    removeFinalizer(reconciliation, garden);
                });
    }

    /** Returns a check with a second garden. */
    static <E> Convergence<E> two(Convergence<E> convergence) {
        return convergence.given(Given.of(Garden.of("park", "roses", 1)));
    }
}
