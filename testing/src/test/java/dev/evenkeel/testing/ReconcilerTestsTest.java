package dev.evenkeel.testing;

import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.EventRecorder.Type;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;
import org.slf4j.LoggerFactory;

/** The table tests: that they pass what is right, and say well what is not. */
class ReconcilerTestsTest {
    private static final Given<ConfigMap> PARENT = Given.yaml(ConfigMap.class, """
            metadata:
              namespace: shop
              name: parent
            data:
              size: "3"
            """);
    private static final Given<Secret> CHILD = Given.yaml(Secret.class, """
                    metadata:
                      namespace: shop
                      name: child
                    stringData:
                      size: "3"
                    """).ownedBy(PARENT);
    private static final Given<Pod> POD = Given.yaml(Pod.class, """
            metadata: {namespace: shop, name: p}
            spec: {containers: [{name: c, image: i}]}
            """);

    private static final Reconciler<ConfigMap> MAKES_A_CHILD = reconciliation -> {
        ConfigMap parent = reconciliation.resource().orElseThrow();
        if (reconciliation.cache(Secret.class).get(CHILD.key()).isEmpty()) {
            Secret child = CHILD.without("metadata.ownerReferences").object();
            child.setStringData(Map.of("size", parent.getData().get("size")));
            OwnerReferences.control(parent, child);
            Secret created = reconciliation.client().create(child);
            reconciliation.events().record(parent, Type.NORMAL, "Created", "", "Created Secret \"child\"");
            assertThat(created.getMetadata().getUid()).isNotEmpty();
        }
        return Result.done();
    };

    private static Reconciler<ConfigMap> calls(Consumer<Client> calls) {
        return reconciliation -> {
            calls.accept(reconciliation.client());
            return Result.done();
        };
    }

    private static ReconcilerTests<ConfigMap> tests(Reconciler<ConfigMap> reconciler) {
        return ReconcilerTests.of(() -> Controller.of(ConfigMap.class, reconciler)
                        .owns(Secret.class)
                        .tracks(Kind.of(Pod.class)))
                .rendering(Rendering.plain());
    }

    private static void run(Reconciler<ConfigMap> reconciler, Consumer<ReconcilerTests.Case<ConfigMap>> specification) {
        run(tests(reconciler).test("case", specification));
    }

    /** Runs cases; what one throws is what JUnit would show. */
    private static void run(ReconcilerTests<ConfigMap> tests) {
        for (DynamicTest test : tests.stream().toList()) {
            try {
                test.getExecutable().execute();
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void failing(
            Reconciler<ConfigMap> reconciler, Consumer<ReconcilerTests.Case<ConfigMap>> specification, String... said) {
        assertThatThrownBy(() -> run(reconciler, specification))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContainingAll(said);
    }

    @TestFactory
    Stream<DynamicTest> passing() {
        return tests(MAKES_A_CHILD)
                .test(
                        "creates a missing child",
                        t -> t.given(PARENT)
                                .expectCreate(CHILD)
                                .expectEvent(PARENT, "Normal", "Created", "Created Secret \"child\"")
                                .expectOrder(on(RecordedCall.Verb.CREATE).kind(Secret.class)))
                .test("leaves an existing child", t -> t.given(PARENT, CHILD))
                .test(
                        "gets a conflict if the caches are stale",
                        t -> t.given(PARENT)
                                .givenOnServer(CHILD.at("data.other", "eA=="))
                                .expectCreate(CHILD)
                                .expectError(AlreadyExistsException.class))
                .test(
                        "passes a refusal on",
                        t -> t.given(PARENT)
                                .react(on(RecordedCall.Verb.CREATE)
                                        .kind(Secret.class)
                                        .fails(forbidden("quota")))
                                .expectCreate(CHILD)
                                .expectError(ForbiddenException.class, "quota"))
                .test(
                        "shows the cluster after it",
                        t -> t.given(PARENT)
                                .expectCreate(CHILD)
                                .expectEvent(PARENT, "Normal", "Created", "Created Secret \"child\"")
                                .verify(run -> {
                                    Secret made = run.cluster().client().get(Secret.class, CHILD.key());
                                    assertThat(made.getData()).containsEntry("size", "Mw==");
                                    assertThat(run.outcome().succeeded()).isTrue();
                                }))
                .stream();
    }

    @Test
    @DisplayName("Each kind of write can be expected")
    void allVerbs() {
        Given<ConfigMap> bigger = PARENT.at("data.size", "4");
        Patch patch = Patch.merge("{\"data\": {\"size\": \"5\"}}");
        ListOptions selected = ListOptions.in("shop").labels(LabelSelector.parse("a=b"));
        run(
                calls(client -> {
                    var unused = client.update(bigger.object());
                    var unused2 = client.patch(Kind.of(ConfigMap.class), PARENT.key(), patch, WriteOptions.DEFAULT);
                    var unused3 = client.apply(CHILD.object(), WriteOptions.DEFAULT.fieldManager("m"));
                    var unused4 = client.delete(Secret.class, CHILD.key());
                    var unused5 = client.deleteAll(Kind.of(Secret.class), selected, DeleteOptions.DEFAULT);
                }),
                t -> t.given(PARENT)
                        .expectUpdate(bigger)
                        .expectPatch(PARENT, Patch.merge("{\"data\":{\"size\":\"5\"}}"))
                        .expectApply(CHILD)
                        .expectDelete(CHILD)
                        .expectDeleteAll(Secret.class, selected));
    }

    @Test
    @DisplayName("A status is expected separately: differences are shown, and its key counts (D4)")
    void statuses() {
        Reconciler<ConfigMap> writes = calls(client -> {
            Pod live = client.get(Pod.class, POD.key());
            live.setStatus(new PodStatusBuilder().withPhase("Running").build());
            var unused = client.updateStatus(live);
        });
        run(writes, t -> t.given(PARENT).given(POD).expectStatusUpdate(POD.statusAt("phase", "Running")));
        failing(
                writes,
                t -> t.given(PARENT).given(POD).expectStatusUpdate(POD.statusAt("phase", "Failed")),
                "update of the status",
                "Failed",
                "Running");
        failing(
                writes,
                t -> t.given(PARENT).given(POD).expectStatusUpdate(POD.name("q").statusAt("phase", "Running")),
                "shop/q",
                "shop/p");
    }

    @Test
    @DisplayName("The status that an update sends and the server ignores does not count, unless it is expected")
    void ignoredStatuses() {
        Given<Pod> running = POD.statusAt("phase", "Running");
        Reconciler<ConfigMap> updates = calls(client -> {
            Pod live = client.get(Pod.class, POD.key());
            live.getMetadata().setLabels(Map.of("a", "b"));
            var unused = client.update(live);
        });
        run(updates, t -> t.given(PARENT).given(running).expectUpdate(POD.label("a", "b")));
        run(updates, t -> t.given(PARENT).given(running).expectUpdate(running.label("a", "b")));
        failing(
                updates,
                t -> t.given(PARENT)
                        .given(running)
                        .expectUpdate(POD.label("a", "b").statusAt("phase", "Failed")),
                "Failed",
                "Running");
    }

    @Test
    @DisplayName("A terminating object is expected without its deletion timestamp, which only the server sets")
    void marks() {
        Given<ConfigMap> going = PARENT.finalizers("example.com/hold").deleted(TestCluster.NOW);
        run(
                calls(client -> {
                    ConfigMap live = client.get(ConfigMap.class, PARENT.key());
                    live.getMetadata().getFinalizers().clear();
                    var unused = client.update(live);
                }),
                t -> t.given(going).expectUpdate(PARENT));
    }

    @Test
    @DisplayName("Different, missing and unexpected effects are all reported, with the calls, and with lines to paste")
    void messages() {
        failing(
                MAKES_A_CHILD,
                t -> t.given(PARENT)
                        .expectCreate(CHILD.at("stringData.size", "4"))
                        .expectDelete(CHILD)
                        .expectEvent(PARENT, "Normal", "Other", "nothing"),
                "3 things are not as expected",
                "Expected but not seen: delete secrets shop/child",
                "The event 1 differs",
                "The calls:",
                "create secrets shop/child",
                ".expectCreate(Given.yaml(Secret.class, \"\"\"");
        failing(MAKES_A_CHILD, t -> t.given(PARENT), "Unexpected: create secrets shop/child", "Unexpected event");
        failing(calls(client -> {}), t -> t.given(PARENT).expectCreate(CHILD), "Expected but not seen: create");
    }

    @Test
    @DisplayName("Results are compared, also with an expected error if one is given")
    void results() {
        Duration minute = Duration.ofMinutes(1);
        Reconciler<ConfigMap> later = reconciliation -> Result.after(minute);
        run(later, t -> t.given(PARENT).expectResult(Result.after(minute)));
        failing(later, t -> t.given(PARENT), "It should end as: DONE", "PT1M");
        failing(later, t -> t.given(PARENT).expectResult(Result.retry()), "It should end as");
        failing(later, t -> t.given(PARENT).expectError(), "It should fail", "did not");
        Reconciler<ConfigMap> fails = reconciliation -> {
            throw new IllegalStateException("broken");
        };
        run(fails, t -> t.given(PARENT).expectError(IllegalStateException.class, "broken"));
        failing(fails, t -> t.given(PARENT), "It should not fail, but did", "broken");
        failing(
                fails,
                t -> t.given(PARENT).expectError(IllegalStateException.class).expectResult(Result.after(minute)),
                "PT1M");
    }

    @Test
    @DisplayName("A reactor that never fires fails the case (D5)")
    void unused() {
        failing(
                MAKES_A_CHILD,
                t -> t.given(PARENT, CHILD)
                        .react(on(RecordedCall.Verb.CREATE)
                                .kind(ConfigMap.class)
                                .fails(forbidden("x"))),
                "create configmaps");
    }

    @Test
    @DisplayName("Tracks are expected, all of them, in their order")
    void tracks() {
        Reconciler<ConfigMap> tracks = reconciliation -> {
            var unused = reconciliation.tracker().find(Pod.class, POD.key());
            return Result.done();
        };
        run(tracks, t -> t.given(PARENT).expectTrack(Tracker.Target.of(Kind.of(Pod.class), POD.key())));
        run(tracks, t -> t.given(PARENT).expectTrack(POD));
        failing(tracks, t -> t.given(PARENT), "Unexpected track");
    }

    @Test
    @DisplayName("Given tracks are those of earlier reconciliations, and no effects")
    void givenTracks() {
        ReconcilerTests.Factory<ConfigMap> tracking = cluster ->
                Controller.of(ConfigMap.class, reconciliation -> Result.done()).tracks(Pod.class);
        run(ReconcilerTests.in(tracking).test("case", t -> t.given(PARENT).givenTracks(POD)));
        assertThatThrownBy(() -> run(ReconcilerTests.in(tracking)
                        .test("case", t -> t.given(PARENT).givenTracks(CHILD))))
                .hasMessageContaining("does not track Secret");
    }

    @Test
    @DisplayName("A check sees the stash after the run")
    void stash() {
        Stash.Key<String> image = Stash.Key.of("image", String.class);
        run(
                reconciliation -> {
                    reconciliation.stash().put(image, "web:1");
                    return Result.done();
                },
                t -> t.given(PARENT)
                        .verify(run -> assertThat(run.stash().require(image)).isEqualTo("web:1")));
    }

    @Test
    @DisplayName("The logger of a reconciliation carries the key of the object")
    void logger() {
        run(
                reconciliation -> {
                    reconciliation.logger().warn("resolved {}", "web:1");
                    reconciliation.logger().atWarn().addKeyValue("size", 3).log("too small");
                    reconciliation.logger().error("no {} of {}", 1, 2, new IllegalStateException("x"));
                    return Result.done();
                },
                t -> t.given(PARENT)
                        .expectLog("WARN", "resolved web:1 key=shop/parent")
                        .expectLog("WARN", "too small key=shop/parent size=3")
                        .expectLog("ERROR", "no 1 of 2 key=shop/parent"));
    }

    @Test
    @DisplayName("A skipped case is reported with its reason, and not run")
    void skip() {
        List<String> seen = new ArrayList<>();
        ReconcilerTests<ConfigMap> tests = tests(calls(client -> {}))
                .skip("one", "issue 7", t -> t.given(PARENT).prepare(cluster -> seen.add("one")))
                .test("two", t -> t.given(PARENT).prepare(cluster -> seen.add("two")));
        List<DynamicTest> cases = tests.stream().toList();
        assertThatThrownBy(() -> cases.getFirst().getExecutable().execute())
                .isInstanceOf(TestAbortedException.class)
                .hasMessage("issue 7");
        Tables.run(Stream.of(cases.getLast()));
        assertThat(seen).containsExactly("two");
        assertThatThrownBy(() -> tests.skip("three", " ", t -> {})).hasMessageContaining("give the reason");
    }

    @Test
    @DisplayName("Other clusters have objects of their own, whose calls are expected too (D3)")
    void clusters() {
        ReconcilerTests.Factory<ConfigMap> factory = cluster -> Controller.of(ConfigMap.class, reconciliation -> {
            Client hub = cluster.other("hub").reactive();
            if (hub.find(ConfigMap.class, ObjectKey.of("shop", "switch")).isPresent()) {
                var unused = hub.create(CHILD.object());
            }
            return Result.done();
        });
        Given<ConfigMap> on = PARENT.name("switch");
        run(ReconcilerTests.in(factory)
                .test(
                        "expected",
                        t -> t.given(PARENT).cluster("hub", hub -> hub.given(on).expectCreate(CHILD))));
        assertThatThrownBy(() -> run(ReconcilerTests.in(factory)
                        .test("extra", t -> t.given(PARENT).cluster("hub", hub -> hub.given(on)))))
                .hasMessageContaining("Unexpected: create secrets shop/child in cluster hub");
        assertThatThrownBy(() -> run(ReconcilerTests.in(factory)
                        .test("missing", t -> t.given(PARENT).cluster("hub", hub -> hub.expectCreate(CHILD)))))
                .hasMessageContaining("Expected but not seen: create secrets shop/child in cluster hub");
    }

    @Test
    @DisplayName("A reactor of another cluster that never fires fails the case, too")
    void reactorsOfOtherClusters() {
        ReconcilerTests.Factory<ConfigMap> idle =
                cluster -> Controller.of(ConfigMap.class, reconciliation -> Result.done());
        Consumer<TestCluster> refusing = cluster -> cluster.other("hub")
                .reactive()
                .react(on(RecordedCall.Verb.CREATE).fails(forbidden("quota")));
        assertThatThrownBy(() -> run(ReconcilerTests.in(idle)
                        .test("unused", t -> t.given(PARENT).prepare(refusing))))
                .hasMessageContaining("In cluster hub, this reactor never fired: on create");
        assertThatThrownBy(() -> Tables.run(
                        ScenarioTests.in(idle)
                                .test(
                                        "unused",
                                        s -> s.given(PARENT).then(refusing).reconcile(PARENT))
                                .stream()))
                .hasMessageContaining("In cluster hub, this reactor never fired: on create");
    }

    @Test
    @DisplayName("Observed effects in another cluster are rendered as expectations there")
    void pastedOfOtherClusters() {
        ReconcilerTests.Factory<ConfigMap> factory = cluster -> Controller.of(ConfigMap.class, reconciliation -> {
            var unused = cluster.other("hub").reactive().create(CHILD.object());
            return Result.done();
        });
        for (Consumer<ReconcilerTests.Case<ConfigMap>> given : List.<Consumer<ReconcilerTests.Case<ConfigMap>>>of(
                t -> t.prepare(cluster -> cluster.other("hub").put(PARENT)),
                t -> t.cluster("hub", hub -> hub.given(PARENT)))) {
            assertThatThrownBy(() -> run(ReconcilerTests.in(factory).test("extra", t -> given.accept(t.given(PARENT)))))
                    .hasMessageContainingAll(
                            "Unexpected: create secrets shop/child in cluster hub",
                            "If what was seen is right, expect it:\n"
                                    + ".cluster(\"hub\", cluster -> cluster.expectCreate(Given.yaml(Secret.class, ");
        }
    }

    @Test
    @DisplayName("A suite in some namespaces: nothing is known of others, and nothing of them is selected")
    void namespaces() {
        Given<Secret> elsewhere = Given.yaml(Secret.class, "{metadata: {namespace: kube-system, name: other}}");
        Reconciler<ConfigMap> counts = reconciliation -> {
            assertThat(reconciliation.cache(Secret.class).list()).hasSize(1);
            Object unused = reconciliation.cache(Secret.class).list("kube-system");
            return Result.done();
        };
        Controller<ConfigMap> controller =
                Controller.of(ConfigMap.class, counts).reads(Secret.class);
        run(ReconcilerTests.of(() -> controller)
                .namespaces("shop")
                .test(
                        "has no other clusters",
                        t -> t.given(PARENT)
                                .given(CHILD, elsewhere)
                                .expectError(
                                        IllegalArgumentException.class,
                                        "namespace \"kube-system\" is none of [shop]")));
        assertThatThrownBy(() -> run(ReconcilerTests.of(() -> controller.selection(ListOptions.in("kube-system")))
                        .namespaces("shop")
                        .test("selects others", t -> t.given(PARENT))))
                .hasMessageContaining("selecting configmaps: namespace \"kube-system\" is none of [shop]");
    }

    @Test
    @DisplayName("Lines of the log and metrics are expected")
    void logsAndMetrics() {
        ReconcilerTests.Factory<ConfigMap> factory = cluster -> Controller.of(ConfigMap.class, reconciliation -> {
            LoggerFactory.getLogger("site").atWarn().addKeyValue("size", 3).log("too small");
            cluster.meters().counter("looks", "kind", "small").increment();
            return Result.done();
        });
        run(ReconcilerTests.in(factory)
                .test(
                        "both",
                        t -> t.given(PARENT)
                                .expectLog("WARN", "too small size=3")
                                .expectMetric("looks", 1, "kind", "small")));
        assertThatThrownBy(() -> run(ReconcilerTests.in(factory)
                        .test(
                                "neither",
                                t -> t.given(PARENT)
                                        .expectLog("ERROR", "too small")
                                        .expectMetric("looks", 2, "kind", "small"))))
                .hasMessageContainingAll("Expected in the log", "should be 2.0, and is 1.0");
    }

    @Test
    @DisplayName("Preparations take effect, clean-ups run last, and hide no failure")
    void preparations() {
        List<String> seen = new ArrayList<>();
        run(
                reconciliation -> {
                    seen.add(reconciliation.resource().orElseThrow().getData().get("size"));
                    return Result.done();
                },
                t -> t.given(PARENT)
                        .prepare(cluster -> cluster.put(PARENT.at("data.size", "7")))
                        .cleanUp(cluster -> seen.add("clean")));
        assertThat(seen).containsExactly("7", "clean");
        assertThatThrownBy(() -> run(
                        calls(client -> {}),
                        t -> t.given(PARENT).expectCreate(CHILD).cleanUp(cluster -> {
                            throw new IllegalStateException("clean-up");
                        })))
                .isInstanceOf(AssertionFailedError.class)
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("clean-up"));
    }

    @Test
    @DisplayName("Changes by meanwhile() are not in the caches")
    void meanwhile() {
        run(
                reconciliation -> {
                    assertThat(reconciliation.resource()).isPresent();
                    assertThat(reconciliation.client().find(ConfigMap.class, PARENT.key()))
                            .isEmpty();
                    return Result.done();
                },
                t -> t.given(PARENT).meanwhile(cluster -> cluster.client().delete(ConfigMap.class, PARENT.key())));
    }

    @Test
    @DisplayName("A part of a cluster is one instance, and another one in the next cluster")
    void parts() {
        List<StringBuilder> seen = new ArrayList<>();
        ReconcilerTests.Factory<ConfigMap> factory = cluster -> {
            StringBuilder notes = cluster.part(StringBuilder.class, any -> new StringBuilder());
            return Controller.of(ConfigMap.class, reconciliation -> {
                notes.append("seen");
                return Result.done();
            });
        };
        Consumer<ReconcilerTests.Case<ConfigMap>> specification = t -> t.given(PARENT)
                .prepare(cluster -> cluster.part(StringBuilder.class, any -> new StringBuilder("prepared, ")))
                .verify(run -> {
                    StringBuilder notes = run.cluster().part(StringBuilder.class, any -> new StringBuilder());
                    assertThat(notes).hasToString("prepared, seen");
                    seen.add(notes);
                });
        run(ReconcilerTests.in(factory).test("one", specification).test("two", specification));
        assertThat(seen).hasSize(2);
        assertThat(seen.get(0)).isNotSameAs(seen.get(1));
    }

    @Test
    @DisplayName("A controller's initializer is called before it reconciles, and its writes are not expected")
    void initializers() {
        Reconciler<ConfigMap> finds = reconciliation -> {
            assertThat(reconciliation.client().find(Secret.class, CHILD.key())).isPresent();
            return Result.done();
        };
        run(ReconcilerTests.of(() -> Controller.of(ConfigMap.class, finds)
                        .initializer(context -> context.client().create(CHILD.object())))
                .test("initialized", t -> t.given(PARENT)));
    }

    @Test
    @DisplayName("All focused cases run, and then the suite fails (upstream runs the first only)")
    void focus() {
        List<String> seen = new ArrayList<>();
        ReconcilerTests<ConfigMap> tests = tests(calls(client -> {}))
                .focus("one", t -> t.given(PARENT).prepare(cluster -> seen.add("one")))
                .test("two", t -> t.given(PARENT).prepare(cluster -> seen.add("two")))
                .focus("three", t -> t.given(PARENT).prepare(cluster -> seen.add("three")));
        assertThatThrownBy(() -> run(tests)).hasMessageContaining("2 of 3 cases are focused");
        assertThat(seen).containsExactly("one", "three");
    }

    @Test
    @DisplayName("Wrong specifications are refused, with what to do")
    void misuse() {
        ReconcilerTests<ConfigMap> empty = tests(calls(client -> {}));
        assertThatThrownBy(() -> run(calls(client -> {}), t -> {})).hasMessageContaining("request(namespace, name)");
        assertThatThrownBy(empty::stream).hasMessageContaining("no case");
        assertThatThrownBy(() -> empty.test("a", t -> {}).test("a", t -> {})).hasMessageContaining("duplicate case");
        assertThatThrownBy(() -> run(
                        calls(client -> {}),
                        t -> t.given(Given.yaml("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}"))))
                .hasMessageContaining("definitions(...)");
        assertThatThrownBy(() -> run(tests(calls(client -> {}))
                        .definitions("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
                        .test("a", t -> t.given(PARENT))))
                .hasMessageContaining("not a CustomResourceDefinition");
    }

    @Test
    @DisplayName("Test clusters have the semantics of a server: cascades, defaults, generated names")
    void semantics() {
        run(
                calls(client -> {
                    var unused = client.delete(ConfigMap.class, PARENT.key());
                    assertThat(client.find(Secret.class, CHILD.key())).isEmpty();
                    Pod pod = POD.object();
                    pod.getMetadata().setName(null);
                    pod.getMetadata().setGenerateName("p-");
                    Pod made = client.create(pod);
                    assertThat(made.getSpec().getRestartPolicy()).isEqualTo("Always");
                    assertThat(made.getMetadata().getName()).startsWith("p-");
                }),
                t -> t.given(PARENT, CHILD)
                        .expectDelete(PARENT)
                        .expectCreate(POD.without("metadata.name").at("metadata.generateName", "p-")));
    }
}
