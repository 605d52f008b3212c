package dev.evenkeel.controller.internal.queue;

/**
 * The reason why a key was added. It is kept as long as the key waits, so it should be small.
 *
 * @param source where it was detected, such as the name of a watched kind, or {@code retry}
 * @param subject its subject, such as the key of an object; with equals, hashCode and a readable toString
 */
public record Cause(String source, Object subject) {
    @Override
    public String toString() {
        return source + " " + subject;
    }
}
