package dev.evenkeel.load;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.load.internal.plan.PlanReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A load: a world, and what happens to it. The operations depend on the plan and its seed only.
 *
 * @param name the name in reports
 * @param seed the seed of all chance
 * @param world what is there at the beginning
 * @param phases what happens, in this order
 * @param effects the visible effects of changes of kinds
 * @param marker objects whose effects are measured during all phases; empty for none
 * @param limits the limits of verdicts
 */
public record LoadPlan(
        String name,
        long seed,
        World world,
        List<Phase> phases,
        Map<Kind<Encoded>, Effect> effects,
        Optional<Marker> marker,
        Limits limits) {
    public LoadPlan {
        phases = List.copyOf(phases);
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

    /** Returns the plan with another seed. */
    public LoadPlan seed(long newSeed) {
        return new LoadPlan(name, newSeed, world, phases, effects, marker, limits);
    }
}
