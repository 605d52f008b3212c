package dev.evenkeel.engine.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
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

    /** Objects of types are not nested deeper. */
    private static final int MOST_LEVELS = 200;

    private final JsonParser parser;
    private final Set<String> left;
    private final List<String> sorted = new ArrayList<>();

    private StrictOrder(JsonParser parser, List<String> problems) {
        this.parser = parser;
        left = new LinkedHashSet<>(problems);
    }

    /**
     * Returns the problems in order, each once.
     *
     * @param json a document that {@link Json} accepts
     * @param problems such as {@code unknown field "spec.foo"}
     */
    public static List<String> sort(byte[] json, List<String> problems) {
        try (JsonParser parser = READER.createParser(json)) {
            StrictOrder order = new StrictOrder(parser, problems);
            parser.nextToken();
            order.value("", MOST_LEVELS);
            order.sorted.addAll(order.left);
            return order.sorted;
        } catch (IOException e) {
            return problems;
        }
    }

    private void value(String path, int levels) throws IOException {
        if (levels == 0) {
            parser.skipChildren();
        } else if (parser.currentToken() == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                value(path + "[" + i + "]", levels - 1);
            }
        } else if (parser.currentToken() == JsonToken.START_OBJECT) {
            Set<String> keys = new HashSet<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = Json.wellFormed(parser.currentName());
                String field = path.isEmpty() ? key : path + "." + key;
                meet("unknown", field);
                if (!keys.add(key)) {
                    meet("duplicate", field);
                }
                parser.nextToken();
                value(field, levels - 1);
            }
        }
    }

    private void meet(String what, String field) {
        String problem = what + " field " + GoTypes.quoted(field);
        if (left.remove(problem)) {
            sorted.add(problem);
        }
    }
}
