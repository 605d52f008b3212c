package dev.evenkeel.engine.internal.builtin;

import java.util.List;

/**
 * A subresource of a built-in resource, as discovery lists it.
 *
 * @param name such as {@code status}
 * @param group group of the kind it speaks
 * @param version version of the kind it speaks
 * @param kind the kind it speaks, such as {@code Scale}
 * @param verbs its verbs
 */
public record Subresource(String name, String group, String version, String kind, List<String> verbs) {}
