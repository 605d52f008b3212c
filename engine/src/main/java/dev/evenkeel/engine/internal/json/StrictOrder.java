package dev.evenkeel.engine.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Sorts the unknown and duplicate fields of a document by the place where upstream's decoder meets them: an unknown one at
 * its first key, a duplicate at its second.
 */
public final class StrictOrder {
    private static final JsonFactory READER = new JsonFactory();

    private static final String FIELD = " field \"";

    /** Objects of types are not nested deeper. */
    private static final int MOST_LEVELS = 200;

    private final JsonParser parser;
    private final Set<String> sorted = new LinkedHashSet<>();
    /** The path of the present value, as it is in problems. */
    private final StringBuilder path = new StringBuilder();

    private StrictOrder(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * Returns the problems in order, each once.
     *
     * @param json a document that {@link Json} accepts
     * @param problems such as {@code unknown field "spec.foo"}
     */
    public static List<String> sort(byte[] json, List<String> problems) {
        try (JsonParser parser = READER.createParser(json)) {
            StrictOrder order = new StrictOrder(parser);
            parser.nextToken();
            order.value(
                    problems.stream()
                            .filter(problem -> problem.contains(FIELD))
                            .map(Problem::of)
                            .toList(),
                    MOST_LEVELS);
            order.sorted.addAll(problems);
            return List.copyOf(order.sorted);
        } catch (IOException e) {
            return problems;
        }
    }

    /** Reads a value. The paths of the problems begin with the present one, so values without a problem cost little. */
    private void value(List<Problem> problems, int levels) throws IOException {
        if (levels == 0 || problems.isEmpty()) {
            parser.skipChildren();
        } else if (parser.currentToken() == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                child("[" + i + "]", problems, levels);
            }
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            Set<String> keys = new HashSet<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = Json.wellFormed(parser.currentName());
                String quoted = GoTypes.quoted(key);
                String step = (path.isEmpty() ? "" : ".") + quoted.substring(1, quoted.length() - 1);
                meet(step, keys.add(key) ? "unknown" : "duplicate", problems);
                parser.nextToken();
                child(step, problems, levels);
            }
        }
    }

    private void child(String step, List<Problem> problems, int levels) throws IOException {
        int end = path.length();
        List<Problem> below = problems.stream()
                .filter(problem -> problem.path().startsWith(step, end))
                .toList();
        path.append(step);
        value(below, levels - 1);
        path.setLength(end);
    }

    private void meet(String step, String what, List<Problem> problems) {
        int end = path.length();
        for (Problem problem : problems) {
            if (problem.what().equals(what)
                    && problem.path().length() == end + step.length()
                    && problem.path().startsWith(step, end)) {
                sorted.add(problem.text());
            }
        }
    }

    /** A problem with the path of its field, without the quotes. */
    private record Problem(String text, String what, String path) {
        static Problem of(String text) {
            int what = text.indexOf(FIELD);
            return new Problem(text, text.substring(0, what), text.substring(what + FIELD.length(), text.length() - 1));
        }
    }
}
