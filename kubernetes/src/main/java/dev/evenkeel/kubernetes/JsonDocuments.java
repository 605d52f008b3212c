package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** Small JSON documents, as trees. */
final class JsonDocuments {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int EXCERPT = 200;

    private JsonDocuments() {}

    /** Parses an object; refuses anything else. */
    static JsonNode parse(byte[] json) {
        JsonNode tree;
        try {
            tree = MAPPER.readTree(json);
        } catch (IOException e) {
            throw new KubernetesClient.UnexpectedAnswerException("not JSON: " + excerpt(json), e);
        }
        if (tree == null || !tree.isObject()) {
            throw new KubernetesClient.UnexpectedAnswerException("not a JSON object: " + excerpt(json));
        }
        return tree;
    }

    /** Returns the beginning of a text, on one line, for messages. */
    static String excerpt(byte[] text) {
        String start = new String(text, 0, Math.min(text.length, 4 * EXCERPT), UTF_8)
                .replaceAll("\\p{Cntrl}+|\\s+", " ")
                .strip();
        return start.length() <= EXCERPT ? start : start.substring(0, EXCERPT) + "...";
    }
}
