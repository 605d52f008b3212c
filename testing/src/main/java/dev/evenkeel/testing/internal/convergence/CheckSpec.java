package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The input of the checker.
 *
 * @param outside creates what there is outside of the cluster, again for each run
 * @param calls the calls of it at which faults are injected, if it is declared as an interface
 * @param controllers create the controllers of a process, again for each start of it
 * @param previous create the controllers of the previous version
 * @param types types that the program serves itself
 * @param kinds kinds that are served without one
 * @param given objects that exist at the start
 * @param foreign objects that exist at the start and do not belong to the controllers
 * @param edits changes of users, in their order
 * @param always what must hold after each write
 * @param outlives kinds of which objects stay when the reconciled objects are deleted
 * @param ignored fields that do not count
 * @param patience time without a write after which a run is at rest
 */
public record CheckSpec<E>(
        Function<InstantSource, ExternalSystem<E>> outside,
        Optional<ExternalCalls> calls,
        List<Function<E, ? extends Controller<?>>> controllers,
        List<Function<E, ? extends Controller<?>>> previous,
        List<HasMetadata> definitions,
        List<TypeSource> types,
        List<Kind<?>> kinds,
        List<Given<?>> given,
        List<Given<?>> foreign,
        List<Edit> edits,
        List<Always> always,
        Set<String> outlives,
        Set<String> ignored,
        Duration patience) {
    public record Edit(String what, Consumer<Client> edit) {}

    /** An invariant, which must hold after each write. */
    public record Always(String what, Predicate<Client> holds) {}

    /** Copies the collections, to be added to. */
    public CheckSpec {
        controllers = new ArrayList<>(controllers);
        previous = new ArrayList<>(previous);
        definitions = new ArrayList<>(definitions);
        types = new ArrayList<>(types);
        kinds = new ArrayList<>(kinds);
        given = new ArrayList<>(given);
        foreign = new ArrayList<>(foreign);
        edits = new ArrayList<>(edits);
        always = new ArrayList<>(always);
        outlives = new TreeSet<>(outlives);
        ignored = new TreeSet<>(ignored);
    }

    public CheckSpec(Function<InstantSource, ExternalSystem<E>> outside, Optional<ExternalCalls> calls) {
        this(
                outside,
                calls,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Duration.ofMinutes(10));
    }

    public CheckSpec<E> withPatience(Duration max) {
        return new CheckSpec<>(
                outside,
                calls,
                controllers,
                previous,
                definitions,
                types,
                kinds,
                given,
                foreign,
                edits,
                always,
                outlives,
                ignored,
                max);
    }

    public CheckSpec<E> withFailure(Function<String, ? extends Exception> failure) {
        Optional<ExternalCalls> failing = calls.map(present -> new ExternalCalls(present.api(), failure));
        return new CheckSpec<>(
                outside,
                failing,
                controllers,
                previous,
                definitions,
                types,
                kinds,
                given,
                foreign,
                edits,
                always,
                outlives,
                ignored,
                patience);
    }
}
