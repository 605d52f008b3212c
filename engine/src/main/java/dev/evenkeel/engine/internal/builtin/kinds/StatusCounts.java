package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;

/** Rules of the numbers of replicas in the status of workloads. */
final class StatusCounts {
    private StatusCounts() {}

    /**
     * Validates numbers.
     *
     * @param names of all numbers, in the order of their errors
     */
    static void notNegative(Field status, List<String> names) {
        names.forEach(name -> status.at(name).notNegative());
    }

    /** Requires that numbers are not greater than that of all replicas. */
    static void within(Field status, List<String> names) {
        long replicas = status.at("replicas").number();
        for (String name : names) {
            if (status.at(name).number() > replicas) {
                status.at(name).invalid("cannot be greater than status.replicas");
            }
        }
    }

    /** Requires that available replicas are ready. */
    static void availableAreReady(Field status) {
        Field available = status.at("availableReplicas");
        if (available.number() > status.at("readyReplicas").number()) {
            available.invalid("cannot be greater than readyReplicas");
        }
    }
}
