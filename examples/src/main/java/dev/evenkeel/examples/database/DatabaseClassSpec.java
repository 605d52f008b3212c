package dev.evenkeel.examples.database;

import java.util.Map;

/**
 * Settings for the databases of a {@link DatabaseClass}.
 *
 * @param maximumGigabytes the maximum size
 * @param parameters of the database engine
 */
public record DatabaseClassSpec(int maximumGigabytes, Map<String, String> parameters) {
    /** Missing parameters default to none. */
    public DatabaseClassSpec {
        parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
    }
}
