package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * JSON Patch, RFC 6902, as kube-apiserver applies it.
 *
 * <p><b>Where upstream differs from the RFC, upstream is followed</b>, because its clients rely on it:
 *
 * <ol>
 *   <li>{@code replace} of a key that is missing in an object adds it; the parent must exist
 *   <li>{@code test} of a missing key passes when the value is null or not given; {@code copy} of a missing key copies
 *       null
 *   <li>an {@code add} or {@code replace} without value sets null
 *   <li>a negative index counts from the end: -1 is the last item, and for {@code add} the place after it
 *   <li>text before the first slash of a path is ignored
 *   <li>the path "" means the whole document for {@code replace} and {@code test} only
 * </ol>
 *
 * <p>Any failure is a {@link PatchMismatchException}; operations before it have then changed the document, which the caller must
 * discard.
 *
 * <p><b>Cost.</b> A patch is the one place where few bytes can create a large or deep document: each {@code copy} may
 * double one. The bytes copied are limited in total, and no operation may nest deeper than a parsed document, so that
 * walking the result is safe. The depth of a moved value is not counted each time, since moving is otherwise free: a
 * bound is maintained, and the document is only measured when the bound is reached, and not more often than {@value
 * #MAX_RECOUNTS} times.
 */
final class JsonPatch {
    private static final int MAX_COPIED_BYTES = 3 * 1024 * 1024;
    private static final int MAX_RECOUNTS = 256;

    private final int maxDepth;
    private final Set<JsonObject> opened = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable Object document;
    private int deepest;
    private int recounts;
    private long copied;

    /** Starts with a document, which is consumed. */
    JsonPatch(@Nullable Object document, int maxDepth) {
        this.document = document;
        this.maxDepth = maxDepth;
        this.deepest = maxDepth;
    }

    /** Returns the document after all operations. */
    @Nullable
    Object apply(List<JsonPatchOperation> operations) {
        open(document);
        operations.forEach(this::apply);
        opened.forEach(Patches::sortKeys);
        return document;
    }

    private void apply(JsonPatchOperation operation) {
        String path = String.valueOf(operation.path());
        switch (operation.op()) {
            case "add" -> {
                Place place = place("add", "doc is missing path: \"" + path + "\"", operation.path());
                inside("add", path, () -> place.add(operation.value()));
                nested(place.depth() + depth(operation.value()));
            }
            case "remove" -> {
                Place place = place("remove", "doc is missing path: \"" + path + "\"", operation.path());
                inside("remove", path, place::remove);
            }
            case "replace" -> replace(operation, path);
            case "move" -> {
                Place from = place("move", "doc is missing from path: " + operation.from(), operation.from());
                Object[] value = new Object[1];
                inside("move", from.token(), () -> {
                    value[0] = from.get();
                    from.remove();
                });
                Place to = place("move", "doc is missing destination path: " + path, operation.path());
                inside("move", path, () -> to.add(value[0]));
                if (to.depth() > from.depth()) {
                    nested(deepest + to.depth() - from.depth());
                }
            }
            case "copy" -> {
                Place from = place("copy", "doc is missing from path: " + operation.from(), operation.from());
                Object[] value = new Object[1];
                inside("copy", String.valueOf(operation.from()), () -> value[0] = from.get());
                Place to = place("copy", "doc is missing destination path: " + path, operation.path());
                copied += Json.write(value[0]).length;
                if (copied > MAX_COPIED_BYTES) {
                    throw new PatchMismatchException("Unable to copy, the accumulated size increase of copy is "
                            + copied + ", exceeding the limit " + MAX_COPIED_BYTES);
                }
                Object copy = Json.copy(value[0]);
                inside("copy", path, () -> to.add(copy));
                nested(to.depth() + depth(copy));
            }
            case "test" -> {
                Object[] value = {document};
                if (!path.isEmpty()) {
                    Place place = place("test", "is missing path: " + path, operation.path());
                    inside("test", path, () -> value[0] = place.get());
                }
                if (!Objects.equals(value[0], operation.value())) {
                    throw new PatchMismatchException("testing value " + path + " failed: test failed", true);
                }
            }
            default -> throw new PatchMismatchException("Unexpected kind: " + operation.op());
        }
    }

    private void replace(JsonPatchOperation operation, String path) {
        Object value = operation.value();
        if ("".equals(operation.path())) {
            if (!(value instanceof JsonObject) && !(value instanceof List)) {
                throw new PatchMismatchException("replace operation hit type mismatch");
            }
            document = value;
            open(value);
            deepest = maxDepth;
            return;
        }
        Place place = place("replace", "doc is missing path: " + path, operation.path());
        inside("remove", path, () -> place.replace(value));
        nested(place.depth() + depth(value));
    }

    /** Returns the place of an operation, or reports that its container is missing. */
    private Place place(String operation, String missing, @Nullable String pointer) {
        try {
            return place(pointer);
        } catch (PatchMismatchException e) {
            throw new PatchMismatchException(operation + " operation does not apply: " + missing + ": missing value");
        }
    }

    private static void inside(String operation, String path, Runnable change) {
        try {
            change.run();
        } catch (PatchMismatchException e) {
            throw new PatchMismatchException("error in " + operation + " for path: '" + path + "': " + e.getMessage());
        }
    }

    /** Returns the place that a pointer names: a key or index, which need not exist, of a container, which must. */
    private Place place(@Nullable String pointer) {
        int slash = pointer == null ? -1 : pointer.indexOf('/');
        if (pointer == null || slash < 0) {
            throw missing();
        }
        Object container = document;
        int depth = 1;
        for (int next; (next = pointer.indexOf('/', slash + 1)) >= 0; slash = next) {
            container = new Place(container, unescaped(pointer, slash + 1, next), depth).get();
            open(container);
            depth++;
        }
        if (!(container instanceof JsonObject) && !(container instanceof List)) {
            throw missing();
        }
        return new Place(container, unescaped(pointer, slash + 1, pointer.length()), depth);
    }

    private static PatchMismatchException missing() {
        return new PatchMismatchException("missing value");
    }

    private void open(@Nullable Object container) {
        if (container instanceof JsonObject object) {
            opened.add(object);
        }
    }

    private static String unescaped(String pointer, int from, int to) {
        String token = pointer.substring(from, to);
        return token.indexOf('~') < 0 ? token : token.replace("~1", "/").replace("~0", "~");
    }

    /** Records that values may now be nested to that depth. */
    private void nested(int depth) {
        deepest = Math.max(deepest, depth);
        if (deepest > maxDepth) {
            deepest = depth(document);
            if (deepest > maxDepth || ++recounts > MAX_RECOUNTS) {
                throw new PatchMismatchException("exceeded max depth");
            }
        }
    }

    private static int depth(@Nullable Object tree) {
        return switch (tree) {
            case JsonObject map -> 1 + deepest(map.values());
            case List<?> list -> 1 + deepest(list);
            case null, default -> 0;
        };
    }

    /** A loop, as a stream needs many times the stack for each level. */
    private static int deepest(Collection<?> values) {
        int deepest = 0;
        for (Object value : values) {
            deepest = Math.max(deepest, depth(value));
        }
        return deepest;
    }

    /**
     * One key or index of a container.
     *
     * @param depth the number of containers around the value
     */
    private record Place(@Nullable Object container, String token, int depth) {
        @Nullable
        Object get() {
            return switch (container) {
                case JsonObject map -> map.get(token);
                case List<?> list -> list.get(index(list.size(), list.size() - 1));
                case null, default -> throw missing();
            };
        }

        void add(@Nullable Object value) {
            if (container instanceof JsonObject object) {
                object.put(token, value);
            } else {
                List<@Nullable Object> list = Json.asArray(container);
                list.add(token.equals("-") ? list.size() : index(list.size() + 1, list.size()), value);
            }
        }

        void replace(@Nullable Object value) {
            if (container instanceof JsonObject object) {
                object.put(token, value);
            } else {
                List<@Nullable Object> list = Json.asArray(container);
                list.set(index(list.size(), list.size() - 1), value);
            }
        }

        void remove() {
            if (container instanceof JsonObject object) {
                if (!object.containsKey(token)) {
                    throw new PatchMismatchException("Unable to remove nonexistent key: " + token + ": missing value");
                }
                object.remove(token);
            } else {
                List<@Nullable Object> list = Json.asArray(container);
                list.remove(index(list.size(), list.size() - 1));
            }
        }

        /** Returns the token as an index from 0 to last; a negative one counts back from end. */
        private int index(int end, int last) {
            int digits = token.startsWith("-") || token.startsWith("+") ? 1 : 0;
            if (token.length() == digits) {
                throw unreadable();
            }
            long index = 0;
            for (int i = digits; i < token.length(); i++) {
                int digit = token.charAt(i) - '0';
                if (digit < 0 || digit > 9 || index > Integer.MAX_VALUE) {
                    throw unreadable();
                }
                index = index * 10 + digit;
            }
            if (token.charAt(0) == '-') {
                index = index == 0 ? 0 : end - index;
            }
            if (index < 0 || index > last) {
                throw new PatchMismatchException("Unable to access invalid index: " + token + ": invalid array index");
            }
            return (int) index;
        }

        private PatchMismatchException unreadable() {
            return new PatchMismatchException("strconv.Atoi: parsing \"" + token + "\": invalid syntax");
        }
    }
}
