package dev.evenkeel.reconcile.condition;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** What a condition can be. */
enum Status {
    TRUE("True"),
    FALSE("False"),
    UNKNOWN("Unknown");

    private final String text;

    Status(String text) {
        this.text = text;
    }

    /** As the API writes it. */
    String text() {
        return text;
    }

    /** What a condition is; one that is missing, or says something else, is unknown. */
    static Status of(Optional<Condition> condition) {
        return condition
                .map(Condition::getStatus)
                .flatMap(status ->
                        Optional.ofNullable(status.equals(TRUE.text) ? TRUE : status.equals(FALSE.text) ? FALSE : null))
                .orElse(UNKNOWN);
    }
}
