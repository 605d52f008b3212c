package dev.evenkeel.load.internal.verdict;

import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.load.result.Verdict.Outcome;
import java.util.List;

/** Judges whether a loaded run ends in the same state as a run of the same operations without load. */
public final class EndState {
    private EndState() {}

    /**
     * Judges the differences.
     *
     * @param differences the differences, each in a few words with the object's name
     * @param compared the number of objects that were compared
     */
    public static Verdict judge(List<String> differences, long compared) {
        if (compared < 0) {
            throw new IllegalArgumentException("compared must not be negative: " + compared);
        }
        if (!differences.isEmpty()) {
            return verdict(
                    Outcome.FAIL,
                    differences.size(),
                    "The end state differs from that without load in "
                            + Wording.count(differences.size(), "place", "places") + ": "
                            + Wording.names(differences) + ".",
                    1,
                    "");
        }
        if (compared == 0) {
            return verdict(
                    Outcome.OPEN,
                    0,
                    "Neither run has left an object to compare.",
                    0,
                    "Add a phase that leaves objects, or name the kinds that the controller writes.");
        }
        return verdict(
                Outcome.PASS,
                0,
                "The end state equals that without load: " + Wording.count(compared, "object", "objects") + ".",
                Succession.confidence(compared),
                "");
    }

    private static Verdict verdict(Outcome outcome, double value, String finding, double confidence, String firmer) {
        return new Verdict("end-state", outcome, value, 0, "differences", finding, confidence, firmer);
    }
}
