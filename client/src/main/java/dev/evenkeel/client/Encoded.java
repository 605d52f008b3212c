package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An object as its JSON text: for those who keep, count or pass on objects of which they read little, such as caches. It
 * needs the memory of its text, and nothing is decoded before it is asked for.
 *
 * <p>A {@link Kind} for it comes from {@link Kind#encoded()}; any client reads and writes it like other classes. It never
 * changes, though the model's interface has setters: they refuse.
 */
public final class Encoded implements HasMetadata {
    private final byte[] json;
    private transient volatile @Nullable Header header;

    private Encoded(byte[] json) {
        this.json = json;
    }

    /** The object of this text, which is not copied and must not change; it is not looked at yet. */
    public static Encoded of(byte[] json) {
        return new Encoded(json);
    }

    /** The object as text, which is shared and must not be changed. */
    public byte[] json() {
        return json;
    }

    /**
     * What is said of the object in its head, found in one pass over the text at the first call.
     *
     * @throws IllegalArgumentException when the text is no object; says what is wrong
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
     * The object in the class of its kind; the caller's own.
     *
     * @throws IllegalArgumentException when it does not fit the class; says which field
     */
    public <T extends HasMetadata> T decode(Class<T> type) {
        return ModelCodec.decode(json, type);
    }

    /** The metadata, decoded anew at each call; changes of it reach nothing. */
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

    /** The text. */
    @Override
    public String toString() {
        return new String(json, StandardCharsets.UTF_8);
    }
}
