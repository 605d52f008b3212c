package dev.evenkeel.testing;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * A table of cases for one part of a tree: each states the object that it works on in memory, and <em>all</em> effects
 * of one run. Like {@link ReconcilerTests}, without the root.
 *
 * @param <T> class of the primary objects
 */
public final class SubReconcilerTests<T extends HasMetadata>
        extends Suite<SubReconcilerTests<T>, SubReconcilerTests.Case<T>> {
    private final Function<TestCluster, ? extends SubReconciler<T>> factory;
    private Controller<T> controller;

    private SubReconcilerTests(Kind<T> kind, Function<TestCluster, ? extends SubReconciler<T>> factory) {
        super(name -> new Case<>());
        this.factory = factory;
        this.controller = Controller.of(kind, reconciliation -> Result.done());
    }

    /** Returns a suite for a part that is created for each case. */
    public static <T extends HasMetadata> SubReconcilerTests<T> of(
            Class<T> type, Supplier<? extends SubReconciler<T>> part) {
        return new SubReconcilerTests<>(Kind.of(type), cluster -> part.get());
    }

    /** Returns a suite for a part that is created for the cluster of each case. */
    public static <T extends HasMetadata> SubReconcilerTests<T> in(
            Class<T> type, Function<TestCluster, ? extends SubReconciler<T>> factory) {
        return new SubReconcilerTests<>(Kind.of(type), factory);
    }

    /**
     * Adds declarations of the controller to those of the part {@linkplain SubReconciler#declare itself}, such as
     * {@code c -> c.owns(Deployment.class).tracks(Kind.of(Secret.class))}.
     */
    public SubReconcilerTests<T> declaring(UnaryOperator<Controller<T>> declarations) {
        controller = declarations.apply(controller);
        return this;
    }

    @Override
    void run(Case<T> specified) {
        specified.run(fixture, this);
    }

    /** A case of {@link SubReconcilerTests}: the object that the part works on, and all effects. */
    public static final class Case<T extends HasMetadata> extends Suite.Case<Case<T>> {
        private final Map<Stash.Key<?>, Object> stashed = new LinkedHashMap<>();
        private final Map<Stash.Key<?>, Object> expectedStash = new LinkedHashMap<>();
        private final Set<Stash.Key<?>> absent = new LinkedHashSet<>();
        private final List<Tracker.Target> givenTracks = new ArrayList<>();
        private final List<Consumer<Case<T>>> again = new ArrayList<>();
        private Normalization resourceNormalization = Normalization.written();
        private @Nullable Given<T> resource;
        private @Nullable Given<T> expectedResource;

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

        /** Sets the object that the part works on; it is in the cluster, too. */
        public Case<T> resource(Given<T> object) {
            resource = object;
            return this;
        }

        /** Expects that the part leaves the object like this in memory; by default unchanged. */
        public Case<T> expectResource(Given<T> object) {
            expectedResource = object;
            return this;
        }

        /** Sets how the object in memory is compared; by default like written ones. */
        public Case<T> comparingResource(Normalization value) {
            resourceNormalization = value;
            return this;
        }

        /** Puts a value as if by an earlier part. */
        public <V> Case<T> stashed(Stash.Key<V> key, V value) {
            stashed.put(key, value);
            return this;
        }

        /** Expects that the part puts this value; other values are not checked. */
        public <V> Case<T> expectStashed(Stash.Key<V> key, V value) {
            expectedStash.put(key, value);
            return this;
        }

        /** Expects that there is no value of this key afterwards. */
        public Case<T> expectNotStashed(Stash.Key<?> key) {
            absent.add(key);
            return this;
        }

        /**
         * Runs the same part again, in the cluster as it is then, for parts with state: objects given here are created
         * before, the object is the one given here, or as the run before left it in memory, and the reactors are those
         * given here. Time advances to one given here.
         */
        public Case<T> again(Consumer<Case<T>> specification) {
            again.add(specification);
            return this;
        }

        private Given<T> worksOn() {
            if (resource == null) {
                throw new IllegalArgumentException(
                        "resource: set the object that the part works on, with resource(object)");
            }
            return resource;
        }

        void run(Fixture fixture, SubReconcilerTests<T> tests) {
            try (TestCluster cluster = fixture.cluster(now)) {
                clean(cluster, () -> {
                    T made = cluster.put(worksOn());
                    furnish(cluster);
                    SubReconciler<T> part = tests.factory.apply(cluster);
                    Controller<T> controller = part.declare(tests.controller);
                    try (Runner<T> runner = new Runner<>(cluster, controller)) {
                        T last = runner.cached(made);
                        once(fixture, cluster, runner, part, last);
                        for (int i = 0; i < again.size(); i++) {
                            Case<T> next = new Case<>();
                            again.get(i).accept(next);
                            last = next.repeat(fixture, cluster, runner, part, last, i + 2);
                        }
                    }
                });
            }
        }

        private T repeat(
                Fixture fixture, TestCluster cluster, Runner<T> runner, SubReconciler<T> part, T last, int number) {
            if (!again.isEmpty()) {
                throw new IllegalArgumentException(
                        "again: must not be nested in again(...): call it after the first one");
            }
            List<T> object = new ArrayList<>(); // of one
            clean(cluster, () -> {
                now.ifPresent(cluster::passTo);
                @Nullable T made = resource == null ? null : cluster.put(resource);
                furnish(cluster);
                runner.settle();
                object.add(made == null ? last : runner.cached(made));
                try {
                    once(fixture, cluster, runner, part, object.getFirst());
                } catch (AssertionFailedError e) {
                    throw new AssertionFailedError("In run " + number + ": " + e.getMessage(), e);
                }
            });
            return object.getFirst();
        }

        private void once(Fixture fixture, TestCluster cluster, Runner<T> runner, SubReconciler<T> part, T object) {
            runner.tracked(ObjectKey.of(object), givenTracks);
            complicate(cluster);
            Stash stash = new Stash();
            stashed.forEach((key, value) -> put(stash, key, value));
            T original = Given.of(object).object();
            CaseResult verdict = new CaseResult(fixture.rendering);
            CaseResult.Observed seen =
                    runner.run(ObjectKey.of(object), stash, it -> part.reconcile(it, object), this, verdict);
            verdict.judge(this, seen);
            byte[] expected = ModelCodec.encode(expectedResource == null ? original : expectedResource.object());
            byte[] found = ModelCodec.encode(object);
            verdict.compare("The object in memory", expected, found, resourceNormalization, () -> {});
            expectedStash.forEach((key, value) -> {
                Object seenValue = stash.entries().get(key);
                if (!Objects.equals(plain(value), plain(seenValue))) {
                    verdict.problem("In the stash " + key + " should be: " + value + "\nand is:       "
                            + (seenValue == null ? "not there" : seenValue));
                }
            });
            absent.stream()
                    .filter(stash::has)
                    .forEach(key -> verdict.problem("In the stash should be no " + key + ", and there is: "
                            + stash.entries().get(key)));
            cluster.unused().forEach(verdict::problem);
            verdict.pass(cluster, seen.before());
            var unused = reactors.stream().map(cluster.reactive()::remove).toList();
        }

        private static String text(HasMetadata object) {
            return new String(ModelCodec.encode(object), StandardCharsets.UTF_8);
        }

        /** Returns the value as a tree, since classes of objects may not define equality. */
        private static @Nullable Object plain(@Nullable Object value) {
            return value instanceof HasMetadata object
                    ? text(object)
                    : value instanceof Given<?> given ? text(given.object()) : value;
        }

        @SuppressWarnings("unchecked") // put into the map with its key
        private static <V> void put(Stash stash, Stash.Key<V> key, Object value) {
            Object own = value instanceof HasMetadata object ? Given.of(object).object() : value;
            stash.put(key, (V) own);
        }
    }
}
