package dev.evenkeel.load;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.load.internal.plan.PlanReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The plan of a load: the objects before it, and the phases of operations on them. The operations depend on the plan and
 * its seed only.
 *
 * @param name the name in reports
 * @param seed the seed of all random choices
 * @param sizes the multiples of the world in which the retained memory is measured, and the cost of operations in the
 *     phases that ask for it
 * @param world the objects before the load
 * @param phases the phases, in the order in which they run
 * @param effects the visible effects of changes of kinds
 * @param marker objects whose effects are measured during all phases; empty for none
 * @param podDelays the times that the steps in the life of a pod take, where the harness binds and runs pods
 * @param workloads the time until Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, PersistentVolumeClaims, and
 *     Services of type LoadBalancer have the status of ready ones, where the harness binds and runs pods; empty if they
 *     get none
 * @param limits the limits of verdicts
 */
public record LoadPlan(
        String name,
        long seed,
        List<Integer> sizes,
        World world,
        List<Phase> phases,
        Map<Kind<Encoded>, Effect> effects,
        Optional<Marker> marker,
        PodDelays podDelays,
        Optional<Duration> workloads,
        Limits limits) {
    public LoadPlan {
        sizes = List.copyOf(sizes);
        if (sizes.stream().anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException("sizes must be positive: " + sizes);
        }
        phases = List.copyOf(phases);
        if (sizes.isEmpty() && phases.stream().anyMatch(Phase::cost)) {
            throw new IllegalArgumentException("sizes must not be empty: a phase has cost: true");
        }
        effects = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(effects));
    }

    /**
     * Reads a plan in YAML, as documented in {@code docs/load.md}.
     *
     * @throws IllegalArgumentException if it is not one; the message names the field
     */
    public static LoadPlan parse(String yaml) {
        return PlanReader.read(yaml);
    }

    /**
     * Reads a plan whose world or phases are replaced by others.
     *
     * @param world the field {@code world} in YAML; empty for that of the plan
     * @param phases the phases in YAML, or the names of patterns that need no fields; none for those of the plan
     * @throws IllegalArgumentException if it is not one; the message names the field
     */
    public static LoadPlan parse(String yaml, Optional<String> world, List<String> phases) {
        return PlanReader.read(yaml, world, phases);
    }

    /** Returns the text of the built-in plan {@code k8sfv}: the world of Felix's test of that name, and its three patterns. */
    public static String k8sfv() {
        return text("k8sfv.yaml");
    }

    /** Returns the text of the same plan with fewer cycles, for one and a half minutes. */
    public static String k8sfvQuick() {
        return text("k8sfv-quick.yaml");
    }

    private static String text(String name) {
        try (InputStream text = Objects.requireNonNull(LoadPlan.class.getResourceAsStream(name))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the plan with a multiple of its world. */
    public LoadPlan times(int factor) {
        return new LoadPlan(
                name, seed, sizes, world.times(factor), phases, effects, marker, podDelays, workloads, limits);
    }

    /** Returns the plan with another seed. */
    public LoadPlan seed(long newSeed) {
        return new LoadPlan(name, newSeed, sizes, world, phases, effects, marker, podDelays, workloads, limits);
    }
}
