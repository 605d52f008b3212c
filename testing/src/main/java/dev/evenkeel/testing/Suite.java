package dev.evenkeel.testing;

import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.testing.call.Reactor;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.internal.Definitions;
import dev.evenkeel.testing.object.Given;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * A table of cases with common definitions and objects. Each case has a {@link TestCluster} of its own, so cases run in any
 * order and in parallel.
 *
 * @param <S> class of the suite, for chains
 * @param <C> class of its cases
 */
public abstract class Suite<S extends Suite<S, C>, C extends Suite.Case<C>> {
    private record Named(String name, boolean focused, Executable run) {}

    private final Function<String, C> newCase;
    final Fixture fixture = new Fixture();
    private final List<Named> cases = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();

    Suite(Function<String, C> newCase) {
        this.newCase = newCase;
    }

    @SuppressWarnings("unchecked") // each suite is one of itself
    final S self() {
        return (S) this;
    }

    abstract void run(C specified);

    /** Adds CustomResourceDefinitions, as YAML, to the built-in kinds. */
    public S definitions(String yaml) {
        fixture.definitions.add(yaml);
        return self();
    }

    /** Adds the CustomResourceDefinitions of a file. */
    public S definitions(Path file) {
        return definitions(Definitions.read(file));
    }

    /** Adds types that a program serves itself, such as those of protobuf messages, to the built-in kinds. */
    public S types(TypeSource... types) {
        fixture.types.addAll(List.of(types));
        return self();
    }

    /** Limits controllers to these namespaces, as in a manager of these; default: all. */
    public S namespaces(String... names) {
        fixture.namespaces = Informers.Namespaces.of(names);
        return self();
    }

    /** Adds objects that exist in all cases. */
    public S given(Given<?>... objects) {
        fixture.given.addAll(List.of(objects));
        return self();
    }

    /** Sets the rendering of differences; default: with colours if the terminal has them. */
    public S rendering(Rendering value) {
        fixture.rendering = value;
        return self();
    }

    /** Adds a case. */
    public S test(String name, Consumer<C> specification) {
        return add(name, false, specification);
    }

    /** Adds a case, and skips all that are not focused; the suite fails then, so that it is not forgotten. */
    public S focus(String name, Consumer<C> specification) {
        return add(name, true, specification);
    }

    /**
     * Adds a case that is reported as skipped, with the reason, and not run.
     *
     * @param reason why, such as the issue that must be resolved first; not empty
     */
    public S skip(String name, String reason, Consumer<C> specification) {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("skip: give the reason why case \"" + name + "\" does not run");
        }
        return add(name, false, () -> {
            throw new TestAbortedException(reason);
        });
    }

    private S add(String name, boolean focused, Consumer<C> specification) {
        return add(name, focused, () -> {
            C one = newCase.apply(name);
            specification.accept(one);
            run(one);
        });
    }

    private S add(String name, boolean focused, Executable run) {
        if (!names.add(name)) {
            throw new IllegalArgumentException("test: duplicate case \"" + name + "\": give each a name of its own");
        }
        cases.add(new Named(name, focused, run));
        return self();
    }

    /** Returns the cases, for a {@code @TestFactory}. */
    public Stream<DynamicTest> stream() {
        if (cases.isEmpty()) {
            throw new IllegalStateException("this suite has no case: add one, with test(...)");
        }
        List<Named> run = new ArrayList<>(cases.stream().filter(Named::focused).toList());
        if (run.isEmpty()) {
            run.addAll(cases);
        } else {
            String problem = run.size() + " of " + cases.size()
                    + " cases are focused, so the others did not run: use test(...), not focus(...)";
            run.add(new Named("no case is focused", false, () -> {
                throw new AssertionFailedError(problem);
            }));
        }
        return run.stream().map(one -> DynamicTest.dynamicTest(one.name(), one.run()));
    }

    /** The initial state of a case, and the expected effects. */
    public abstract static class Case<S extends Case<S>> extends Expectations<S> {
        final List<Given<?>> given = new ArrayList<>();
        final List<Given<?>> onServer = new ArrayList<>();
        final List<Reactor> reactors = new ArrayList<>();
        final List<Consumer<TestCluster>> preparations = new ArrayList<>();
        final List<Consumer<TestCluster>> changes = new ArrayList<>();
        final List<Consumer<TestCluster>> cleanUps = new ArrayList<>();
        Optional<Instant> now = Optional.empty();

        Case() {}

        /**
         * Adds objects that exist at the start, with all their fields: status, uid, times, deletion timestamp. The
         * caches have them.
         */
        public S given(Given<?>... objects) {
            given.addAll(List.of(objects));
            return self();
        }

        /** Adds objects that the caches do not have yet: new ones, or newer states of given ones. */
        public S givenOnServer(Given<?>... objects) {
            onServer.addAll(List.of(objects));
            return self();
        }

        /** Adds reactors between the code under test and the server. One that never fires fails the case. */
        public S react(Reactor... between) {
            reactors.addAll(List.of(between));
            return self();
        }

        /** Sets the time; by default {@link TestCluster#NOW}. */
        public S now(Instant value) {
            now = Optional.of(value);
            return self();
        }

        /** Adds a preparation that is run after the given objects and before the code under test are created. */
        public S prepare(Consumer<TestCluster> preparation) {
            preparations.add(preparation);
            return self();
        }

        /** Adds a change that is made when the caches are filled, and that they do not have yet, such as a deletion. */
        public S meanwhile(Consumer<TestCluster> change) {
            changes.add(change);
            return self();
        }

        /** Adds a clean-up that is run at the end, also after a failure. */
        public S cleanUp(Consumer<TestCluster> cleanUp) {
            cleanUps.add(cleanUp);
            return self();
        }

        void furnish(TestCluster cluster) {
            // owners first: a server refuses or collects objects without theirs
            given.stream()
                    .sorted(Comparator.comparing(
                            object -> !object.text().header().owners().isEmpty()))
                    .forEach(cluster::place);
            furnishOthers(cluster);
            preparations.forEach(preparation -> preparation.accept(cluster));
        }

        /** Makes the changes that the caches do not have yet, and adds the reactors. */
        void complicate(TestCluster cluster) {
            onServer.forEach(cluster::place);
            changes.forEach(change -> change.accept(cluster));
            var unused = cluster.reactive().react(reactors.toArray(Reactor[]::new));
        }

        /** Runs, and always cleans up; a failure of a clean-up hides no other. */
        void clean(TestCluster cluster, Runnable run) {
            List<Consumer<TestCluster>> all = new ArrayList<>(cleanUps);
            all.addFirst(it -> run.run());
            Throwable failure = null;
            for (Consumer<TestCluster> one : all) {
                try {
                    one.accept(cluster);
                } catch (RuntimeException | Error e) {
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
            Optional<TestAbortedException> aborted = cluster.aborted();
            if (aborted.isPresent()) {
                throw aborted.get();
            }
            switch (failure) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case null, default -> {}
            }
        }
    }
}
