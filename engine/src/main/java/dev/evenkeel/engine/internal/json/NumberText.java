package dev.evenkeel.engine.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Finds how a number is written in a document: trees do not tell {@code 1e3} from {@code 1000.0}, but upstream's messages
 * do.
 */
public final class NumberText {
    private static final JsonFactory READER = new JsonFactory();

    private NumberText() {}

    /**
     * Returns the text of a number; empty when there is none at the path.
     *
     * @param json a document that {@link Json} accepts
     * @param path keys and indexes
     */
    public static Optional<String> at(byte[] json, List<Object> path) {
        try (JsonParser parser = READER.createParser(json)) {
            parser.nextToken();
            for (Object step : path) {
                if (!enter(parser, step)) {
                    return Optional.empty();
                }
            }
            return parser.currentToken().isNumeric() ? Optional.of(parser.getText()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Moves from the start of a container to the value of a key or index. */
    private static boolean enter(JsonParser parser, Object step) throws IOException {
        JsonToken container = parser.currentToken();
        int index = 0;
        while (container != null && container.isStructStart()) {
            JsonToken token = parser.nextToken();
            if (token == null || token.isStructEnd()) {
                return false;
            }
            Object at = index++;
            if (container == JsonToken.START_OBJECT) {
                at = parser.currentName();
                parser.nextToken();
            }
            if (step.equals(at)) {
                return true;
            }
            parser.skipChildren();
        }
        return false;
    }
}
