package dev.evenkeel.testing.convergence;

import java.util.Optional;

/**
 * A small reconciler with a defect that was reported for a published controller, and the same without the defect.
 *
 * @param reference the report: project and number
 * @param cause the mistake, in a sentence
 * @param bound number of schedules within which it is found
 * @param wrong check of the reconciler with the defect
 * @param right check of the reconciler without it, if that differs in more than having the mistake corrected away
 */
record Defect(String reference, String cause, int bound, Convergence<?> wrong, Optional<Convergence<?>> right) {
    static Defect of(String reference, String cause, int bound, Convergence<?> wrong) {
        return new Defect(reference, cause, bound, wrong, Optional.empty());
    }

    Defect right(Convergence<?> sibling) {
        return new Defect(reference, cause, bound, wrong, Optional.of(sibling));
    }
}
