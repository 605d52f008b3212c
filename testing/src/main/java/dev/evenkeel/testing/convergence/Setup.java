package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What is tried.
 *
 * @param outside makes what there is outside of the cluster, anew for each trial
 * @param state what of it counts, as a text
 * @param controllers what a process runs, made anew for each start of it
 * @param types CustomResourceDefinitions
 * @param kinds kinds that are served without one
 * @param given objects that are there in the beginning
 * @param foreign those among them that are nobody's business
 * @param edits what users do, in their order
 * @param always what must hold at any time
 * @param outlives kinds of which objects stay when what is reconciled is deleted
 * @param ignored fields that do not count
 * @param patience how long nothing must have been written for the world to be at rest
 */
record Setup<E>(
        Function<InstantSource, E> outside,
        Function<E, Object> state,
        List<Function<E, ? extends Controller<?>>> controllers,
        List<HasMetadata> types,
        List<Kind<?>> kinds,
        List<HasMetadata> given,
        List<HasMetadata> foreign,
        List<Edit> edits,
        List<Always> always,
        Set<String> outlives,
        Set<String> ignored,
        Duration patience) {
    /** What a user does. */
    record Edit(String what, Consumer<Client> edit) {}

    /** What must hold at any time. */
    record Always(String what, Predicate<Client> holds) {}

    Setup {
        controllers = List.copyOf(controllers);
        types = List.copyOf(types);
        kinds = List.copyOf(kinds);
        given = List.copyOf(given);
        foreign = List.copyOf(foreign);
        edits = List.copyOf(edits);
        always = List.copyOf(always);
        outlives = Set.copyOf(outlives);
        ignored = Set.copyOf(ignored);
    }
}
