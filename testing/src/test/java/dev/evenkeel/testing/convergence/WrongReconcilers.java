package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.KEY;
import static dev.evenkeel.testing.convergence.Gardening.LABEL;
import static dev.evenkeel.testing.convergence.Gardening.addFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.both;
import static dev.evenkeel.testing.convergence.Gardening.cached;
import static dev.evenkeel.testing.convergence.Gardening.cachedChildren;
import static dev.evenkeel.testing.convergence.Gardening.child;
import static dev.evenkeel.testing.convergence.Gardening.childName;
import static dev.evenkeel.testing.convergence.Gardening.cluster;
import static dev.evenkeel.testing.convergence.Gardening.ensureChild;
import static dev.evenkeel.testing.convergence.Gardening.generated;
import static dev.evenkeel.testing.convergence.Gardening.inCluster;
import static dev.evenkeel.testing.convergence.Gardening.isWanted;
import static dev.evenkeel.testing.convergence.Gardening.living;
import static dev.evenkeel.testing.convergence.Gardening.onFarm;
import static dev.evenkeel.testing.convergence.Gardening.removeFinalizer;
import static dev.evenkeel.testing.convergence.Gardening.say;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Result;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Reconcilers that are wrong, each in one way. All of them do what they should as long as nothing goes wrong; the ways are
 * those in which published operators were found to be wrong.
 */
final class WrongReconcilers {
    private WrongReconcilers() {}

    /**
     * One of them.
     *
     * @param bug the class of the mistake
     * @param mistake what is wrong, in a sentence
     */
    record Wrong(String bug, String mistake, Convergence<?> convergence) {}

    static List<Wrong> all() {
        return List.of(
                new Wrong(
                        "intermediate state",
                        "the name of the child is written down after the child is made",
                        nameKeptLate()),
                new Wrong("intermediate state", "a phase of which nobody takes it out again", stuckPhase()),
                new Wrong("intermediate state", "seen generation is written before the work", seenBeforeDone()),
                new Wrong(
                        "intermediate state",
                        "what is outside is made again when its name was not kept",
                        rentedTwice()),
                new Wrong("stale read", "children are counted in the cache, and made with new names", countedInCache()),
                new Wrong("stale read", "children are looked up in the cache for the last time", cleanedByCache()),
                new Wrong("stale read", "what the cache does not know is cleared away", clearedByCache()),
                new Wrong("stale read", "the deletion is overlooked by a cache that is behind", madeAfterDeletion()),
                new Wrong("torn read", "done for one generation, and written down for the next", tornRead()),
                new Wrong(
                        "two leaders",
                        "what the next leader has taken away is made by the former one",
                        madeAfterOvertaking()),
                new Wrong("missed deletion", "cleaned up from memory, without a finalizer", cleanedFromMemory()),
                new Wrong("finalizer", "taken away before the clean-up", finalizerBeforeCleanUp()),
                new Wrong("finalizer", "put there after what it is for", finalizerAfterCreate()),
                new Wrong("finalizer", "never taken away when the child is gone already", finalizerForEver()),
                new Wrong("finalizer", "those of others are taken away, too", finalizersOfOthers()),
                new Wrong("finalizer", "without its own, what is being deleted seems to live", livingOn()),
                new Wrong("finalizer", "an entry among others' is taken out from memory", enteredForEver()),
                new Wrong("hot loop", "the status counts the runs", countingStatus()),
                new Wrong("hot loop", "two parts fight over a field", fighting()),
                new Wrong("flapping", "the status tells the time", tellingTime()),
                new Wrong("foreign child", "overwritten by its name", overwriting()),
                new Wrong("foreign child", "adopted by its name", adopting()),
                new Wrong("foreign child", "deleted by its name", deleting()),
                new Wrong("drift", "a child that is there is right", onlyCreating()),
                new Wrong("drift", "children are not watched", notWatching()),
                new Wrong("lost update", "replaced whatever others wrote", replacing()),
                new Wrong("lost update", "a conflict is taken for success", swallowing()),
                new Wrong("memory", "the former child is known from memory", renamedFromMemory()),
                new Wrong("orphan", "the child has no owner", withoutOwner()),
                new Wrong("external call", "the second call is made only after the first", fencedOnce()),
                new Wrong("external call", "a call whose answer was lost is made again", rentedAgain()),
                new Wrong("time", "written again at each start", stampedAtStart()),
                new Wrong("time", "remembered in memory only", stampedFromMemory()),
                new Wrong("time", "the transition time changes with the message", transitionWithMessage()),
                new Wrong("clock", "the server's time is compared with the own clock", withered()),
                new Wrong("sibling", "the clean-up of one object clears those of the others", clearingAll()),
                new Wrong("sibling", "the clean-up of one object deletes the children of the others", deletingAll()),
                new Wrong("quota", "a denied child is never tried again", deniedForEver()),
                new Wrong("stored version", "remembered in a field of one version only", rememberedInOneVersion()),
                new Wrong("upgrade", "the child of the previous version is left", leftByPrevious()),
                new Wrong("not deterministic", "a password from a seed that differs each time", randomPassword()));
    }

    private static Convergence<?> nameKeptLate() {
        return inCluster(living((reconciliation, garden) -> {
            String name = garden.state().child();
            if (name.isEmpty()) {
                name = reconciliation
                        .client()
                        .create(generated(garden))
                        .getMetadata()
                        .getName();
            } else {
                ensureChild(reconciliation, garden, name);
            }
            say(reconciliation, garden, "Planted", name);
        }));
    }

    private static Convergence<?> stuckPhase() {
        return inCluster(living((reconciliation, garden) -> {
            if (garden.state().phase().equals("Planting")) {
                return; // somebody is at it
            }
            if (garden.state().observedGeneration() != garden.generation()) {
                say(reconciliation, garden, "Planting", "");
            }
            ensureChild(reconciliation, garden, childName(garden));
            reconciliation.resource().ifPresent(present -> say(reconciliation, present, "Planted", ""));
        }));
    }

    private static Convergence<?> seenBeforeDone() {
        return inCluster(living((reconciliation, garden) -> {
            if (garden.state().observedGeneration() == garden.generation()
                    && cached(reconciliation, childName(garden)).isPresent()) {
                return;
            }
            say(reconciliation, garden, "Planted", "");
            ensureChild(reconciliation, garden, childName(garden));
        }));
    }

    private static Convergence<?> rentedTwice() {
        return onFarm(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    String field = held.state().child();
                    say(reconciliation, held, "Planted", field.isEmpty() ? farm.rent("anything") : field);
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.state().child());
                    removeFinalizer(reconciliation, garden);
                }));
    }

    private static Convergence<?> countedInCache() {
        return inCluster(living((reconciliation, garden) -> {
            int present = cachedChildren(reconciliation, garden).size();
            for (int i = present; i < garden.getSpec().beds(); i++) {
                ConfigMap bed = generated(garden);
                bed.setData(Map.of());
                reconciliation.client().create(bed);
            }
            say(reconciliation, garden, "Planted", "");
        }));
    }

    private static Convergence<?> cleanedByCache() {
        return watching(
                both(
                        (reconciliation, garden) -> {
                            Garden held = addFinalizer(reconciliation, garden);
                            if (!isWanted(reconciliation, held)) {
                                throw new IllegalStateException("the cache is behind");
                            }
                            String name = childName(held);
                            Optional<ConfigMap> present = cached(reconciliation, name);
                            ConfigMap wanted = child(held, name);
                            wanted.getMetadata().setOwnerReferences(List.of());
                            if (present.isEmpty()) {
                                reconciliation.client().create(wanted);
                            } else if (!wanted.getData().equals(present.get().getData())) {
                                ConfigMap changed = present.get();
                                changed.setData(wanted.getData());
                                reconciliation.client().update(changed);
                            }
                        },
                        (reconciliation, garden) -> {
                            cachedChildren(reconciliation, garden)
                                    .forEach(child -> Gardening.deleteQuietly(reconciliation, child));
                            removeFinalizer(reconciliation, garden);
                        }),
                child -> child.watches(ConfigMap.class, dev.evenkeel.controller.Mapper.label(LABEL)));
    }

    private static Convergence<?> watching(
            Reconciler<Garden> reconciler, java.util.function.UnaryOperator<Controller<Garden>> how) {
        return cluster(Convergence.of(() -> how.apply(Controller.of(Garden.class, reconciler))));
    }

    private static Convergence<?> clearedByCache() {
        return inCluster(living((reconciliation, garden) -> {
                    ensureChild(reconciliation, garden, childName(garden));
                    reconciliation.cache(ConfigMap.class).list().stream()
                            .filter(child -> child.labels().containsKey(LABEL))
                            .filter(child -> reconciliation
                                    .cache(Garden.class)
                                    .get(ObjectKey.of("default", child.labels().get(LABEL)))
                                    .isEmpty())
                            .forEach(child -> Gardening.deleteQuietly(reconciliation, child.object()));
                    say(reconciliation, garden, "Planted", childName(garden));
                }))
                .edit("another garden", client -> client.create(Garden.of("park", "roses", 1)))
                .without(FaultKind.DELETE, FaultKind.UNDO)
                .always(
                        "who says that it is planted has its beds",
                        client -> client.list(Garden.class, ListOptions.ALL).items().stream()
                                .filter(garden -> garden.state().phase().equals("Planted"))
                                .allMatch(garden -> client.find(
                                                ConfigMap.class, ObjectKey.of("default", childName(garden)))
                                        .isPresent()));
    }

    private static Convergence<?> madeAfterDeletion() {
        return onFarm(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    farm.plant(held.name(), held.crop());
                    say(reconciliation, held, "Planted", "");
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                }));
    }

    private static Convergence<?> madeAfterOvertaking() {
        return onFarm(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    if (!isWanted(reconciliation, held)) {
                        throw new IllegalStateException("the cache is behind");
                    }
                    farm.plant(held.name(), held.crop());
                    say(reconciliation, held, "Planted", "");
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                }));
    }

    private static Convergence<?> tornRead() {
        return onFarm(farm -> both(
                (reconciliation, garden) -> {
                    if (garden.state().observedGeneration() == garden.generation()) {
                        return;
                    }
                    Garden present = reconciliation.client().get(Garden.class, KEY);
                    if (present.isMarkedForDeletion()) {
                        throw new IllegalStateException("the cache is behind");
                    }
                    Gardening.plant(reconciliation, addFinalizer(reconciliation, present), farm);
                    reconciliation.resource().ifPresent(now -> say(reconciliation, now, "Planted", ""));
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                }));
    }

    private static Convergence<?> cleanedFromMemory() {
        return cluster(Convergence.outside(clock -> new Farm(), Farm::state).controller(farm -> {
            Map<ObjectKey, String> planted = new HashMap<>();
            return Gardening.controller(reconciliation -> {
                ObjectKey key = reconciliation.key();
                Optional<Garden> garden = reconciliation.resource();
                if (garden.isPresent() && !garden.get().isMarkedForDeletion()) {
                    farm.plant(garden.get().name(), garden.get().crop());
                    planted.put(key, garden.get().name());
                    say(reconciliation, garden.get(), "Planted", "");
                } else if (planted.containsKey(key)) {
                    farm.clear(planted.remove(key));
                }
                return Result.done();
            });
        }));
    }

    private static Convergence<?> finalizerBeforeCleanUp() {
        return onFarm(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    Gardening.plant(reconciliation, held, farm);
                },
                (reconciliation, garden) -> {
                    removeFinalizer(reconciliation, garden);
                    farm.clear(garden.name());
                }));
    }

    private static Convergence<?> finalizerAfterCreate() {
        return onFarm(farm -> both(
                (reconciliation, garden) -> {
                    farm.plant(garden.name(), garden.crop());
                    addFinalizer(reconciliation, garden);
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                }));
    }

    private static Convergence<?> finalizerForEver() {
        return inCluster(both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    ensureChild(reconciliation, held, childName(held));
                },
                (reconciliation, garden) -> {
                    var unused =
                            reconciliation.client().delete(ConfigMap.class, ObjectKey.of("default", childName(garden)));
                    removeFinalizer(reconciliation, garden);
                }));
    }

    private static Convergence<?> finalizersOfOthers() {
        return onFarm(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    if (!isWanted(reconciliation, held)) {
                        throw new IllegalStateException("the cache is behind");
                    }
                    farm.plant(held.name(), held.crop());
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.name());
                    garden.getMetadata().setFinalizers(List.of());
                    Garden unused = reconciliation.client().update(garden);
                }));
    }

    private static Convergence<?> livingOn() {
        return onFarm(farm -> reconciliation -> {
            reconciliation.resource().ifPresent(garden -> {
                if (garden.isMarkedForDeletion() && Finalizers.has(garden, Gardening.FINALIZER)) {
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                    return;
                }
                Garden held = addFinalizer(reconciliation, garden);
                if (!isWanted(reconciliation, held)) {
                    throw new IllegalStateException("the cache is behind");
                }
                farm.plant(held.name(), held.crop());
            });
            return Result.done();
        });
    }

    private static Convergence<?> enteredForEver() {
        return cluster(Convergence.of(() -> {
                    Set<String> entered = new HashSet<>();
                    return Gardening.controller(both(
                            (reconciliation, garden) -> {
                                Gardening.enter(reconciliation, garden);
                                entered.add(garden.name());
                            },
                            (reconciliation, garden) -> {
                                if (entered.remove(garden.name())) {
                                    Gardening.strike(reconciliation, garden);
                                }
                                removeFinalizer(reconciliation, garden);
                            }));
                }))
                .given(Given.of(Gardening.REGISTER));
    }

    private static Convergence<?> countingStatus() {
        return inCluster(living((reconciliation, garden) -> {
            String phase = garden.state().phase();
            say(reconciliation, garden, Integer.toString(phase.isEmpty() ? 1 : Integer.parseInt(phase) + 1), "");
        }));
    }

    private static Convergence<?> fighting() {
        return inCluster(living((reconciliation, garden) -> {
            ensureChild(reconciliation, garden, childName(garden));
            for (String season : List.of("spring", "autumn")) {
                var unused = reconciliation
                        .client()
                        .patch(
                                Kind.of(ConfigMap.class),
                                ObjectKey.of("default", childName(garden)),
                                Patch.merge("{\"data\":{\"season\":\"" + season + "\"}}"),
                                WriteOptions.DEFAULT);
            }
        }));
    }

    private static Convergence<?> tellingTime() {
        return inCluster(living((reconciliation, garden) -> say(
                reconciliation,
                garden,
                "Planted",
                "as of minute " + reconciliation.clock().instant().getEpochSecond() / 60)));
    }

    static ConfigMap foreign() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("eden-beds")
                .endMetadata()
                .withData(Map.of("crop", "weeds"))
                .build();
    }

    private static Convergence<?> overwriting() {
        return inCluster(living((reconciliation, garden) -> {
                    Optional<ConfigMap> present = cached(reconciliation, childName(garden));
                    if (present.isEmpty()) {
                        reconciliation.client().create(child(garden, childName(garden)));
                    } else if (!garden.crop().equals(present.get().getData().get("crop"))) {
                        ConfigMap changed = present.get();
                        changed.setData(Map.of("crop", garden.crop()));
                        reconciliation.client().update(changed);
                    }
                }))
                .foreign(Given.of(foreign()));
    }

    private static Convergence<?> adopting() {
        return inCluster(living((reconciliation, garden) -> {
                    Optional<ConfigMap> present = cached(reconciliation, childName(garden));
                    if (present.isPresent() && !OwnerReferences.isControlledBy(present.get(), garden)) {
                        ConfigMap adopted = present.get();
                        OwnerReferences.control(garden, adopted);
                        reconciliation.client().update(adopted);
                    }
                }))
                .foreign(Given.of(foreign()));
    }

    private static Convergence<?> deleting() {
        return inCluster(both(
                        (reconciliation, garden) -> addFinalizer(reconciliation, garden), (reconciliation, garden) -> {
                            cached(reconciliation, childName(garden))
                                    .ifPresent(child -> Gardening.deleteQuietly(reconciliation, child));
                            removeFinalizer(reconciliation, garden);
                        }))
                .foreign(Given.of(foreign()));
    }

    private static Convergence<?> onlyCreating() {
        return inCluster(living((reconciliation, garden) -> {
            if (cached(reconciliation, childName(garden)).isEmpty()) {
                reconciliation.client().create(child(garden, childName(garden)));
            }
        }));
    }

    private static Convergence<?> notWatching() {
        return watching(Gardening.child(), controller -> controller.reads(ConfigMap.class));
    }

    private static Convergence<?> replacing() {
        return inCluster(living((reconciliation, garden) -> {
            Map<String, String> labels = Map.of("crop", garden.crop());
            if (!labels.equals(garden.getMetadata().getLabels())) {
                Garden labelled =
                        Garden.of(garden.name(), garden.crop(), garden.getSpec().beds());
                labelled.getMetadata().setLabels(labels);
                labelled.getMetadata()
                        .setResourceVersion(reconciliation
                                .client()
                                .get(Garden.class, KEY)
                                .getMetadata()
                                .getResourceVersion());
                reconciliation.client().update(labelled);
            }
        }));
    }

    private static Convergence<?> swallowing() {
        return inCluster(living((reconciliation, garden) -> {
            if (garden.state().observedGeneration() == garden.generation()
                    && cached(reconciliation, childName(garden)).isPresent()) {
                return;
            }
            try {
                ensureChild(reconciliation, garden, childName(garden));
            } catch (ConflictException e) {
                // it will be right next time
            }
            say(reconciliation, garden, "Planted", "");
        }));
    }

    private static Convergence<?> renamedFromMemory() {
        return cluster(Convergence.of(() -> {
            Map<ObjectKey, String> names = new HashMap<>();
            return Gardening.controller(living((reconciliation, garden) -> {
                String name = garden.name() + "-" + garden.crop();
                ensureChild(reconciliation, garden, name);
                String former = names.put(ObjectKey.of(garden), name);
                if (former != null && !former.equals(name)) {
                    cached(reconciliation, former).ifPresent(child -> Gardening.deleteQuietly(reconciliation, child));
                }
            }));
        }));
    }

    private static Convergence<?> withoutOwner() {
        return watching(
                living((reconciliation, garden) -> {
                    if (cached(reconciliation, childName(garden)).isEmpty()) {
                        ConfigMap child = ModelCodec.copy(child(garden, childName(garden)));
                        child.setData(Map.of());
                        child.getMetadata().setOwnerReferences(List.of());
                        reconciliation.client().create(child);
                    }
                }),
                controller -> controller.watches(ConfigMap.class, dev.evenkeel.controller.Mapper.label(LABEL)));
    }

    private static Convergence<?> fencedOnce() {
        return Gardening.onFields(farm -> both(
                (reconciliation, garden) -> {
                    Garden held = addFinalizer(reconciliation, garden);
                    if (!isWanted(reconciliation, held)) {
                        throw new IllegalStateException("the cache is behind");
                    }
                    boolean fenced = farm.has(held.name());
                    farm.plant(held.name(), held.crop());
                    if (!fenced) {
                        farm.fence(held.name());
                    }
                    if (!isWanted(reconciliation, held)) {
                        farm.clear(held.name());
                    }
                },
                (reconciliation, garden) -> {
                    farm.clear(garden.name());
                    removeFinalizer(reconciliation, garden);
                }));
    }

    private static Convergence<?> rentedAgain() {
        return Gardening.onFields(farm -> both(
                        (reconciliation, garden) -> {
                            Garden held = addFinalizer(reconciliation, garden);
                            String field = held.state().child();
                            say(reconciliation, held, "Planted", field.isEmpty() ? farm.rent("anything") : field);
                        },
                        (reconciliation, garden) -> {
                            farm.clear(garden.state().child());
                            removeFinalizer(reconciliation, garden);
                        }))
                .without(FaultKind.CRASH, FaultKind.DELETE, FaultKind.OVERTAKE);
    }

    static final String SINCE = "test.evenkeel.dev/since";

    static ConfigMap stamped(Garden garden, String time) {
        ConfigMap child = child(garden, childName(garden));
        child.getMetadata().setAnnotations(Map.of(SINCE, time));
        return child;
    }

    private static Convergence<?> stampedAtStart() {
        return cluster(Convergence.of(() -> {
            Map<ObjectKey, String> started = new HashMap<>();
            return Gardening.controller(living((reconciliation, garden) -> {
                String time = started.computeIfAbsent(
                        ObjectKey.of(garden),
                        key -> reconciliation.clock().instant().toString());
                reconciliation.client().apply(stamped(garden, time), WriteOptions.DEFAULT.force(true));
            }));
        }));
    }

    /** A child whose time is written with other changes only, but not read from the present child. */
    private static Convergence<?> stampedFromMemory() {
        return cluster(Convergence.of(() -> {
            Map<ObjectKey, String> planted = new HashMap<>();
            return Gardening.controller(living((reconciliation, garden) -> {
                Optional<ConfigMap> present = cached(reconciliation, childName(garden));
                if (present.isEmpty()
                        || !garden.crop().equals(present.get().getData().get("crop"))) {
                    String time = planted.computeIfAbsent(
                            ObjectKey.of(garden),
                            key -> reconciliation.clock().instant().toString());
                    reconciliation.client().apply(stamped(garden, time), WriteOptions.DEFAULT.force(true));
                }
            }));
        }));
    }

    private static Convergence<?> transitionWithMessage() {
        return inCluster(living((reconciliation, garden) -> {
            List<Condition> before = garden.state().conditions();
            if (!before.isEmpty() && before.getFirst().getMessage().equals(garden.crop())) {
                return;
            }
            Condition ready = Conditions.condition("Ready", true, garden.generation(), "Planted", garden.crop());
            ready.setLastTransitionTime(reconciliation.clock().instant().toString());
            Gardening.ready(reconciliation, garden, List.of(ready));
        }));
    }

    private static Convergence<?> withered() {
        return inCluster(living((reconciliation, garden) -> {
            ensureChild(reconciliation, garden, childName(garden));
            boolean old = cached(reconciliation, childName(garden))
                    .map(child -> Instant.parse(child.getMetadata().getCreationTimestamp()))
                    .filter(created -> created.plus(Duration.ofHours(1))
                            .isBefore(reconciliation.clock().instant()))
                    .isPresent();
            say(reconciliation, garden, old ? "Withered" : "Planted", childName(garden));
        }));
    }

    private static Convergence<?> clearingAll() {
        return Gardening.two(onFarm(farm -> both(
                (reconciliation, garden) -> Gardening.plant(reconciliation, addFinalizer(reconciliation, garden), farm),
                (reconciliation, garden) -> {
                    farm.fields().forEach(farm::clear);
                    removeFinalizer(reconciliation, garden);
                })));
    }

    private static Convergence<?> deletingAll() {
        return Gardening.two(watching(
                both(
                        (reconciliation, garden) -> {
                            addFinalizer(reconciliation, garden);
                            ensureChild(reconciliation, garden, childName(garden));
                        },
                        (reconciliation, garden) -> {
                            reconciliation.client().list(ConfigMap.class, ListOptions.in("default")).items().stream()
                                    .filter(child ->
                                            OwnerReferences.controllerOf(child).isPresent())
                                    .forEach(child -> Gardening.deleteQuietly(reconciliation, child));
                            removeFinalizer(reconciliation, garden);
                        }),
                controller -> controller.reads(ConfigMap.class)));
    }

    private static Convergence<?> deniedForEver() {
        return inCluster(living((reconciliation, garden) -> {
            if (garden.state().phase().equals("Failed")) {
                return;
            }
            try {
                ensureChild(reconciliation, garden, childName(garden));
                say(reconciliation, garden, "Planted", childName(garden));
            } catch (ForbiddenException e) {
                say(reconciliation, garden, "Failed", "");
            }
        }));
    }

    private static Convergence<?> rememberedInOneVersion() {
        return inCluster(living((reconciliation, garden) -> {
                    String name = garden.state().child();
                    if (name.isEmpty()) {
                        name = reconciliation
                                .client()
                                .create(generated(garden))
                                .getMetadata()
                                .getName();
                    } else {
                        ensureChild(reconciliation, garden, name);
                    }
                    say(reconciliation, garden, "Planted", name);
                }))
                .definitions(Gardening.DEFINITION)
                .without(EnumSet.complementOf(EnumSet.of(FaultKind.MIGRATE)).toArray(FaultKind[]::new));
    }

    private static Convergence<?> leftByPrevious() {
        return inCluster(living((reconciliation, garden) -> {
                    ensureChild(reconciliation, garden, garden.name() + "-plot");
                    say(reconciliation, garden, "Planted", garden.name() + "-plot");
                }))
                .previous(nothing -> Gardening.controller(Gardening.child()));
    }

    private static Convergence<?> randomPassword() {
        return inCluster(living((reconciliation, garden) -> {
            if (cached(reconciliation, childName(garden)).isEmpty()) {
                ConfigMap child = child(garden, childName(garden));
                Random random = new Random(reconciliation.clock().millis());
                child.setData(Map.of("pw", Integer.toString(random.nextInt(1_000_000))));
                reconciliation.client().create(child);
            }
        }));
    }
}
