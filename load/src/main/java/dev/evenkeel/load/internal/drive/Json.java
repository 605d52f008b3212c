package dev.evenkeel.load.internal.drive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Objects as trees of maps, and as text. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<LinkedHashMap<String, Object>> TREE = new TypeReference<>() {};

    private Json() {}

    /** Returns the text of an object of a kind. */
    public static byte[] object(Kind<?> kind, ObjectKey key, Map<String, ?> tree) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", kind.apiVersion());
        object.put("kind", kind.kind());
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (kind.namespaced()) {
            metadata.put("namespace", key.namespace());
        }
        metadata.put("name", key.name());
        object.put("metadata", metadata);
        return patch(tree).appliedTo(Encoded.of(bytes(object))).json();
    }

    /** Returns a JSON merge patch. */
    public static Patch patch(Map<String, ?> tree) {
        return Patch.merge(new String(bytes(tree), StandardCharsets.UTF_8));
    }

    /** Returns a text as a tree, which the caller may change. */
    public static Map<String, Object> tree(byte[] json) {
        try {
            return MAPPER.readValue(json, TREE);
        } catch (IOException e) {
            throw new IllegalArgumentException("not an object: " + e.getMessage(), e);
        }
    }

    /** Returns the value of a field of a text, to which the names of fields with dots between them lead. */
    static Optional<Object> value(byte[] json, String path) {
        Object node = tree(json);
        for (String name : path.split("\\.", -1)) {
            node = node instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return Optional.ofNullable(node);
    }

    /** Returns the text of a tree. */
    public static byte[] bytes(Map<String, ?> tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a tree of JSON: " + e.getMessage(), e);
        }
    }
}
