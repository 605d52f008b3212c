package dev.evenkeel.server.replay;

import java.util.List;

/** What became of one recorded exchange; equal when there is no difference. */
public record Verdict(String id, String what, String request, List<Difference> differences) {
    /** Whether the answer is the recorded one. */
    public boolean equal() {
        return differences.isEmpty();
    }
}
