package dev.evenkeel.testing.call;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A path in an object: keys, and indexes of list elements. */
record Path(List<String> steps) {
    static final Path ROOT = new Path(List.of());

    Path {
        steps = List.copyOf(steps);
    }

    /** Parses {@code a.b[c.d].0}. */
    static Path parse(String text) {
        List<String> steps = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = at;
            if (text.charAt(at) == '[') {
                end = text.indexOf(']', at);
                if (end < 0) {
                    throw malformed(text, "the [ at " + at + " is not closed");
                }
                steps.add(text.substring(at + 1, end++));
            } else {
                while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '[') {
                    end++;
                }
                steps.add(text.substring(at, end));
            }
            at = text.startsWith(".", end) ? end + 1 : end;
            if (steps.getLast().isEmpty() || (at > end && at == text.length())) {
                throw malformed(text, "a step is empty");
            }
        }
        if (steps.isEmpty()) {
            throw malformed(text, "it has no step");
        }
        return new Path(steps);
    }

    private static IllegalArgumentException malformed(String text, String what) {
        return new IllegalArgumentException("path \"" + text + "\": " + what
                + "; write it as metadata.labels.app, a key with dots as metadata.annotations[example.com/owner]");
    }

    static Path pointer(String text) {
        return new Path(Arrays.stream(text.split("/", -1))
                .skip(1)
                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                .toList());
    }

    Path then(String step) {
        return new Path(Stream.concat(steps.stream(), Stream.of(step)).toList());
    }

    /** Returns the steps after those of a path that leads here. */
    List<String> below(Path other) {
        return steps.subList(other.steps.size(), steps.size());
    }

    /** Returns whether the other path is equal or below. */
    boolean leadsTo(Path other) {
        return other.steps.size() >= steps.size() && steps.equals(other.steps.subList(0, steps.size()));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String step : steps) {
            if (step.indexOf('.') >= 0 || step.indexOf('[') >= 0) {
                text.append('[').append(step).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(step);
            }
        }
        return text.toString();
    }
}
