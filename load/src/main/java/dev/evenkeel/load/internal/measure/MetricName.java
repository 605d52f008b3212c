package dev.evenkeel.load.internal.measure;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The name of a metric with labels, in the text format of Prometheus. As a selection, it means all series of the name that
 * have these labels, and perhaps others.
 */
record MetricName(String name, SortedMap<String, String> labels) {
    MetricName {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(labels)));
    }

    /**
     * Reads a name such as {@code workqueue_depth} or {@code workqueue_depth{name="pods"}}.
     *
     * @throws IllegalArgumentException when it is none
     */
    static MetricName parse(String text) {
        Reader reader = new Reader(text);
        MetricName name = reader.name();
        if (reader.at != text.length()) {
            throw reader.expected("the end of the name");
        }
        return name;
    }

    /** Returns whether a series is one of this selection. */
    boolean selects(MetricName series) {
        return name.equals(series.name) && series.labels.entrySet().containsAll(labels.entrySet());
    }

    /** Reads a name, and remembers where it ends. */
    static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        /** Returns what follows the name. */
        String rest() {
            return text.substring(at);
        }

        MetricName name() {
            String name = word("the name of a metric, such as http_requests_total");
            SortedMap<String, String> labels = new TreeMap<>();
            if (accepts('{')) {
                while (!accepts('}')) {
                    String label = word("a label, such as {code=\"200\"}");
                    if (!accepts('=') || !accepts('"')) {
                        throw expected("=\"value\"");
                    }
                    labels.put(label, quoted());
                    if (!accepts(',') && (at == text.length() || text.charAt(at) != '}')) {
                        throw expected(", or }");
                    }
                }
            }
            return new MetricName(name, labels);
        }

        private String word(String what) {
            blanks();
            int begin = at;
            while (at < text.length() && isPartOfName(text.charAt(at), at == begin)) {
                at++;
            }
            if (at == begin) {
                throw expected(what);
            }
            return text.substring(begin, at);
        }

        private static boolean isPartOfName(char c, boolean first) {
            return (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || c == '_'
                    || c == ':'
                    || (!first && c >= '0' && c <= '9');
        }

        /** Reads up to the closing quote. */
        private String quoted() {
            StringBuilder value = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"') {
                    return value.toString();
                }
                if (c == '\\' && at < text.length()) {
                    char escaped = text.charAt(at++);
                    value.append(escaped == 'n' ? '\n' : escaped);
                } else {
                    value.append(c);
                }
            }
            throw expected("a closing quote");
        }

        private boolean accepts(char c) {
            blanks();
            if (at < text.length() && text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private void blanks() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
        }

        private IllegalArgumentException expected(String what) {
            return new IllegalArgumentException("metric: must be " + what + " at character " + (at + 1) + ": " + text);
        }
    }
}
