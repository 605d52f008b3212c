package dev.evenkeel.testing.internal.convergence;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The trace of a run, if one is wanted. */
final class Steps {
    private final boolean wanted;
    private final List<String> lines = new ArrayList<>();

    Steps(boolean wanted) {
        this.wanted = wanted;
    }

    void add(Supplier<String> line) {
        if (wanted) {
            lines.add(line.get());
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
