package dev.evenkeel.engine.internal.object;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.spi.Store.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
 *   <li>The encoding starts with apiVersion, kind and metadata, in that order, and names the version it was encoded
 *       for, {@link #isOf}: items of typed lists skip the first two keys, and another version with the same schema only
 *       replaces them.
 *   <li>The encoding holds no resourceVersion, since that is known only after the commit: it is spliced in behind the
 *       opening of metadata when the object is shown.
 *   <li>Instances are immutable, and the arrays do not escape.
 * </ol>
 *
 * <p>Labels and owner uids are stored in addition to the bytes, since every selector and every cascade needs them.
 * Everything else is parsed on demand.
 */
public final class StoredObject implements Value {
    private static final byte[] VERSION_HEAD = "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int METADATA_HEAD = "\"metadata\":{".length();
    private static final int DELETING = 1;
    private static final int FINALIZERS = 2;

    private final byte[] bytes;
    private final ResourceType.Version shape;
    private final Map<String, String> labels;
    private final String @Nullable [] owners;
    private final short bodyAt;
    private final byte flags;

    private StoredObject(
            byte[] bytes,
            ResourceType.Version shape,
            Map<String, String> labels,
            String @Nullable [] owners,
            int bodyAt,
            int flags) {
        this.bytes = bytes;
        this.shape = shape;
        this.labels = labels;
        this.owners = owners;
        this.bodyAt = (short) bodyAt;
        this.flags = (byte) flags;
    }

    /** Encodes a tree, which must have apiVersion, kind and metadata, in its own version. */
    public static StoredObject encode(Map<String, @Nullable Object> tree, ResourceType.Version shape) {
        Map<String, @Nullable Object> ordered = LinkedHashMap.newLinkedHashMap(tree.size());
        String apiVersion = Json.string(tree, "apiVersion");
        String kind = Json.string(tree, "kind");
        ordered.put("apiVersion", apiVersion);
        ordered.put("kind", kind);
        Map<String, @Nullable Object> metadata = Json.asObject(tree.get("metadata"));
        Object revision = metadata.remove("resourceVersion");
        ordered.put("metadata", metadata);
        tree.forEach(ordered::putIfAbsent);
        byte[] bytes = Json.write(ordered);
        if (revision != null) {
            metadata.put("resourceVersion", revision);
        }
        int flags = (metadata.containsKey("deletionTimestamp") ? DELETING : 0)
                | (metadata.get("finalizers") instanceof List<?> list && !list.isEmpty() ? FINALIZERS : 0);
        int bodyAt = "{\"apiVersion\":\"\",\"kind\":\"\",".length() + apiVersion.length() + kind.length();
        return new StoredObject(bytes, shape, labels(metadata), owners(metadata), bodyAt, flags);
    }

    private static Map<String, String> labels(Map<String, @Nullable Object> metadata) {
        if (!(metadata.get("labels") instanceof Map<?, ?> map) || map.isEmpty()) {
            return Map.of();
        }
        Map<String, String> labels = HashMap.newHashMap(map.size());
        map.forEach((key, value) -> labels.put(((String) key).intern(), value instanceof String text ? text : ""));
        return Map.copyOf(labels);
    }

    private static String @Nullable [] owners(Map<String, @Nullable Object> metadata) {
        if (!(metadata.get("ownerReferences") instanceof List<?> list) || list.isEmpty()) {
            return null;
        }
        List<String> uids = new ArrayList<>(list.size());
        list.forEach(reference -> uids.add(Json.string(reference, "uid")));
        return uids.toArray(String[]::new);
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Returns true if this was encoded for the present state of a version. A changed definition creates new versions,
     * so that identity tells if the bytes still have the right form.
     */
    public boolean isOf(ResourceType.Version version) {
        return shape.equals(version);
    }

    /** Returns true if the object is marked for deletion. */
    public boolean deleting() {
        return (flags & DELETING) != 0;
    }

    /** Returns true if the object has finalizers. */
    public boolean hasFinalizers() {
        return (flags & FINALIZERS) != 0;
    }

    /** Returns the labels, for selectors. */
    public Map<String, String> labels() {
        return labels;
    }

    /** Returns the uids of the owners. */
    public List<String> owners() {
        return owners == null ? List.of() : List.of(owners);
    }

    /** Returns the head of the object, without a resourceVersion; each call parses the head, and nothing else. */
    public Encoded.Header header() {
        return Encoded.Header.of(bytes);
    }

    /** Returns the object as a new tree, at a revision. */
    public Map<String, @Nullable Object> tree(long revision) {
        Map<String, @Nullable Object> tree = Json.parseObject(bytes, Trusted.LIMITS);
        Json.asObject(tree.get("metadata")).put("resourceVersion", Long.toString(revision));
        return tree;
    }

    /** Returns the encoding at a revision, with this apiVersion and kind. */
    public byte[] json(byte[] head, long revision) {
        byte[] version = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
        byte[] out = new byte[head.length + bytes.length - bodyAt + VERSION_HEAD.length + version.length + 2];
        System.arraycopy(head, 0, out, 0, head.length);
        splice(out, head.length, version);
        return out;
    }

    private void splice(byte[] out, int start, byte[] version) {
        int at = start;
        System.arraycopy(bytes, bodyAt, out, at, METADATA_HEAD);
        at += METADATA_HEAD;
        System.arraycopy(VERSION_HEAD, 0, out, at, VERSION_HEAD.length);
        at += VERSION_HEAD.length;
        System.arraycopy(version, 0, out, at, version.length);
        at += version.length;
        out[at++] = '"';
        out[at++] = ',';
        int rest = bodyAt + METADATA_HEAD;
        System.arraycopy(bytes, rest, out, at, bytes.length - rest);
    }

    /** Writes the encoding at a revision. */
    public void writeTo(java.io.OutputStream out, byte[] head, long revision) throws java.io.IOException {
        out.write(head);
        out.write(bytes, bodyAt, METADATA_HEAD);
        out.write(VERSION_HEAD);
        out.write(Long.toString(revision).getBytes(StandardCharsets.US_ASCII));
        out.write('"');
        out.write(',');
        int rest = bodyAt + METADATA_HEAD;
        out.write(bytes, rest, bytes.length - rest);
    }
}
