package dev.evenkeel.examples.stream;

import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A condition of a status. */
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

    /** Returns the happy condition derived from this one. */
    Said asReady() {
        return new Said("Ready", status, reason, message);
    }

    /** Returns the object with these conditions, and no others, and its own observed generation. */
    static <T extends HasMetadata> Given<T> on(Given<T> object, Said... conditions) {
        return unobserved(object, conditions)
                .statusAt("observedGeneration", object.object().getMetadata().getGeneration());
    }

    /** Returns the object after a failure. */
    static <T extends HasMetadata> Given<T> unobserved(Given<T> object, Said... conditions) {
        long generation = object.object().getMetadata().getGeneration();
        List<Map<String, Object>> all = Stream.of(conditions)
                .sorted(Comparator.comparing(Said::type))
                .map(said -> Map.<String, Object>of(
                        "type", said.type,
                        "status", said.status,
                        "observedGeneration", generation,
                        "lastTransitionTime", TestCluster.NOW.toString(),
                        "reason", said.reason,
                        "message", said.message))
                .toList();
        return object.statusAt("conditions", all);
    }
}
