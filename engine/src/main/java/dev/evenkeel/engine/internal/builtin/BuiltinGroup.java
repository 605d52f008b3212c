package dev.evenkeel.engine.internal.builtin;

import java.util.List;

/**
 * A built-in API group.
 *
 * @param name empty for the core group
 * @param versions that a default server serves, preferred first
 */
public record BuiltinGroup(String name, List<String> versions) {}
