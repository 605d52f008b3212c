package dev.evenkeel.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /**
     * The identity and metadata of an object, without the rest of it.
     *
     * @param apiVersion empty when absent
     * @param kind empty when absent
     * @param uid empty before it is created
     * @param resourceVersion empty before it is created
     * @param generation 0 when absent
     * @param labels in their order; unmodifiable
     * @param annotations in their order; unmodifiable
     * @param deleted whether it is marked for deletion
     */
    public record Header(
            String apiVersion,
            String kind,
            ObjectKey key,
            String uid,
            String resourceVersion,
            long generation,
            Map<String, String> labels,
            Map<String, String> annotations,
            List<Owner> owners,
            List<String> finalizers,
            boolean deleted) {
        private static final JsonFactory JSON = FieldNames.forgotten();

        /**
         * An owner reference.
         *
         * @param controller whether the owner is the managing controller
         */
        public record Owner(String apiVersion, String kind, String name, String uid, boolean controller) {}

        /**
         * Reads the header of a JSON text, in one pass that skips other fields, and ends once apiVersion, kind and metadata
         * are known: servers write them first.
         *
         * @throws IllegalArgumentException when the text is not an object, as far as it was read
         */
        public static Header of(byte[] json) {
            try (JsonParser parser = JSON.createParser(json)) {
                return new Reader(parser).read();
            } catch (IOException e) {
                throw new IllegalArgumentException("not a JSON object: " + e.getMessage(), e);
            }
        }

        private static final class Reader {
            private final JsonParser parser;
            private String apiVersion = "";
            private String kind = "";
            private String namespace = "";
            private String name = "";
            private String uid = "";
            private String resourceVersion = "";
            private long generation;
            private Map<String, String> labels = Map.of();
            private Map<String, String> annotations = Map.of();
            private final List<Owner> owners = new ArrayList<>(1);
            private List<String> finalizers = List.of();
            private boolean deleted;

            Reader(JsonParser parser) {
                this.parser = parser;
            }

            Header read() throws IOException {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new IllegalArgumentException("not a JSON object: it begins with " + parser.currentToken());
                }
                boolean found = false;
                while (!found || apiVersion.isEmpty() || kind.isEmpty()) {
                    String field = field();
                    if (field == null) {
                        break;
                    }
                    switch (field) {
                        case "apiVersion" -> apiVersion = text();
                        case "kind" -> kind = text();
                        case "metadata" -> {
                            metadata();
                            found = true;
                        }
                        default -> parser.skipChildren();
                    }
                }
                return new Header(
                        apiVersion,
                        kind,
                        new ObjectKey(namespace, name),
                        uid,
                        resourceVersion,
                        generation,
                        labels,
                        annotations,
                        List.copyOf(owners),
                        finalizers,
                        deleted);
            }

            /** Moves to the value of the next field, and returns its name; null at the end of the object. */
            private @Nullable String field() throws IOException {
                String field = parser.nextFieldName();
                if (field != null) {
                    parser.nextToken();
                }
                return field;
            }

            /** Returns whether the present value begins like this; skips it otherwise. */
            private boolean begins(JsonToken start) throws IOException {
                boolean begins = parser.currentToken() == start;
                if (!begins) {
                    parser.skipChildren();
                }
                return begins;
            }

            private void metadata() throws IOException {
                if (!begins(JsonToken.START_OBJECT)) {
                    return;
                }
                for (String field = field(); field != null; field = field()) {
                    switch (field) {
                        case "namespace" -> namespace = text();
                        case "name" -> name = text();
                        case "uid" -> uid = text();
                        case "resourceVersion" -> resourceVersion = text();
                        case "generation" -> generation = parser.getValueAsLong();
                        case "labels" -> labels = map();
                        case "annotations" -> annotations = map();
                        case "ownerReferences" -> owners();
                        case "finalizers" -> finalizers = list();
                        case "deletionTimestamp" -> deleted = parser.currentToken() != JsonToken.VALUE_NULL;
                        default -> parser.skipChildren();
                    }
                }
            }

            private Map<String, String> map() throws IOException {
                if (!begins(JsonToken.START_OBJECT)) {
                    return Map.of();
                }
                Map<String, String> map = new LinkedHashMap<>();
                for (String field = field(); field != null; field = field()) {
                    map.put(field, text());
                }
                return Collections.unmodifiableMap(map);
            }

            private List<String> list() throws IOException {
                if (!begins(JsonToken.START_ARRAY)) {
                    return List.of();
                }
                List<String> list = new ArrayList<>(1);
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(text());
                }
                return List.copyOf(list);
            }

            private void owners() throws IOException {
                if (!begins(JsonToken.START_ARRAY)) {
                    return;
                }
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    if (begins(JsonToken.START_OBJECT)) {
                        owners.add(owner());
                    }
                }
            }

            private Owner owner() throws IOException {
                String ownerVersion = "";
                String ownerKind = "";
                String ownerName = "";
                String ownerUid = "";
                boolean controller = false;
                for (String field = field(); field != null; field = field()) {
                    switch (field) {
                        case "apiVersion" -> ownerVersion = text();
                        case "kind" -> ownerKind = text();
                        case "name" -> ownerName = text();
                        case "uid" -> ownerUid = text();
                        case "controller" -> controller = parser.currentToken() == JsonToken.VALUE_TRUE;
                        default -> parser.skipChildren();
                    }
                }
                return new Owner(ownerVersion, ownerKind, ownerName, ownerUid, controller);
            }

            private String text() throws IOException {
                @Nullable String value = parser.getValueAsString();
                parser.skipChildren();
                return value == null ? "" : value;
            }
        }
    }
}
