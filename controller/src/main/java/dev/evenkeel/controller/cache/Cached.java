package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Header;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A state of an object, as a cache keeps it: its text, and what is asked for most. It never changes and may be kept; what
 * it is asked about the head of the object costs nothing, {@link #object} decodes.
 *
 * @param <T> class of the object
 */
public final class Cached<T extends HasMetadata> {
    /** What a state needs beside its text, about: this, the key, uid and version, its places in tree and map. */
    private static final int OVERHEAD = 56 + 24 + 2 * 56 + 80 + 8 + 48;

    static final Object[] NO_VALUES = {};

    private final Source<T> source;
    private final ObjectKey key;
    private final String uid;
    private final String resourceVersion;
    private final long generation;
    private final Labels labels;
    private final List<Header.Owner> owners;
    private final boolean deleted;
    private final byte[] json;

    /** What the custom indexes of the cache say of it, in their order. */
    private final Object[] values;

    Cached(
            Source<T> source,
            ObjectKey key,
            String uid,
            String resourceVersion,
            long generation,
            Labels labels,
            List<Header.Owner> owners,
            boolean deleted,
            byte[] json,
            Object[] values) {
        this.source = source;
        this.key = key;
        this.uid = uid;
        this.resourceVersion = resourceVersion;
        this.generation = generation;
        this.labels = labels;
        this.owners = owners;
        this.deleted = deleted;
        this.json = json;
        this.values = values;
    }

    /** What the states of a cache have in common. */
    record Source<T extends HasMetadata>(
            Class<T> type, Projection projection, Interner<String> strings, Interner<Labels> labels) {
        Source(Class<T> type, Projection projection) {
            this(type, projection, new Interner<>(), new Interner<>());
        }

        Source<T> with(Projection other) {
            return new Source<>(type, other, strings, labels);
        }

        /**
         * A state of this text.
         *
         * @throws IllegalArgumentException when it is no object with a name
         */
        Cached<T> read(HasMetadata object) {
            byte[] json = ModelCodec.encode(object);
            Header header = object instanceof Encoded encoded ? encoded.header() : Header.of(json);
            if (header.key().name().isEmpty()) {
                throw new IllegalArgumentException("metadata.name: there is none, so this is no object");
            }
            return new Cached<>(
                    this,
                    new ObjectKey(
                            strings.intern(header.key().namespace()),
                            header.key().name()),
                    header.uid(),
                    header.resourceVersion(),
                    header.generation(),
                    labels.intern(Labels.of(header.labels(), strings)),
                    header.owners(),
                    header.deleted(),
                    projection.of(json),
                    NO_VALUES);
        }
    }

    Cached<T> with(Object[] newValues) {
        return new Cached<>(source, key, uid, resourceVersion, generation, labels, owners, deleted, json, newValues);
    }

    Object[] values() {
        return values;
    }

    Source<T> source() {
        return source;
    }

    /** Where it is. */
    public ObjectKey key() {
        return key;
    }

    /** Which object of this key it is. */
    public String uid() {
        return uid;
    }

    /** Which of its states. */
    public String resourceVersion() {
        return resourceVersion;
    }

    /** Counts changes of what is desired; 0 when the kind does not count them. */
    public long generation() {
        return generation;
    }

    /** Its labels, sorted by key; unmodifiable. */
    public Map<String, String> labels() {
        return labels;
    }

    /** A label. */
    public Optional<String> label(String name) {
        return Optional.ofNullable(labels.get(name));
    }

    /** An annotation, looked up in the text. */
    public Optional<String> annotation(String name) {
        return Optional.ofNullable(annotations().get(name));
    }

    /** Its annotations, read from the text at each call; unmodifiable. */
    public Map<String, String> annotations() {
        return Header.of(json).annotations();
    }

    /** Who it belongs to. */
    public List<Header.Owner> owners() {
        return owners;
    }

    /** The owner that manages it; empty when none does. */
    public Optional<Header.Owner> controller() {
        for (Header.Owner owner : owners) {
            if (owner.controller()) {
                return Optional.of(owner);
            }
        }
        return Optional.empty();
    }

    /** Whether it is marked for deletion. */
    public boolean deleted() {
        return deleted;
    }

    /** Whether its labels are selected. */
    public boolean matches(LabelSelector selector) {
        return selector.matches(labels);
    }

    /**
     * The object, decoded: the caller's own.
     *
     * @throws IllegalArgumentException when it does not fit the class; says which object and field
     */
    public T object() {
        return object(source.type());
    }

    /** The object in another class; see {@link #object()}. */
    public <O extends HasMetadata> O object(Class<O> type) {
        try {
            return ModelCodec.decode(json, type);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }

    /** The object as its text, which is shared and must not be changed. */
    public Encoded encoded() {
        return Encoded.of(json);
    }

    /** About how much memory it needs. */
    int bytes() {
        return json.length + OVERHEAD;
    }

    /** The version as a number; -1 when it is none. */
    long version() {
        return version(resourceVersion);
    }

    static long version(@Nullable String text) {
        if (text == null || text.isEmpty() || text.length() > 18) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return number;
    }

    @Override
    public String toString() {
        return key + "@" + resourceVersion;
    }
}
