package dev.evenkeel.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Tells people what happened to an object, where {@code kubectl describe} shows it. */
@FunctionalInterface
public interface EventRecorder {
    /** Whether it is as it should be. */
    enum Type {
        /** For information. */
        NORMAL("Normal"),
        /** Something is wrong. */
        WARNING("Warning");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /** As the API writes it. */
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Records an event. Returns at once, whatever the API does, and never fails: an event that cannot be kept or sent is
     * dropped, and counted.
     *
     * @param object what it is about; of a cluster-scoped one the event is in namespace {@code default}
     * @param type whether it is as it should be
     * @param reason why, for machines: a short word in CamelCase, such as {@code Created}; from a small set
     * @param action what was done, likewise, such as {@code CreateChild}; empty for the same as the reason
     * @param message for people
     */
    void record(HasMetadata object, Type type, String reason, String action, String message);
}
