package dev.evenkeel.engine.internal.type;

/** Learns of the calls of admission webhooks during a request. */
@FunctionalInterface
public interface WebhookObserver {
    /** Learns nothing. */
    WebhookObserver NONE = (name, operation, mutating) -> rejected -> {};

    /**
     * Called before a webhook is called.
     *
     * @param operation of the write, such as {@code CREATE}
     * @return what to call when the webhook has answered or failed
     */
    Call begun(String name, String operation, boolean mutating);

    /** A call of a webhook. */
    @FunctionalInterface
    interface Call {
        /** Called once, when the call has ended. */
        void ended(boolean rejected);
    }
}
