package dev.evenkeel.server.replay;

import java.util.List;

/** The result of one recorded exchange; equal when there is no difference. */
public record Verdict(String id, String what, String request, List<Difference> differences) {
    /** Returns true if the answer is the recorded one. */
    public boolean equal() {
        return differences.isEmpty();
    }
}
