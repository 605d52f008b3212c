package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
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
        availableAreReady(status, "readyReplicas");
    }

    /**
     * Requires that available replicas are ready.
     *
     * @param ready the name that the error has for replicas that are ready
     */
    static void availableAreReady(Field status, String ready) {
        Field available = status.at("availableReplicas");
        if (available.number() > status.at("readyReplicas").number()) {
            available.invalid("cannot be greater than " + ready);
        }
    }

    /** Requires that the count of collisions, once it is there, does not sink. */
    static void collisionsGrow(Field status, JsonObject old) {
        Field count = status.at("collisionCount");
        if (old.at("status", "collisionCount") instanceof Long before && (!count.given() || count.number() < before)) {
            count.invalid(count.number(), "cannot be decremented");
        }
    }
}
