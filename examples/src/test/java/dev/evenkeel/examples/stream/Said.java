package dev.evenkeel.examples.stream;

import dev.evenkeel.testing.World;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a status says of one condition. */
record Said(String type, String status, String reason, String message) {
    static Said yes(String type, String reason) {
        return new Said(type, "True", reason, "");
    }

    static Said no(String type, String reason, String message) {
        return new Said(type, "False", reason, message);
    }

    static Said unknown(String type, String reason, String message) {
        return new Said(type, "Unknown", reason, message);
    }

    /** As it begins. */
    static Said nothing(String type) {
        return unknown(type, "Initializing", "");
    }

    /** That this is what sums it up. */
    Said asReady() {
        return new Said("Ready", status, reason, message);
    }

    /** The object with these conditions, and no others; observed as it is. */
    static <T extends HasMetadata> Given<T> on(Given<T> object, Said... conditions) {
        return unobserved(object, conditions)
                .statusAt("observedGeneration", object.object().getMetadata().getGeneration());
    }

    /** The same, when it failed. */
    static <T extends HasMetadata> Given<T> unobserved(Given<T> object, Said... conditions) {
        long generation = object.object().getMetadata().getGeneration();
        List<Map<String, Object>> all = Stream.of(conditions)
                .sorted(Comparator.comparing(Said::type))
                .map(said -> Map.<String, Object>of(
                        "type", said.type,
                        "status", said.status,
                        "observedGeneration", generation,
                        "lastTransitionTime", World.NOW.toString(),
                        "reason", said.reason,
                        "message", said.message))
                .toList();
        return object.statusAt("conditions", all);
    }
}
