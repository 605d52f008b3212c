package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.type.WebhookObserver;

/** Runs admission, and lets the sender's observer learn how long that takes. */
public final class AdmissionStep {
    private AdmissionStep() {}

    /** Runs all that may change or refuse the object of a write. */
    public static void run(Write write, boolean mutating, Runnable admission) {
        run(write, "", mutating, admission);
    }

    /** Runs what a plugin does. */
    public static void run(Write write, AdmissionPlugin plugin, boolean mutating, Runnable admission) {
        run(write, plugin.toString(), mutating, admission);
    }

    private static void run(Write write, String plugin, boolean mutating, Runnable admission) {
        if (write.operation() == Operation.RESTORE) {
            admission.run();
            return;
        }
        WebhookObserver.Admission observed = write.options()
                .requester()
                .webhooks()
                .admission(plugin, write.operation().name(), mutating);
        boolean rejected = true;
        try {
            admission.run();
            rejected = false;
        } finally {
            observed.ended(rejected);
        }
    }
}
