package dev.evenkeel.policy.internal.model;

/**
 * The name of a Service.
 *
 * @param namespace its namespace
 * @param name its name
 */
public record ServiceName(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
