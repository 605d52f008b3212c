package dev.evenkeel.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Records events about objects, which {@code kubectl describe} shows. */
@FunctionalInterface
public interface EventRecorder {
    /** The type of an event. */
    enum Type {
        /** Information. */
        NORMAL("Normal"),
        /** A problem. */
        WARNING("Warning");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /** Returns the name in the API. */
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Records an event. Returns at once, whatever the API does, and never fails: an event that cannot be kept or sent
     * is dropped, and counted.
     *
     * @param object object of the event; the event of a cluster-scoped one is in namespace {@code default}
     * @param reason machine-readable reason: a short word in CamelCase, such as {@code Created}; from a small set
     * @param action machine-readable action, such as {@code CreateChild}; empty for the same as the reason
     */
    void record(HasMetadata object, Type type, String reason, String action, String message);
}
