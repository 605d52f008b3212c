package dev.evenkeel.engine.internal.object;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: bytes as received, or the tree of an object that was decoded from another format. Where a body is
 * a tree, its bytes are those of the tree in JSON, encoded at the first use: most verbs need only the tree.
 */
public final class Body {
    /** The format of the bytes of a body; of YAML, only the first document is read. */
    public enum Format {
        JSON,
        YAML
    }

    private final Format format;
    private final @Nullable JsonObject tree;
    private final int size;
    private byte @Nullable [] bytes;

    private Body(byte @Nullable [] bytes, Format format, @Nullable JsonObject tree, int size) {
        this.bytes = bytes;
        this.format = format;
        this.tree = tree;
        this.size = size;
    }

    /**
     * Creates a body of bytes.
     *
     * @param bytes must not be changed after the call
     * @param format their format
     */
    public Body(byte[] bytes, Format format) {
        this(bytes, format, null, bytes.length);
    }

    /**
     * Returns the body that holds a tree.
     *
     * @param tree must not be changed after the call
     * @param size how many bytes were received
     */
    public static Body of(JsonObject tree, int size) {
        return new Body(null, Format.JSON, tree, size);
    }

    public static Body json(byte[] bytes) {
        return new Body(bytes, Format.JSON);
    }

    public static Body json(String text) {
        return json(text.getBytes(StandardCharsets.UTF_8));
    }

    public static Body yaml(String text) {
        return new Body(text.getBytes(StandardCharsets.UTF_8), Format.YAML);
    }

    /** Returns the bytes; those of a tree are JSON. Concurrent calls may encode a tree more than once. */
    public byte[] bytes() {
        byte[] known = bytes;
        if (known == null) {
            known = tree == null ? new byte[0] : Json.write(tree);
            bytes = known;
        }
        return known;
    }

    /** Returns how many bytes were received. */
    public int size() {
        return size;
    }

    /** Returns the format of the bytes. */
    public Format format() {
        return format;
    }

    /** Returns true for the body of a tree, false for one of bytes. */
    public boolean isTree() {
        return tree != null;
    }

    /** Returns a copy of the tree; empty for a body of bytes. */
    public Optional<JsonObject> tree() {
        return Optional.ofNullable(tree).map(JsonObject::copy);
    }
}
