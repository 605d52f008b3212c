package dev.evenkeel.examples.stream;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a {@link Topic}.
 *
 * @param broker name of the {@link Broker}, in the same namespace; immutable
 * @param partitions the number of partitions; may grow, and not shrink. Null for the webhook's default
 * @param replicas the number of servers that keep each record. Null likewise
 * @param settings of the topic
 */
public record TopicSpec(
        String broker,
        @Nullable Integer partitions,
        @Nullable Integer replicas,
        Map<String, String> settings) {
    /** Missing settings default to none. */
    public TopicSpec {
        settings = settings == null ? Map.of() : Map.copyOf(settings);
    }
}
