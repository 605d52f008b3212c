package dev.evenkeel.testing.convergence;

import java.util.List;

/**
 * What is wrong.
 *
 * @param what in one sentence
 * @param details lines, of what differs
 */
record Finding(String what, List<String> details) {
    Finding {
        details = List.copyOf(details);
    }

    static Finding of(String what, String... details) {
        return new Finding(what, List.of(details));
    }

    @Override
    public String toString() {
        return details.isEmpty() ? what : what + "\n    " + String.join("\n    ", details);
    }
}
