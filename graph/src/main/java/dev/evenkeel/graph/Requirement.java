package dev.evenkeel.graph;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A label with a value, or with any value if that is null. */
record Requirement(String name, @Nullable String value) {
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Requirement one && name.equals(one.name) && Objects.equals(value, one.value);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + (value == null ? 0 : value.hashCode());
    }
}
