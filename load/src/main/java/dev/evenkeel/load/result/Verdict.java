package dev.evenkeel.load.result;

/**
 * A judgement.
 *
 * @param name what is judged, such as {@code leak}
 * @param outcome the outcome
 * @param value the measured value that decides
 * @param limit the value that it is compared with
 * @param unit the unit of both
 * @param finding what was found, in a sentence
 * @param confidence the probability that the outcome is right, from 0 to 1
 * @param firmer what would make the judgement firmer; empty if nothing is needed
 */
public record Verdict(
        String name,
        Outcome outcome,
        double value,
        double limit,
        String unit,
        String finding,
        double confidence,
        String firmer) {

    /** The outcome of a judgement. */
    public enum Outcome {
        /** The limit is kept. */
        PASS,
        /** The limit is exceeded. */
        FAIL,
        /** The figures do not decide. */
        OPEN
    }

    public Verdict {
        if (!(confidence >= 0 && confidence <= 1)) {
            throw new IllegalArgumentException("confidence must be from 0 to 1: " + confidence);
        }
    }
}
