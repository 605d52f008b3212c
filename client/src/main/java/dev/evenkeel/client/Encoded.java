package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An object as its JSON text, for code that keeps, counts or forwards objects and reads little of them, such as caches.
 * It needs the memory of its text, and is decoded on demand only.
 *
 * <p>{@link Kind#encoded()} returns a {@link Kind} for it; any client reads and writes it like other classes.
 * Immutable: the setters of the model's interface throw.
 */
public final class Encoded implements HasMetadata {
    private final byte[] json;
    private transient volatile @Nullable Header header;

    private Encoded(byte[] json) {
        this.json = json;
    }

    /** Returns the object of this text, which is not copied, must not change, and is not parsed yet. */
    public static Encoded of(byte[] json) {
        return new Encoded(json);
    }

    /** Returns the object as text, which is shared and must not be changed. */
    public byte[] json() {
        return json;
    }

    /**
     * Returns the identity and metadata of the object, found in one pass over the text at the first call.
     *
     * @throws IllegalArgumentException when the text is not an object; with the reason
     */
    public Header header() {
        Header present = header;
        if (present == null) {
            present = Header.of(json);
            header = present;
        }
        return present;
    }

    /**
     * Returns the object in the class of its kind; the caller's own.
     *
     * @throws IllegalArgumentException when it does not fit the class; the message names the field
     */
    public <T extends HasMetadata> T decode(Class<T> type) {
        return ModelCodec.decode(json, type);
    }

    /** The metadata, decoded again at each call; changes of it reach nothing. */
    @Override
    public ObjectMeta getMetadata() {
        return ModelCodec.metadata(json);
    }

    @Override
    public void setMetadata(ObjectMeta metadata) {
        throw unchangeable();
    }

    @Override
    public String getKind() {
        return header().kind();
    }

    @Override
    public String getApiVersion() {
        return header().apiVersion();
    }

    @Override
    public void setApiVersion(String version) {
        throw unchangeable();
    }

    private static UnsupportedOperationException unchangeable() {
        return new UnsupportedOperationException("an encoded object never changes: decode it and change that");
    }

    /** Returns the text. */
    @Override
    public String toString() {
        return new String(json, StandardCharsets.UTF_8);
    }
}
