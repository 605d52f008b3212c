package dev.evenkeel.testing.convergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Result;
import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class ConvergenceTest {
    /** The name of the child is written down after the child is made. */
    private static Convergence<?> forgetful() {
        return Gardening.inCluster(Gardening.living((reconciliation, garden) -> {
            String name = garden.state().child();
            if (name.isEmpty()) {
                name = reconciliation
                        .client()
                        .create(Gardening.generated(garden))
                        .getMetadata()
                        .getName();
            } else {
                Gardening.ensureChild(reconciliation, garden, name);
            }
            Gardening.say(reconciliation, garden, "Planted", name);
        }));
    }

    @Test
    void reportsTheProblemTheScheduleTheStepsAndTheReplay() {
        assertThatThrownBy(forgetful()::assertConverges)
                .isInstanceOf(AssertionFailedError.class)
                .message()
                .startsWith("""
                        does not converge: at rest the state differs from the run without faults
                            configmaps default/eden-* (2) should not be there

                        by the schedule: crash after write 1
                            reconcile gardens.test.evenkeel.dev default/eden (start gardens.test.evenkeel.dev)
                                1 create configmaps in default -> eden-""")
                .contains("        after 1: the process crashes, and starts again\n")
                .containsPattern("2 create configmaps in default -> eden-\\w{5}\n")
                .contains("at rest\n    WRONG: at rest the state differs from the run without faults\n")
                .endsWith("""
                        to replay it:

                            @Test
                            void convergesCrashAfterWrite1() {
                                convergence.replay("crash after write 1");
                            }
                        """);
    }

    @Test
    void isTheSameEachTime() {
        Convergence.Report one = forgetful().check();
        Convergence.Report other = forgetful().check();

        assertThat(one.failure()).isEqualTo(other.failure());
        assertThat(one.schedules()).isEqualTo(other.schedules());
    }

    @Test
    void aReportHasTheTriedFaults() {
        Convergence.Report report =
                Gardening.inCluster(Gardening.child()).schedules(60).check();

        assertThat(report.converges()).isTrue();
        assertThat(report.schedules()).isEqualTo(61);
        assertThat(report.tried()).containsKeys(FaultKind.CRASH, FaultKind.LAG, FaultKind.DELETE);
        assertThat(report).asString().startsWith("converges: 61 schedules around 4 writes in ");
    }

    @Test
    void excludedFaultsDoNotHappen() {
        Convergence.Report report = forgetful()
                .without(FaultKind.CRASH, FaultKind.LOSE_ANSWER, FaultKind.RESTART_BEHIND)
                .schedules(60)
                .check();

        assertThat(report.tried()).doesNotContainKeys(FaultKind.CRASH, FaultKind.LOSE_ANSWER, FaultKind.RESTART_BEHIND);
    }

    @Test
    void retriesAndPollingSettle() {
        AtomicInteger runs = new AtomicInteger();
        Gardening.cluster(Convergence.of(() -> Gardening.controller(reconciliation -> {
                    runs.incrementAndGet();
                    return Result.after(Duration.ofMinutes(1));
                })))
                .schedules(10)
                .assertConverges();

        assertThat(runs).hasPositiveValue();
    }

    @Test
    void aFailureWithoutFaultsIsReportedFirst() {
        Convergence<?> failing = Gardening.inCluster(reconciliation -> {
            throw new IllegalStateException("no spade");
        });

        assertThatThrownBy(failing::assertConverges)
                .hasMessageStartingWith("does not converge: it fails without faults\n"
                        + "    gardens.test.evenkeel.dev default/eden: java.lang.IllegalStateException: no spade")
                .hasMessageContaining("without faults:");
    }

    /** Roots made of parts throw nothing: what went wrong, and that they want to be called again, is in their outcome. */
    @Test
    void aFailureWithoutAnExceptionIsAFailure() {
        Convergence<?> failing =
                Gardening.inCluster(reconciliation -> Result.failed(new IllegalStateException("no spade")));
        Convergence<?> asking = Gardening.inCluster(reconciliation -> Result.retry());

        assertThatThrownBy(failing::assertConverges)
                .hasMessageStartingWith("does not converge: it fails without faults\n"
                        + "    gardens.test.evenkeel.dev default/eden: java.lang.IllegalStateException: no spade");
        assertThatThrownBy(asking::assertConverges)
                .hasMessageStartingWith("does not converge: it fails without faults\n"
                        + "    gardens.test.evenkeel.dev default/eden: it requests another call, each time");
    }

    /** Objects of other owners excuse failures without faults, and nothing else. */
    @Test
    void aPermanentFailureIsFoundWithForeignObjects() {
        Convergence<?> once = Gardening.cluster(Convergence.of(() -> {
                    AtomicInteger runs = new AtomicInteger();
                    return Gardening.controller(Gardening.living((reconciliation, garden) -> {
                        if (runs.get() == 0) {
                            ConfigMap unused = reconciliation.client().create(Gardening.child(garden, "eden-trees"));
                            runs.incrementAndGet();
                        }
                    }));
                }))
                .without(FaultKind.UNDO, FaultKind.DELETE)
                .foreign(Given.of(WrongReconcilers.foreign()));

        assertThatThrownBy(() -> once.replay("crash after write 1"))
                .hasMessageStartingWith("does not converge: it still fails after the faults have ended\n"
                        + "    gardens.test.evenkeel.dev default/eden: ");
    }

    @Test
    void invariantsAreCheckedAfterEachWrite() {
        Convergence<?> convergence = Beds.eden(Gardening.child())
                .always(
                        "there are no beds",
                        client -> client.list(io.fabric8.kubernetes.api.model.ConfigMap.class, ListOptions.ALL)
                                .items()
                                .isEmpty());

        assertThatThrownBy(convergence::assertConverges)
                .hasMessageContaining("does not always hold: there are no beds")
                .hasMessageContaining("from write 1 on");
    }

    @Test
    void fieldsCanBeLeftOutAndObjectsMayStay() {
        Convergence<?> careless = Gardening.inCluster(Gardening.living((reconciliation, garden) -> {
            var bed = Gardening.child(garden, "eden-beds");
            bed.getMetadata().setOwnerReferences(List.of());
            bed.setData(Map.of("causes", reconciliation.causes().toString()));
            if (Gardening.cached(reconciliation, "eden-beds").isEmpty()) {
                reconciliation.client().apply(bed, WriteOptions.DEFAULT.force(true));
            }
        }));

        assertThat(careless.check().failure().orElseThrow().problem())
                .isEqualTo("something is left after the deletion");
        Convergence<?> excused = careless.outlives(io.fabric8.kubernetes.api.model.ConfigMap.class)
                .without(FaultKind.UNDO, FaultKind.DELETE);
        assertThat(excused.ignoring("data.causes").schedules(60).check())
                .asString()
                .startsWith("converges");
    }

    @Test
    void withoutControllersOrObjectsThereIsNothingToCheck() {
        assertThatThrownBy(() -> Convergence.outside(clock -> "", text -> text).check())
                .hasMessageContaining("no controller");
        assertThatThrownBy(() -> Convergence.of(() -> Gardening.controller(Gardening.child()))
                        .kinds(Garden.class)
                        .check())
                .hasMessageContaining("nothing to reconcile");
    }

    @Test
    void aMalformedScheduleIsRefused() {
        assertThatThrownBy(() -> forgetful().replay("crash sometimes"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a part of a schedule: \"crash sometimes\"");
    }

    @Test
    void anOvertakenProcessContinuesAndWritesNoMore() {
        List<List<String>> diaries = new ArrayList<>();
        Convergence<?> convergence = Gardening.cluster(Convergence.<List<String>>outside(
                        clock -> {
                            diaries.add(new ArrayList<>());
                            return diaries.getLast();
                        },
                        diary -> "")
                .controller(diary -> Gardening.controller(Gardening.living((reconciliation, garden) -> {
                    diary.add("begins");
                    Gardening.ensureChild(reconciliation, garden, Gardening.childName(garden));
                    diary.add("goes on");
                    Gardening.say(reconciliation, garden, "Planted", "");
                    diary.add("writes");
                }))));

        convergence.replay("overtake 0 reads after write 1");

        List<String> diary = diaries.stream()
                .filter(each -> each.size() > 1 && each.get(1).equals("begins"))
                .findFirst()
                .orElseThrow();
        String whole = String.join(", ", diary);
        assertThat(whole).startsWith("begins, begins, goes on, writes");
        // who was overtaken goes on, is refused, and then all is reconciled once more
        assertThat(whole).containsOnlyOnce("goes on, begins, goes on, writes");
    }

    /** The process that takes over answers for the key: what the former one noted about it is out of date. */
    @Test
    void aFailureOfAnOvertakenProcessIsForgotten() {
        Convergence<?> right = Gardening.inCluster(Gardening.entered()).given(Given.of(Gardening.REGISTER));

        right.replay("refuse at write 5; overtake 0 reads after write 7");
        right.replay("refuse at write 6; overtake 0 reads after write 8");
        Gardening.onFarm(Gardening::field).replay("refuse at write 4; overtake 0 reads after write 5");
        Gardening.onFields(Gardening::fenced).replay("refuse at call 1; overtake before call 2");
    }

    /** Nothing refuses the external calls of a process that another one has replaced. */
    @Test
    void aCallOfAnOvertakenProcessHappens() {
        List<Farm> farms = new ArrayList<>();
        Convergence<Fields> convergence = Gardening.cluster(Convergence.<Fields, Farm>external(
                        Fields.class,
                        clock -> {
                            farms.add(new Farm());
                            return farms.getLast();
                        },
                        Farm::state)
                .controller(farm -> Gardening.controller(Gardening.both(
                        (reconciliation, garden) -> {
                            farm.plant(garden.name(), garden.crop());
                            Gardening.addFinalizer(reconciliation, garden);
                        },
                        (reconciliation, garden) -> {
                            farm.clear(garden.name());
                            Gardening.removeFinalizer(reconciliation, garden);
                        }))));

        assertThatThrownBy(() -> convergence.replay(
                        "delete gardens.test.evenkeel.dev default/eden before call 1; overtake before call 1"))
                .hasMessageContaining("something is left after the deletion")
                .hasMessageContaining("outside of the cluster there is {eden=apples}, and should be {}");
    }

    @Test
    void aFailureOfACallIsTheExceptionOfTheSystem() {
        List<String> failures = new ArrayList<>();
        Convergence<Fields> convergence =
                Gardening.cluster(Convergence.<Fields, Farm>external(Fields.class, clock -> new Farm(), Farm::state)
                        .failure(IllegalCallerException::new)
                        .controller(farm -> Gardening.controller(Gardening.both(
                                (reconciliation, garden) -> {
                                    Gardening.addFinalizer(reconciliation, garden);
                                    try {
                                        farm.plant(garden.name(), garden.crop());
                                    } catch (IllegalCallerException e) {
                                        failures.add(e.getMessage());
                                        throw e;
                                    }
                                },
                                (reconciliation, garden) -> {
                                    farm.clear(garden.name());
                                    Gardening.removeFinalizer(reconciliation, garden);
                                }))));

        convergence.replay("refuse at call 1");
        convergence.replay("timeout at call 1");
        convergence.replay("lose answer at call 1");

        assertThat(failures)
                .containsExactly(
                        "the schedule refuses call 1: plant(eden, apples)",
                        "in the schedule call 1 times out: plant(eden, apples)",
                        "the schedule loses the answer to call 1: plant(eden, apples)");
        assertThatThrownBy(() -> Convergence.external(String.class, clock -> "", text -> text))
                .hasMessageContaining("must be an interface: java.lang.String");
    }

    /** The run without faults is wrong, and the message does not take its state for the wanted one. */
    @Test
    void aMessageTellsWhatTheUserAskedFor() {
        Convergence<?> ignoring = Gardening.inCluster(Gardening.living((reconciliation, garden) -> {
            if (Gardening.cached(reconciliation, "eden-beds").isEmpty()) {
                reconciliation.client().create(Gardening.child(garden, "eden-beds"));
            }
        }));

        assertThatThrownBy(ignoring::assertConverges)
                .hasMessageContaining("data.crop is \"pears\"; without faults it is \"apples\"; but the user asked for"
                        + " \"pears\" with spec.crop of gardens.test.evenkeel.dev default/eden, so the run without"
                        + " faults is wrong");
    }

    @Test
    void twoUndisturbedRunsMustBeTheSame() {
        Convergence<?> random = Gardening.inCluster(Gardening.living((reconciliation, garden) -> {
            if (Gardening.cached(reconciliation, "eden-beds").isEmpty()) {
                ConfigMap child = Gardening.child(garden, "eden-beds");
                child.setData(Map.of("pw", reconciliation.clock().instant().toString() + "!"));
                reconciliation.client().create(child);
            }
        }));

        assertThatThrownBy(random::assertConverges)
                .hasMessageStartingWith("does not converge: not deterministic: data.pw of configmaps default/eden-beds"
                        + " differs between two undisturbed runs\n    data.pw of configmaps default/eden-beds is ")
                .hasMessageContaining("use ignoring(\"data.pw\"), or a seeded source that starts again in each run");
        assertThat(random.ignoring("data.pw").schedules(10).check().failure()).isEmpty();
    }

    /** With a second deletion, the others are not those that are left without faults. */
    @Test
    void theOthersAreNotComparedIfOneMoreIsDeletedMeanwhile() {
        Convergence<?> right = Gardening.two(Gardening.onFarm(Gardening::field));

        right.replay("delete gardens.test.evenkeel.dev default/park before write 6");
        right.replay("delete gardens.test.evenkeel.dev default/park after write 6");
    }

    @Test
    void eventsAreLost() {
        Convergence<?> telling = Gardening.inCluster(Gardening.living((reconciliation, garden) -> {
                    reconciliation.events().record(garden, EventRecorder.Type.NORMAL, "Planted", "Plant", "it grows");
                    Gardening.ensureChild(reconciliation, garden, Gardening.childName(garden));
                }))
                .always(
                        "there are no events",
                        client -> client.list(Event.class, ListOptions.ALL)
                                .items()
                                .isEmpty());

        assertThat(telling.schedules(20).check().failure()).isEmpty();
    }

    /** A touched object that the user has replaced by another one of its name is not the one that was touched. */
    @Test
    void whatWasWrittenIntoADeletedObjectIsNotMissed() {
        Convergence<?> right = Beds.replanted(Beds.eden(Gardening.child()), "apples");

        right.replay("conflict at write 2");
    }

    @Test
    void anObjectThatTheUserCreatesIsTheUsersWhateverHadItsNameBefore() {
        Convergence<?> right = Beds.pears(Beds.eden(Gardening.renamedChild()))
                .edit(
                        "creates apples",
                        client -> client.create(new ConfigMapBuilder(WrongReconcilers.foreign())
                                .editMetadata()
                                .withName("eden-apples")
                                .endMetadata()
                                .build()));

        right.without(FaultKind.EDIT).schedules(10).assertConverges();
    }

    /** The child exists through a repeated write, and not through the controller's own. */
    @Test
    void aChildThatTheUserChangesIsStillAChild() {
        Convergence<?> right = Beds.eden(Gardening.child())
                .edit(
                        "labels the beds",
                        client -> client.patch(
                                Kind.of(ConfigMap.class),
                                Beds.key("eden-beds"),
                                Patch.merge("{\"metadata\":{\"labels\":{\"colour\":\"red\"}}}"),
                                WriteOptions.DEFAULT));

        right.replay("repeat at write 1");
    }

    /** A change needs what the controller creates, but the schedule has it before that. */
    @Test
    void aChangeThatCannotBeMadeYetIsMadeLater() {
        Convergence<?> convergence = Beds.eden(Gardening.child())
                .edit("removes the beds", client -> client.delete(ConfigMap.class, Beds.key("eden-beds")));

        assertThat(convergence.schedules(300).check()).matches(Convergence.Report::converges);
        assertThatThrownBy(() -> convergence.replay("edit 1 after write 0")).hasMessageContaining("without effect");
    }

    private static void replayFixed(String reference, String schedule) {
        List<Convergence<?>> fixed = StaleReadDefects.all().stream()
                .filter(defect -> defect.reference().equals(reference))
                .<Convergence<?>>flatMap(defect -> defect.right().stream())
                .toList();
        assertThat(fixed).hasSize(1);
        fixed.getFirst().replay(schedule);
    }

    /** Another actor keeps the deleted garden, and with it the child whose name a user wants. */
    @Test
    void aChangeThatNeedsWhatIsStillBeingDeletedIsNotMade() {
        replayFixed(
                "NVIDIA/aicr 2171",
                "hold gardens.test.evenkeel.dev default/eden after write 0;"
                        + " delete gardens.test.evenkeel.dev default/eden after write 1");
    }

    /** The cache has a garden that was deleted, created again and deleted while the cache was paused. */
    @Test
    void aPausedCacheLosesAnObjectThatWasReplacedMeanwhile() {
        replayFixed(
                "instaclustr/cassandra-operator 404",
                "restart behind gardens.test.evenkeel.dev by 3 after write 3;"
                        + " delete gardens.test.evenkeel.dev default/eden before write 3;"
                        + " miss gardens.test.evenkeel.dev after write 3");
    }

    @Test
    void aReplayWhoseFaultsHaveNoEffectFailsAndNamesThem() {
        Convergence<?> right = Gardening.inCluster(Gardening.child());

        right.replay("crash after write 1; edit 1 before write 2");
        for (String idle : List.of(
                "crash after write 40",
                "lag secrets after write 1",
                "delete configmaps default/none after write 1",
                "overtake 99 reads after write 1",
                "edit 2 after write 4")) {
            assertThatThrownBy(() -> right.replay("crash after write 1; " + idle))
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageStartingWith(
                            "without effect in this schedule: \"" + idle + "\"; without faults there are 4")
                    .hasMessageNotContaining("\"crash after write 1\"");
        }
    }
}
