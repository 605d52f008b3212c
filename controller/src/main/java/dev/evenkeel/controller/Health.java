package dev.evenkeel.controller;

import java.util.ArrayList;
import java.util.List;

/**
 * How a manager is.
 *
 * @param live false when it should be started anew: something hangs that does not come back by itself
 * @param ready whether it has seen all that was there and could work; a standby is ready too
 * @param problems what keeps it from being so, for people
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

    /** {@code ok}, or the problems, a line each. */
    @Override
    public String toString() {
        return problems.isEmpty() ? "ok" : String.join("\n", problems);
    }
}
