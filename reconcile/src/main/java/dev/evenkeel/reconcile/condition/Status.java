package dev.evenkeel.reconcile.condition;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The status of a condition. */
enum Status {
    TRUE("True"),
    FALSE("False"),
    UNKNOWN("Unknown");

    private final String text;

    Status(String text) {
        this.text = text;
    }

    /** Returns a condition with this status, and without a time. */
    Condition condition(String type, @Nullable Long generation, String reason, String message) {
        return new Condition(null, message, generation, reason, text, type);
    }

    /** Returns the status of a condition; unknown when it is missing or has another text. */
    static Status of(Optional<Condition> condition) {
        return condition
                .map(Condition::getStatus)
                .flatMap(status ->
                        Optional.ofNullable(status.equals(TRUE.text) ? TRUE : status.equals(FALSE.text) ? FALSE : null))
                .orElse(UNKNOWN);
    }
}
