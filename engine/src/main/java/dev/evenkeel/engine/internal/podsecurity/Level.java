package dev.evenkeel.engine.internal.podsecurity;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The levels of security of pods, from those that may do everything to those that may do little. */
public enum Level {
    /** Pods may do everything. */
    PRIVILEGED,
    /** Pods may not get around the usual isolation from their node. */
    BASELINE,
    /** Pods must give up what an ordinary program does not need. */
    RESTRICTED;

    /** The names of all levels, for messages. */
    static final String NAMES = Stream.of(values()).map(Level::toString).collect(Collectors.joining(", "));

    /** Returns the level of a name, if there is one. */
    static Optional<Level> of(String name) {
        return Stream.of(values())
                .filter(level -> level.toString().equals(name))
                .findFirst();
    }

    /** Returns the name, as in labels. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
