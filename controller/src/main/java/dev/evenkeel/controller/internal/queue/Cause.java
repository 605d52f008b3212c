package dev.evenkeel.controller.internal.queue;

/**
 * Why a key was added. It is kept as long as the key waits, so it should be small.
 *
 * @param source what saw it, such as the name of a kind that is watched, or {@code retry}
 * @param subject what it saw it in, such as the key of an object; with equals and hashCode, and a toString for people
 */
public record Cause(String source, Object subject) {
    @Override
    public String toString() {
        return source + " " + subject;
    }
}
