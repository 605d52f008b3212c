package dev.evenkeel.examples.database;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the databases of a {@link DatabaseClass}.
 *
 * @param maximumGigabytes the maximum size
 * @param parameters of the database engine
 */
public record DatabaseClassSpec(int maximumGigabytes, Map<String, String> parameters) {
    /** Creates a spec; missing parameters default to none. */
    public DatabaseClassSpec(int maximumGigabytes, @Nullable Map<String, String> parameters) {
        this.maximumGigabytes = maximumGigabytes;
        this.parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
    }
}
