package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.controller.cache.InformerOptions.Mode;

/**
 * A request of a {@link Reflector}, and the request that follows when it fails.
 *
 * <p>A list of everything is expensive for the server, so failed watches are repeated where that can succeed. A list
 * that is refused for its version, for its mode or for an expired continue token is changed, each of these at most
 * once, so the sequence ends: at the present state, in one answer.
 */
sealed interface ReflectorStep {
    /**
     * A list of all objects.
     *
     * @param at version: empty for the present state, "0" for any, another for none older than it
     * @param whole whether in one answer, since the continue token of a list of the present state expired
     */
    record Lists(String at, Mode mode, boolean whole) implements ReflectorStep {
        @Override
        public ReflectorStep after(RuntimeException failure, String version) {
            if (forgotten(failure) && !at.isEmpty()) {
                return relist("");
            }
            if (mode == Mode.PAGES && !whole && failure instanceof ExpiredException) {
                return new Lists(at, mode, true);
            }
            if (mode == Mode.STREAM && !retriable(failure)) {
                return new Lists(at, Mode.PAGES, false);
            }
            return this;
        }

        @Override
        public Lists relist(String from) {
            return new Lists(from, mode, false);
        }

        @Override
        public String toString() {
            return "list at \"" + at + "\", " + (whole ? Mode.WHOLE : mode);
        }
    }

    /**
     * A watch from the version last seen.
     *
     * @param list the last list
     * @param serverErrors how many watches in a row ended in an internal error
     */
    record Watches(Lists list, int serverErrors) implements ReflectorStep {
        private static final int MAX_SERVER_ERRORS = 3;

        @Override
        public ReflectorStep after(RuntimeException failure, String version) {
            if (!forgotten(failure)) {
                if (retriable(failure)) {
                    return this;
                }
                if (internal(failure) && serverErrors < MAX_SERVER_ERRORS) {
                    return new Watches(list, serverErrors + 1);
                }
            }
            // a list at the version of the last one would be followed by the same refusal
            return relist(list.at().equals(version) ? "" : version.isEmpty() ? "0" : version);
        }

        @Override
        public Lists relist(String from) {
            return list.relist(from);
        }

        @Override
        public String toString() {
            return "watch";
        }

        Watches heard() {
            return serverErrors == 0 ? this : new Watches(list, 0);
        }
    }

    /** Returns the step that follows a failure; the version is that last seen, empty for none. */
    ReflectorStep after(RuntimeException failure, String version);

    /** Returns a list at the given version, in the mode that the server is known to support. */
    Lists relist(String from);

    /** Returns whether the same request may succeed next time: the server is busy, or the connection broke. */
    private static boolean retriable(RuntimeException failure) {
        return !(failure instanceof ApiException refused)
                || refused.code() == 429
                || refused.code() == 503
                || (refused.code() == 504 && !tooLarge(failure));
    }

    /** Returns whether the server does not have the version, any more or yet. */
    private static boolean forgotten(RuntimeException failure) {
        return failure instanceof ExpiredException || tooLarge(failure);
    }

    /** Returns whether the server has not reached the version. */
    private static boolean tooLarge(RuntimeException failure) {
        return failure instanceof ApiException refused
                && (refused.causes().stream().anyMatch(cause -> cause.reason().equals("ResourceVersionTooLarge"))
                        || String.valueOf(refused.getMessage()).contains("Too large resource version"));
    }

    private static boolean internal(RuntimeException failure) {
        return failure instanceof ApiException refused
                && refused.code() >= 500
                && !refused.reason().equals("StoreReadError");
    }
}
