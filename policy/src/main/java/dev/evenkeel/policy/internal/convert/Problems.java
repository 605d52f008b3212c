package dev.evenkeel.policy.internal.convert;

import java.util.function.Consumer;

/**
 * Receives what could not be converted as written.
 *
 * @param object the object, such as {@code NetworkPolicy default/web}
 * @param sink receives one message for each problem
 */
record Problems(String object, Consumer<String> sink) {
    /** Reports a problem with a field, and its consequence. */
    void add(String field, String problem, String consequence) {
        sink.accept(object + ": " + field + ": " + problem + "; " + consequence);
    }
}
