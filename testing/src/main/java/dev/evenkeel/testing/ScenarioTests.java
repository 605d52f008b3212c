package dev.evenkeel.testing;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.call.Reactor;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opentest4j.AssertionFailedError;

/**
 * A table of scenarios for a controller: several steps in one cluster, such as reconciliations, changes and the passing
 * of time.
 *
 * <pre>{@code
 * ScenarioTests.of(Websites::controller)
 *         .definitions(Path.of("website", "crd.yaml"))
 *         .test("deletes a website with its children", s -> s
 *                 .given(site)
 *                 .reconcile(site)
 *                 .settled(site)
 *                 .then(cluster -> cluster.client().delete(site.object()))
 *                 .reconcile(site, r -> r.expectUpdate(site.finalizers())))
 *         .stream();
 * }</pre>
 *
 * @param <T> class of the primary objects
 */
public final class ScenarioTests<T extends HasMetadata> extends Suite<ScenarioTests<T>, ScenarioTests.Scenario<T>> {
    private final ReconcilerTests.Factory<T> factory;

    private ScenarioTests(ReconcilerTests.Factory<T> factory) {
        super(Scenario::new);
        this.factory = factory;
    }

    /** Returns a suite for a controller that is created for each scenario. */
    public static <T extends HasMetadata> ScenarioTests<T> of(Supplier<Controller<T>> controller) {
        return new ScenarioTests<>(cluster -> controller.get());
    }

    /** Returns a suite for a controller that is created for the cluster of each scenario. */
    public static <T extends HasMetadata> ScenarioTests<T> in(ReconcilerTests.Factory<T> factory) {
        return new ScenarioTests<>(factory);
    }

    @Override
    void run(Scenario<T> specified) {
        specified.run(fixture, factory);
    }

    /**
     * A scenario of {@link ScenarioTests}: several steps in one cluster. Caches are updated before each reconciliation,
     * unless a step states otherwise.
     */
    public static final class Scenario<T extends HasMetadata> extends Suite.Case<Scenario<T>> {
        private final List<Consumer<Stage<T>>> steps = new ArrayList<>();
        private final String name;

        Scenario(String name) {
            this.name = name;
        }

        private static final class Stage<T extends HasMetadata> {
            final TestCluster cluster;
            final Rendering rendering;
            Runner<T> runner;
            final ReconcilerTests.Factory<T> factory;

            Stage(TestCluster cluster, Rendering rendering, ReconcilerTests.Factory<T> factory) {
                this.cluster = cluster;
                this.rendering = rendering;
                this.factory = factory;
                this.runner = new Runner<>(cluster, factory.controller(cluster));
            }
        }

        /** All expected effects of one reconciliation of a scenario. */
        public static final class Reconcile extends Expectations<Reconcile> {
            private boolean stale;

            Reconcile() {}

            /** Leaves the caches as they were after the last reconciliation, except for its own writes. */
            public Reconcile stale() {
                stale = true;
                return this;
            }
        }

        /** Reconciles an object, with these expectations. */
        public Scenario<T> reconcile(String namespace, String objectName, Consumer<Reconcile> expectations) {
            return reconcile(new ObjectKey(namespace, objectName), expectations);
        }

        /** Reconciles an object, with these expectations. */
        public Scenario<T> reconcile(Given<T> object, Consumer<Reconcile> expectations) {
            return reconcile(object.key(), expectations);
        }

        private Scenario<T> reconcile(ObjectKey key, Consumer<Reconcile> expectations) {
            steps.add(stage -> {
                Reconcile expected = new Reconcile();
                expectations.accept(expected);
                expected.furnishOthers(stage.cluster);
                if (!expected.stale) {
                    stage.runner.settle();
                }
                CaseResult verdict = new CaseResult(stage.rendering);
                CaseResult.Observed seen = stage.runner.reconcile(key, expected, verdict);
                verdict.judge(expected, seen);
                verdict.pass(stage.cluster, seen.before());
            });
            return this;
        }

        /** Reconciles an object, with any effects, but without a failure. */
        public Scenario<T> reconcile(Given<T> object) {
            steps.add(stage -> {
                Result unused = run(stage, object.key());
            });
            return this;
        }

        private static <T extends HasMetadata> Result run(Stage<T> stage, ObjectKey key) {
            stage.runner.settle();
            CaseResult.Observed seen = stage.runner.reconcile(key, new Reconcile(), new CaseResult(stage.rendering));
            Throwable thrown = seen.thrown();
            if (thrown != null || !seen.outcome().succeeded()) {
                String what = "it should not fail, but did: " + (thrown == null ? seen.outcome() : thrown);
                throw new AssertionFailedError(
                        what + "\n\nThe calls:\n" + seen.journal().print(), thrown);
            }
            return seen.outcome();
        }

        /**
         * Asserts that an object is settled: another reconciliation does not fail or request a retry, and changes
         * nothing in the cluster. It may write what exists already, as by an apply, and requeue after a delay.
         */
        public Scenario<T> settled(Given<T> object) {
            steps.add(stage -> {
                long before = stage.cluster.revision();
                int mark = stage.cluster.journal().mark();
                Result outcome = run(stage, object.key());
                long changes = stage.cluster.revision() - before;
                if (outcome.retries() || changes != 0) {
                    String problem = outcome.retries()
                            ? "it requests another call: " + outcome
                            : "it changed " + changes + " times";
                    String calls = stage.cluster.journal().since(mark).print();
                    throw new AssertionFailedError("nothing should be left to do for " + object.key() + ", but "
                            + problem + "\n\nThe calls:\n" + calls);
                }
            });
            return this;
        }

        /** Runs an action on the cluster: a change by a user or another controller, or a custom check. */
        public Scenario<T> then(Consumer<TestCluster> change) {
            steps.add(stage -> change.accept(stage.cluster));
            return this;
        }

        /** Lets time pass. */
        public Scenario<T> passes(Duration duration) {
            steps.add(stage -> stage.cluster.pass(duration));
            return this;
        }

        /** Adds reactors from here on. */
        public Scenario<T> reacting(Reactor... between) {
            steps.add(stage -> stage.cluster.reactive().react(between));
            return this;
        }

        /** Restarts the process: creates the controller again, with caches of the present objects. */
        public Scenario<T> restarts() {
            steps.add(stage -> {
                stage.runner.close();
                stage.runner = new Runner<>(stage.cluster, stage.factory.controller(stage.cluster));
            });
            return this;
        }

        void run(Fixture fixture, ReconcilerTests.Factory<T> factory) {
            if (steps.isEmpty()) {
                throw new IllegalArgumentException(
                        "scenario \"" + name + "\" has no step: add reconcile(...), then(...)");
            }
            if (!expectNothing()) {
                throw new IllegalArgumentException("scenario \"" + name
                        + "\": what is expected belongs to a step: reconcile(object, r -> r.expectCreate(...))");
            }
            try (TestCluster cluster = fixture.cluster(now)) {
                clean(cluster, () -> {
                    furnish(cluster);
                    Stage<T> stage = new Stage<>(cluster, fixture.rendering, factory);
                    try {
                        complicate(cluster);
                        for (int i = 0; i < steps.size(); i++) {
                            take(stage, i);
                        }
                    } finally {
                        stage.runner.close();
                    }
                    CaseResult verdict = new CaseResult(fixture.rendering);
                    cluster.unused().forEach(verdict::problem);
                    verdict.pass(cluster);
                });
            }
        }

        private void take(Stage<T> stage, int i) {
            String title = "step " + (i + 1) + " of " + steps.size();
            try {
                steps.get(i).accept(stage);
            } catch (AssertionError e) {
                throw new AssertionFailedError("In " + title + ": " + e.getMessage(), e);
            } catch (RuntimeException e) {
                throw new IllegalStateException("In " + title + ": " + e, e);
            }
        }
    }
}
