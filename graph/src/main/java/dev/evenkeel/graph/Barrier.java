package dev.evenkeel.graph;

import java.util.List;

/** Opens when all of its inputs are in sync, and remains open. */
public final class Barrier {
    final Graph graph;
    private final List<InputNode<?, ?>> inputs;

    Barrier(Graph graph, List<InputNode<?, ?>> inputs) {
        this.graph = graph;
        this.inputs = inputs;
    }

    /** Returns true if all inputs are in sync. */
    public boolean isOpen() {
        return graph.read(this::open);
    }

    boolean open() {
        return inputs.stream().allMatch(input -> input.synced);
    }
}
