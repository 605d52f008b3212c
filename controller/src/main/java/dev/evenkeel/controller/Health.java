package dev.evenkeel.controller;

import java.util.ArrayList;
import java.util.List;

/**
 * The health of a manager.
 *
 * @param live false when the process should be restarted, since something hangs permanently
 * @param ready whether all caches are in sync and controllers could work; a standby is ready too
 * @param problems reasons why it is not live or not ready
 */
public record Health(boolean live, boolean ready, List<String> problems) {
    /** Copies the problems. */
    public Health {
        problems = List.copyOf(problems);
    }

    public static final class Builder {
        private boolean live = true;
        private boolean ready = true;
        private final List<String> problems = new ArrayList<>();

        public Builder notReady(String why) {
            ready = false;
            problems.add(why);
            return this;
        }

        public Builder notLive(String why) {
            live = false;
            problems.add(why);
            return this;
        }

        Health build() {
            return new Health(live, ready, problems);
        }
    }

    /** Returns {@code ok}, or the problems, a line each. */
    @Override
    public String toString() {
        return problems.isEmpty() ? "ok" : String.join("\n", problems);
    }
}
