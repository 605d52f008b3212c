package dev.evenkeel.testing.call;

import java.util.ArrayList;
import java.util.List;

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
            int end;
            if (text.charAt(at) == '[') {
                end = text.indexOf(']', at);
                if (end < 0) {
                    throw malformed(text, "the [ at " + at + " is not closed");
                }
                steps.add(text.substring(at + 1, end));
                end++;
            } else {
                end = at;
                while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '[') {
                    end++;
                }
                steps.add(text.substring(at, end));
            }
            if (steps.getLast().isEmpty()) {
                throw malformed(text, "a step is empty");
            }
            at = end;
            if (at < text.length() && text.charAt(at) == '.') {
                at++;
                if (at == text.length()) {
                    throw malformed(text, "a step is empty");
                }
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

    /** Parses a JSON pointer. */
    static Path pointer(String text) {
        List<String> steps = new ArrayList<>();
        String[] parts = text.split("/", -1);
        for (int i = 1; i < parts.length; i++) {
            steps.add(parts[i].replace("~1", "/").replace("~0", "~"));
        }
        return new Path(steps);
    }

    Path then(String step) {
        List<String> longer = new ArrayList<>(steps);
        longer.add(step);
        return new Path(longer);
    }

    /** Returns whether the other path is equal or below. */
    boolean leadsTo(Path other) {
        return other.steps.size() >= steps.size()
                && other.steps.subList(0, steps.size()).equals(steps);
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
