package dev.evenkeel.engine.internal.builtin;

import java.util.List;

/**
 * A subresource of a built-in resource, as listed by discovery.
 *
 * @param name such as {@code status}
 * @param kind the kind of its bodies, in the group and version, such as {@code Scale}
 */
public record Subresource(String name, String group, String version, String kind, List<String> verbs) {
    /** Returns the OpenAPI definition name of the kind, such as {@code io.k8s.api.autoscaling.v1.Scale}. */
    public String definition() {
        return BuiltinTypes.definition(group, version, kind);
    }
}
