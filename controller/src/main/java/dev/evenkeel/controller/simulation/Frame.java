package dev.evenkeel.controller.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task on the stack, of a process. */
record Frame(Incarnation incarnation, @Nullable SimulatedJob job, List<Monitor.Running> entered) {
    Frame(Incarnation incarnation, @Nullable SimulatedJob job) {
        this(incarnation, job, new ArrayList<>(1));
    }
}
