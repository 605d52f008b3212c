package dev.evenkeel.engine.internal.patch;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
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
 * <p>Any failure is the same bare 422; operations before it have then changed the document, which the caller must
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
        switch (operation.op()) {
            case "add" -> {
                Place place = place(operation.path());
                place.add(operation.value());
                nested(place.depth() + depth(operation.value()));
            }
            case "remove" -> place(operation.path()).remove();
            case "replace" -> replace(operation);
            case "move" -> {
                Place from = place(operation.from());
                Object value = from.get();
                from.remove();
                Place to = place(operation.path());
                to.add(value);
                if (to.depth() > from.depth()) {
                    nested(deepest + to.depth() - from.depth());
                }
            }
            case "copy" -> {
                Object original = place(operation.from()).get();
                Place to = place(operation.path());
                copied += Json.write(original).length;
                if (copied > MAX_COPIED_BYTES) {
                    throw Refusal.unprocessable();
                }
                Object value = Json.copy(original);
                to.add(value);
                nested(to.depth() + depth(value));
            }
            case "test" -> {
                boolean whole = "".equals(operation.path());
                if (!Objects.equals(whole ? document : place(operation.path()).get(), operation.value())) {
                    throw Refusal.unprocessable();
                }
            }
            default -> throw Refusal.unprocessable();
        }
    }

    private void replace(JsonPatchOperation operation) {
        Object value = operation.value();
        if ("".equals(operation.path())) {
            if (!(value instanceof JsonObject) && !(value instanceof List)) {
                throw Refusal.unprocessable();
            }
            document = value;
            open(value);
            deepest = maxDepth;
            return;
        }
        Place place = place(operation.path());
        place.replace(value);
        nested(place.depth() + depth(value));
    }

    /** Returns the place that a pointer names: a key or index, which need not exist, of a container, which must. */
    private Place place(@Nullable String pointer) {
        int slash = pointer == null ? -1 : pointer.indexOf('/');
        if (pointer == null || slash < 0) {
            throw Refusal.unprocessable();
        }
        Object container = document;
        int depth = 1;
        for (int next; (next = pointer.indexOf('/', slash + 1)) >= 0; slash = next) {
            container = new Place(container, unescaped(pointer, slash + 1, next), depth).get();
            open(container);
            depth++;
        }
        if (!(container instanceof JsonObject) && !(container instanceof List)) {
            throw Refusal.unprocessable();
        }
        return new Place(container, unescaped(pointer, slash + 1, pointer.length()), depth);
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
                throw Refusal.unprocessable();
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
                case null, default -> throw Refusal.unprocessable();
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
                    throw Refusal.unprocessable();
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
                throw Refusal.unprocessable();
            }
            long index = 0;
            for (int i = digits; i < token.length(); i++) {
                int digit = token.charAt(i) - '0';
                if (digit < 0 || digit > 9 || index > Integer.MAX_VALUE) {
                    throw Refusal.unprocessable();
                }
                index = index * 10 + digit;
            }
            if (token.charAt(0) == '-') {
                index = index == 0 ? 0 : end - index;
            }
            if (index < 0 || index > last) {
                throw Refusal.unprocessable();
            }
            return (int) index;
        }
    }
}
