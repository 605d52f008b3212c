package dev.evenkeel.testing;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of cases for a controller: each states the existing objects and <em>all</em> effects of one reconciliation.
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> websites() {
 *     return ReconcilerTests.of(Websites::controller)
 *             .definitions(Path.of("website", "crd.yaml"))
 *             .test("creates the deployment", t -> t
 *                     .given(site)
 *                     .expectCreate(deployment)
 *                     .expectStatusUpdate(site.condition("Ready").isFalse("Starting", "no replica is ready")))
 *             .test("reports and retries a refused create", t -> t
 *                     .given(site)
 *                     .react(on(CREATE).kind(Deployment.class).fails(forbidden("quota")))
 *                     .expectCreate(deployment)
 *                     .expectError(ForbiddenException.class))
 *             .stream();
 * }
 * }</pre>
 *
 * <p>Each case has a controller and a {@link TestCluster} of its own, so cases run in any order and in parallel.
 *
 * @param <T> class of the primary objects
 */
public final class ReconcilerTests<T extends HasMetadata> extends Suite<ReconcilerTests<T>, ReconcilerTests.Case<T>> {
    /** Creates the controller of a case. */
    @FunctionalInterface
    public interface Factory<T extends HasMetadata> {
        /** Returns a controller that uses the resources of this cluster: its clock, its meters, other clusters. */
        Controller<T> controller(TestCluster cluster);
    }

    private final Factory<T> factory;

    private ReconcilerTests(Factory<T> factory) {
        super(name -> new Case<>());
        this.factory = factory;
    }

    /** Returns a suite for a controller that is created for each case. */
    public static <T extends HasMetadata> ReconcilerTests<T> of(Supplier<Controller<T>> controller) {
        return new ReconcilerTests<>(cluster -> controller.get());
    }

    /** Returns a suite for a controller that is created for the cluster of each case. */
    public static <T extends HasMetadata> ReconcilerTests<T> in(Factory<T> factory) {
        return new ReconcilerTests<>(factory);
    }

    @Override
    void run(Case<T> specified) {
        specified.run(fixture, factory);
    }

    /** A case of {@link ReconcilerTests}: a request, and all effects of its reconciliation. */
    public static final class Case<T extends HasMetadata> extends Suite.Case<Case<T>> {
        private final List<Tracker.Target> givenTracks = new ArrayList<>();
        private @Nullable ObjectKey request;

        Case() {}

        /**
         * Sets what earlier reconciliations of the object have tracked. It does not count as an effect, and must be of
         * kinds that the controller tracks.
         */
        public Case<T> givenTracks(Tracker.Target... targets) {
            givenTracks.addAll(List.of(targets));
            return this;
        }

        /** Sets the objects that earlier reconciliations have tracked. */
        public Case<T> givenTracks(Given<?>... objects) {
            Stream.of(objects)
                    .map(object -> Tracker.Target.of(kind(object), object.key()))
                    .forEach(givenTracks::add);
            return this;
        }

        /** Sets the key to reconcile; by default that of the first given object of the controller's kind. */
        public Case<T> request(String namespace, String name) {
            request = new ObjectKey(namespace, name);
            return this;
        }

        /** Sets the object to reconcile. */
        public Case<T> request(Given<T> object) {
            request = object.key();
            return this;
        }

        private ObjectKey requested(Controller<T> controller) {
            if (request != null) {
                return request;
            }
            Kind<T> kind = controller.primary();
            return given.stream()
                    .filter(object -> object.type().equals(kind.javaType()))
                    .findFirst()
                    .map(Given::key)
                    .orElseThrow(() -> new IllegalArgumentException("request: no given object is of the controller's"
                            + " kind, " + kind.id() + ": set the key with request(namespace, name)"));
        }

        void run(Fixture fixture, ReconcilerTests.Factory<T> factory) {
            try (TestCluster cluster = fixture.cluster(now)) {
                clean(cluster, () -> {
                    furnish(cluster);
                    Controller<T> controller = factory.controller(cluster);
                    ObjectKey key = requested(controller);
                    CaseResult verdict = new CaseResult(fixture.rendering);
                    try (Runner<T> runner = new Runner<>(cluster, controller)) {
                        runner.tracked(key, givenTracks);
                        complicate(cluster);
                        verdict.judge(this, runner.reconcile(key, this, verdict));
                    }
                    cluster.unused().forEach(verdict::problem);
                    verdict.pass(cluster);
                });
            }
        }
    }
}
