package dev.evenkeel.examples.stream;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a {@link Topic}.
 *
 * @param broker name of the {@link Broker}, in the same namespace; it stays
 * @param partitions how many; may grow, and not shrink. Null for what the webhook makes of it
 * @param replicas on how many servers each record is kept. Null likewise
 * @param settings of the topic
 */
public record TopicSpec(
        String broker,
        @Nullable Integer partitions,
        @Nullable Integer replicas,
        Map<String, String> settings) {
    /** Without settings when none are given. */
    public TopicSpec(
            String broker,
            @Nullable Integer partitions,
            @Nullable Integer replicas,
            @Nullable Map<String, String> settings) {
        this.broker = broker;
        this.partitions = partitions;
        this.replicas = replicas;
        this.settings = settings == null ? Map.of() : Map.copyOf(settings);
    }
}
