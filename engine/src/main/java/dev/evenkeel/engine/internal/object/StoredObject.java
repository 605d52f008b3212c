package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Value;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object in the store: its encoding, and the few facts that selectors and services need often.
 *
 * <p>The problem: lists and watches return objects far more often than writes create them, and a parsed tree is five to
 * seven times as large as its encoding. Therefore bytes are stored, and answering means copying them. Invariants:
 *
 * <ol>
 *   <li>The encoding starts with apiVersion, kind and metadata, in that order, and names the version that it
 *       {@link #isEncodedFor}: items of typed lists skip the first two keys.
 *   <li>The encoding holds no resourceVersion, since that is known only after the commit: it is spliced in behind the
 *       opening of metadata when the object is shown.
 *   <li>Behind an object that is {@code verbatim} stands a space, which JSON allows and answers leave out: so that is known
 *       when a durable store is opened again, and to other engines on the store.
 *   <li>Instances are immutable, and the arrays do not escape.
 * </ol>
 *
 * <p>Labels and owner uids are stored in addition to the bytes, since every selector and every cascade needs them; objects
 * that have the same ones share them. Everything else is parsed on demand.
 *
 * @param verbatim whether objects in it were sent with spaces, where that counts
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredObject(
        byte[] bytes,
        ResourceType.@Nullable Version version,
        Map<String, String> labels,
        List<String> ownerUids,
        boolean deleting,
        boolean hasFinalizers,
        boolean verbatim)
        implements Value {
    private static final byte VERBATIM = ' ';
    private static final Recent<Map<String, String>> LABELS = new Recent<>();
    private static final Recent<List<String>> OWNERS = new Recent<>();

    /** Limits for documents that the engine wrote itself. */
    public static final JsonLimits TRUSTED = new JsonLimits(Integer.MAX_VALUE, 2000, Integer.MAX_VALUE, 2000, 0);

    /**
     * Encodes a tree, which must have apiVersion, kind and metadata, in its own version.
     *
     * @param verbatim whether objects in it were sent with spaces, where that counts
     */
    public static StoredObject encode(JsonObject tree, ResourceType.Version version, boolean verbatim) {
        JsonObject ordered = new JsonObject(tree.size())
                .set("apiVersion", tree.string("apiVersion"))
                .set("kind", tree.string("kind"));
        JsonObject metadata = tree.object("metadata");
        Object revision = metadata.remove("resourceVersion");
        ordered.put("metadata", metadata);
        tree.forEach(ordered::putIfAbsent);
        byte[] json = Json.write(ordered);
        byte[] bytes = json;
        if (verbatim) {
            bytes = Arrays.copyOf(json, json.length + 1);
            bytes[json.length] = VERBATIM;
        }
        if (revision != null) {
            metadata.put("resourceVersion", revision);
        }
        return new StoredObject(
                bytes,
                version,
                metadata.get("labels") instanceof JsonObject labels ? labels(labels) : Map.of(),
                owners(metadata),
                metadata.containsKey("deletionTimestamp"),
                metadata.get("finalizers") instanceof List<?> list && !list.isEmpty(),
                verbatim);
    }

    /**
     * Returns the object that was encoded to these bytes.
     *
     * @param header what the bytes say of the object
     * @param version the version that it was encoded for, unchanged since; null when unknown
     */
    public static StoredObject decode(byte[] bytes, Encoded.Header header, ResourceType.@Nullable Version version) {
        return new StoredObject(
                bytes,
                version,
                labels(header.labels()),
                owners(header.owners().stream().map(Encoded.Header.Owner::uid).toList()),
                header.deleted(),
                !header.finalizers().isEmpty(),
                jsonLength(bytes) < bytes.length);
    }

    /** Returns the length of an encoded object without the mark behind it. */
    public static int jsonLength(byte[] bytes) {
        return bytes.length > 0 && bytes[bytes.length - 1] == VERBATIM ? bytes.length - 1 : bytes.length;
    }

    /** Returns a copy, which is shared with objects that have the same labels, or at least has shared keys. */
    private static Map<String, String> labels(Map<String, ? extends @Nullable Object> given) {
        if (given.isEmpty()) {
            return Map.of();
        }
        Map<String, String> labels = HashMap.newHashMap(given.size());
        given.forEach((key, label) -> labels.put(key.intern(), label instanceof String text ? text : ""));
        return LABELS.shared(Map.copyOf(labels));
    }

    private static List<String> owners(JsonObject metadata) {
        List<@Nullable Object> references = metadata.array("ownerReferences");
        return references.isEmpty()
                ? List.of()
                : owners(references.stream()
                        .map(owner -> Json.string(owner, "uid"))
                        .toList());
    }

    /** Returns the uids of owners, which are shared with objects that have the same owners. */
    private static List<String> owners(List<String> uids) {
        return uids.isEmpty() ? List.of() : OWNERS.shared(uids);
    }

    /** Returns the object of an entry as a tree of its own, with its resourceVersion. */
    public static JsonObject tree(Store.Entry entry) {
        return tree(entry.value(), entry.revision());
    }

    /** Returns an object as a tree of its own, at a revision. */
    public static JsonObject tree(Value value, long revision) {
        JsonObject tree = Json.parseObject(value.bytes(), TRUSTED);
        tree.object("metadata").put("resourceVersion", Long.toString(revision));
        return tree;
    }

    /** Compares by identity: a changed definition makes new versions, for which the bytes may have another form. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean isEncodedFor(Object wanted) {
        return version == wanted;
    }
}
