package dev.evenkeel.engine.internal.type;

/** Learns of the admission of a request: of its steps, its plugins, and the calls of webhooks. */
@FunctionalInterface
public interface WebhookObserver {
    /** Learns nothing. */
    WebhookObserver NONE = (name, operation, mutating) -> (outcome, code) -> {};

    /**
     * Called before a webhook is called.
     *
     * @param operation of the write, such as {@code CREATE}
     * @return what to call when the webhook has answered or failed
     */
    Call begun(String name, String operation, boolean mutating);

    /**
     * Called before a plugin, or all that may change or refuse an object.
     *
     * @param plugin its name; empty for all
     * @param operation of the write, such as {@code CREATE}
     * @return what to call at the end
     */
    default Admission admission(String plugin, String operation, boolean mutating) {
        return rejected -> {};
    }

    /** The outcomes of calls. */
    enum Outcome {
        /** The webhook has allowed the write. */
        ALLOWED,
        /** The webhook has refused the write. */
        DENIED,
        /** The call has failed, which is ignored. */
        IGNORED,
        /** The call has failed, which refuses the write. */
        FAILED,
        /** The server cannot use the webhook or its answer, which refuses the write. */
        UNUSABLE;

        /** Returns whether the write is refused. */
        public boolean isRejected() {
            return this != ALLOWED && this != IGNORED;
        }
    }

    /** A call of a webhook. */
    @FunctionalInterface
    interface Call {
        /**
         * Called once, when the call has ended.
         *
         * @param code of HTTP, of the refusal or failure; 0 when there is none
         */
        void ended(Outcome outcome, int code);
    }

    /** A step of admission. */
    @FunctionalInterface
    interface Admission {
        /** Called once, when the step has ended. */
        void ended(boolean rejected);
    }
}
