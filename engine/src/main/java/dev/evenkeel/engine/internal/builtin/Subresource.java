package dev.evenkeel.engine.internal.builtin;

import java.util.List;

/**
 * A subresource of a built-in resource, as listed by discovery.
 *
 * @param name such as {@code status}
 * @param group group of the kind of its bodies
 * @param version version of the kind of its bodies
 * @param kind the kind of its bodies, such as {@code Scale}
 * @param verbs its verbs
 */
public record Subresource(String name, String group, String version, String kind, List<String> verbs) {}
