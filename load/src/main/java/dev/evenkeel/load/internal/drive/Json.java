package dev.evenkeel.load.internal.drive;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
    private static final ObjectMapper OBJECTS = JsonMapper.builder()
            .defaultPropertyInclusion(JsonInclude.Value.construct(NON_NULL, NON_NULL))
            .build();
    private static final TypeReference<LinkedHashMap<String, Object>> TREE = new TypeReference<>() {};

    private Json() {}

    /** Returns the text of an object of a kind, without the fields of the tree that are null. */
    public static byte[] object(Kind<?> kind, ObjectKey key, Map<String, ?> tree) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", kind.apiVersion());
        object.put("kind", kind.kind());
        object.putAll(tree);
        Map<Object, Object> metadata = new LinkedHashMap<>();
        if (kind.namespaced()) {
            metadata.put("namespace", key.namespace());
        }
        metadata.put("name", key.name());
        if (tree.get("metadata") instanceof Map<?, ?> more) {
            metadata.putAll(more);
        }
        object.put("metadata", metadata);
        return bytes(OBJECTS, object);
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
        return bytes(MAPPER, tree);
    }

    private static byte[] bytes(ObjectMapper mapper, Map<String, ?> tree) {
        try {
            return mapper.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a tree of JSON: " + e.getMessage(), e);
        }
    }
}
