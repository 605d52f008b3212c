package dev.evenkeel.controller.cache;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of objects that a cache keeps.
 *
 * <p>apiVersion, kind, and metadata are always kept, except for {@code metadata.managedFields} unless the projection is
 * {@link #everything()}: they often are a third of an object, and only the server needs them. Writing an object from a
 * cache with {@code update} does not remove them: a server that receives none keeps the existing ones.
 *
 * <p><b>An object from a cache with a projection of single fields must not be written with {@code update}</b>: the
 * other fields would be removed. Patch it or apply to it.
 */
public final class Projection {
    private static final byte[] METADATA = "\"metadata\"".getBytes(StandardCharsets.UTF_8);
    private static final byte[] MANAGED_FIELDS = "\"managedFields\"".getBytes(StandardCharsets.UTF_8);

    private static final Projection EVERYTHING = new Projection(List.of(), true);
    private static final Projection DEFAULT = new Projection(List.of(), false);

    /** A field, and the fields below it that are kept: all when null. */
    private record Fields(@Nullable Map<String, Fields> below) {
        static final Fields ALL = new Fields(null);
    }

    private final List<String> paths;
    private final boolean managedFields;
    private final @Nullable Map<String, Fields> kept;

    private Projection(List<String> paths, boolean managedFields) {
        this.paths = paths;
        this.managedFields = managedFields;
        this.kept = paths.isEmpty() ? null : tree(paths);
    }

    /** Returns the projection to all fields, with {@code metadata.managedFields}. */
    public static Projection everything() {
        return EVERYTHING;
    }

    /** Returns the projection to all fields but {@code metadata.managedFields}. */
    public static Projection withoutManagedFields() {
        return DEFAULT;
    }

    /**
     * Returns the projection to apiVersion, kind, metadata, and the fields at these paths, such as
     * {@code spec.replicas}, {@code status} or {@code spec.containers.image}: a path applies to all items of lists.
     *
     * @throws IllegalArgumentException when there is no path, or an empty step in one
     */
    public static Projection of(String... paths) {
        if (paths.length == 0) {
            throw new IllegalArgumentException(
                    "paths: must not be empty; for the metadata alone watch Kind.metadataOnly()");
        }
        for (String path : paths) {
            if (Stream.of(path.split("\\.", -1)).anyMatch(String::isBlank)) {
                throw new IllegalArgumentException(
                        "paths: \"" + path + "\" has an empty step; write a path as in spec.replicas");
            }
        }
        return new Projection(Stream.of(paths).sorted().distinct().toList(), false);
    }

    private static Map<String, Fields> tree(List<String> paths) {
        Map<String, Fields> tree = new TreeMap<>();
        tree.put("apiVersion", Fields.ALL);
        tree.put("kind", Fields.ALL);
        tree.put("metadata", Fields.ALL);
        // the paths are sorted: a field comes before those below it
        for (String path : paths) {
            Map<String, Fields> level = tree;
            String[] steps = path.split("\\.", -1);
            for (int i = 0; level != null && i < steps.length; i++) {
                Fields added = i == steps.length - 1 ? Fields.ALL : new Fields(new TreeMap<>());
                Fields present = level.putIfAbsent(steps[i], added);
                level = (present == null ? added : present).below();
            }
        }
        return tree;
    }

    /** Returns the projection to the fields of both. */
    public Projection union(Projection other) {
        if (paths.isEmpty() || other.paths.isEmpty()) {
            return managedFields || other.managedFields ? EVERYTHING : DEFAULT;
        }
        Stream<String> both = Stream.concat(paths.stream(), other.paths.stream());
        return new Projection(both.sorted().distinct().toList(), false);
    }

    /** Returns whether this keeps all fields that another one keeps. */
    public boolean covers(Projection other) {
        return union(other).equals(this)
                || (!paths.isEmpty()
                        && !other.paths.isEmpty()
                        && other.paths.stream().allMatch(this::has));
    }

    private boolean has(String path) {
        return paths.stream().anyMatch(own -> path.equals(own) || path.startsWith(own + "."));
    }

    /** Returns the kept part of an object; the text itself when that is all. It must be well-formed. */
    byte[] of(byte[] json) {
        if (kept == null) {
            return managedFields ? json : withoutManagedFields(json);
        }
        boolean managed = !managedFields && JsonText.contains(json, MANAGED_FIELDS);
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length);
        int unused = object(json, JsonText.token(json, 0), kept, managed, out);
        return out.toByteArray();
    }

    /** Returns the text without one field: the common case, which needs no more memory than its result. */
    private static byte[] withoutManagedFields(byte[] json) {
        int behind = JsonText.token(json, 0) + 1; // behind the member before
        int at = JsonText.token(json, behind);
        int depth = 0;
        while (json[at] != '}') {
            int nameEnd = JsonText.end(json, at);
            int value = JsonText.token(json, JsonText.token(json, nameEnd) + 1);
            if (depth == 0 && json[value] == '{' && JsonText.is(json, at, nameEnd, METADATA)) {
                depth = 1;
                behind = value + 1;
                at = JsonText.token(json, behind);
                continue;
            }
            int end = JsonText.end(json, value);
            int next = JsonText.token(json, end);
            boolean last = json[next] != ',';
            if (depth == 1 && JsonText.is(json, at, nameEnd, MANAGED_FIELDS)) {
                return last ? cut(json, behind, end) : cut(json, at, JsonText.token(json, next + 1));
            }
            behind = end;
            at = last ? next : JsonText.token(json, next + 1);
        }
        return json;
    }

    private static byte[] cut(byte[] json, int from, int to) {
        byte[] rest = new byte[json.length - (to - from)];
        System.arraycopy(json, 0, rest, 0, from);
        System.arraycopy(json, to, rest, from, json.length - to);
        return rest;
    }

    /**
     * Writes the kept fields of an object, all when null, and returns the index after it; only the top has managed
     * fields.
     */
    private static int object(
            byte[] json, int start, @Nullable Map<String, Fields> fields, boolean top, ByteArrayOutputStream out) {
        out.write('{');
        boolean first = true;
        int at = JsonText.token(json, start + 1);
        while (json[at] != '}') {
            int name = at;
            int nameEnd = JsonText.end(json, name);
            int value = JsonText.token(json, JsonText.token(json, nameEnd) + 1);
            String field = new String(json, name + 1, nameEnd - name - 2, StandardCharsets.UTF_8);
            Fields below = fields == null ? Fields.ALL : fields.get(field);
            int end;
            if (below == null) {
                end = JsonText.end(json, value);
            } else {
                if (!first) {
                    out.write(',');
                }
                first = false;
                out.write(json, name, nameEnd - name);
                out.write(':');
                end = top && field.equals("metadata") && json[value] == '{'
                        ? metadata(json, value, out)
                        : value(json, value, below, out);
            }
            at = JsonText.token(json, end);
            if (json[at] == ',') {
                at = JsonText.token(json, at + 1);
            }
        }
        out.write('}');
        return at + 1;
    }

    private static int value(byte[] json, int at, Fields fields, ByteArrayOutputStream out) {
        Map<String, Fields> below = fields.below();
        if (below != null && json[at] == '{') {
            return object(json, at, below, false, out);
        }
        if (below != null && json[at] == '[') {
            return list(json, at, fields, out);
        }
        int end = JsonText.end(json, at);
        out.write(json, at, end - at);
        return end;
    }

    private static int list(byte[] json, int start, Fields fields, ByteArrayOutputStream out) {
        out.write('[');
        int at = JsonText.token(json, start + 1);
        while (json[at] != ']') {
            at = JsonText.token(json, value(json, at, fields, out));
            if (json[at] == ',') {
                out.write(',');
                at = JsonText.token(json, at + 1);
            }
        }
        out.write(']');
        return at + 1;
    }

    private static int metadata(byte[] json, int start, ByteArrayOutputStream out) {
        out.write('{');
        boolean first = true;
        int at = JsonText.token(json, start + 1);
        while (json[at] != '}') {
            int nameEnd = JsonText.end(json, at);
            int end = JsonText.end(json, JsonText.token(json, JsonText.token(json, nameEnd) + 1));
            if (!JsonText.is(json, at, nameEnd, MANAGED_FIELDS)) {
                if (!first) {
                    out.write(',');
                }
                first = false;
                out.write(json, at, end - at);
            }
            at = JsonText.token(json, end);
            if (json[at] == ',') {
                at = JsonText.token(json, at + 1);
            }
        }
        out.write('}');
        return at + 1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Projection projection
                && paths.equals(projection.paths)
                && managedFields == projection.managedFields;
    }

    @Override
    public int hashCode() {
        return paths.hashCode() * 2 + (managedFields ? 1 : 0);
    }

    @Override
    public String toString() {
        return paths.isEmpty() ? managedFields ? "everything" : "all but managedFields" : String.join(",", paths);
    }
}
