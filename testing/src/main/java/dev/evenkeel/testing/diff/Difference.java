package dev.evenkeel.testing.diff;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The difference between an expected object and an observed one.
 *
 * <p>Both are compared as JSON documents, whatever their classes, after a {@link Normalization} has removed what does
 * not count. Entries of lists are paired by their key, such as {@code name} of containers, when all have one, and by
 * their index otherwise. Numbers are equal by value.
 */
public final class Difference {
    /** The documents, normalized. */
    final @Nullable Object expected;

    final @Nullable Object observed;

    private final List<Change> changes;

    /** The types of changes. */
    public enum Type {
        /** It was observed, not expected. */
        ADDED,
        /** It was expected, not observed. */
        REMOVED,
        /** It has a different value. */
        CHANGED,
        /** A list has the same entries in another order. */
        REORDERED
    }

    /**
     * One change.
     *
     * @param path path of the change
     * @param type type of the change
     * @param expected expected value in JSON, of {@link Type#REORDERED} the keys of the entries; empty when nothing was
     *     expected
     * @param observed observed value in the same form
     */
    public record Change(FieldPath path, Type type, String expected, String observed) {
        /** Returns text such as {@code spec.replicas: expected 3, observed 2}. */
        @Override
        public String toString() {
            String where = path.steps().isEmpty() ? "the object" : path.toString();
            return switch (type) {
                case ADDED -> where + ": expected nothing, observed " + observed;
                case REMOVED -> where + ": expected " + expected + ", observed nothing";
                case CHANGED -> where + ": expected " + expected + ", observed " + observed;
                case REORDERED -> where + ": expected the order " + expected + ", observed " + observed;
            };
        }
    }

    private Difference(@Nullable Object expected, @Nullable Object observed, List<Change> changes) {
        this.expected = expected;
        this.observed = observed;
        this.changes = List.copyOf(changes);
    }

    /** Returns the difference of two objects. */
    public static Difference between(HasMetadata expected, HasMetadata observed, Normalization normalization) {
        return of(tree(ModelCodec.encode(expected)), tree(ModelCodec.encode(observed)), normalization);
    }

    /**
     * Returns the difference of two JSON documents.
     *
     * @throws dev.evenkeel.engine.internal.json.JsonException when one of them is not valid JSON
     */
    public static Difference between(String expected, String observed, Normalization normalization) {
        return of(
                tree(expected.getBytes(StandardCharsets.UTF_8)),
                tree(observed.getBytes(StandardCharsets.UTF_8)),
                normalization);
    }

    private static @Nullable Object tree(byte[] json) {
        return Json.parse(json, JsonLimits.DEFAULT);
    }

    private static Difference of(@Nullable Object expected, @Nullable Object observed, Normalization normalization) {
        Object left = normalization.apply(expected);
        Object right = normalization.apply(observed);
        if (!normalization.order) {
            right = inOrderOf(left, right);
        }
        List<Change> changes = new ArrayList<>();
        compare(FieldPath.root(), left, right, changes);
        return new Difference(left, right, changes);
    }

    /** Returns whether there is no relevant difference. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Returns the changes, in the order of the fields; for a subtree on one side only, its root. */
    public List<Change> changes() {
        return changes;
    }

    /** Returns one line per change; "no difference" when there is none. */
    @Override
    public String toString() {
        return changes.isEmpty()
                ? "no difference"
                : changes.stream().map(Change::toString).collect(Collectors.joining("\n"));
    }

    private static void compare(
            FieldPath path, @Nullable Object expected, @Nullable Object observed, List<Change> changes) {
        if (expected instanceof JsonObject left && observed instanceof JsonObject right) {
            TreeSet<String> names = new TreeSet<>(left.keySet());
            names.addAll(right.keySet());
            for (String name : names) {
                FieldPath field = path.then(new FieldPath.Field(name));
                if (!right.containsKey(name)) {
                    changes.add(removed(field, left.get(name)));
                } else if (!left.containsKey(name)) {
                    changes.add(added(field, right.get(name)));
                } else {
                    compare(field, left.get(name), right.get(name), changes);
                }
            }
        } else if (expected instanceof List<?> left && observed instanceof List<?> right) {
            Optional<List<String>> key = ListKeys.of(left, right);
            if (key.isPresent()) {
                compareByKey(path, keyed(key.get(), left), keyed(key.get(), right), changes);
            } else {
                compareByPlace(path, left, right, changes);
            }
        } else if (!same(expected, observed)) {
            changes.add(new Change(path, Type.CHANGED, Json.text(expected), Json.text(observed)));
        }
    }

    private static Map<FieldPath.Entry, JsonObject> keyed(List<String> key, List<?> list) {
        Map<FieldPath.Entry, JsonObject> entries = new LinkedHashMap<>();
        for (Object entry : list) {
            JsonObject map = Json.asObject(entry);
            entries.put(ListKeys.entry(key, map), map);
        }
        return entries;
    }

    private static void compareByKey(
            FieldPath path,
            Map<FieldPath.Entry, JsonObject> left,
            Map<FieldPath.Entry, JsonObject> right,
            List<Change> changes) {
        List<FieldPath.Entry> common = new ArrayList<>();
        left.forEach((key, entry) -> {
            JsonObject other = right.get(key);
            if (other == null) {
                changes.add(removed(path.then(key), entry));
            } else {
                common.add(key);
                compare(path.then(key), entry, other, changes);
            }
        });
        right.forEach((key, entry) -> {
            if (!left.containsKey(key)) {
                changes.add(added(path.then(key), entry));
            }
        });
        List<FieldPath.Entry> order =
                right.keySet().stream().filter(left::containsKey).toList();
        if (!order.equals(common)) {
            changes.add(new Change(path, Type.REORDERED, text(common), text(order)));
        }
    }

    private static String text(List<FieldPath.Entry> keys) {
        return keys.stream().map(FieldPath.Entry::toString).collect(Collectors.joining(" "));
    }

    private static void compareByPlace(FieldPath path, List<?> left, List<?> right, List<Change> changes) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            FieldPath entry = path.then(new FieldPath.Index(i));
            if (i >= right.size()) {
                changes.add(removed(entry, left.get(i)));
            } else if (i >= left.size()) {
                changes.add(added(entry, right.get(i)));
            } else {
                compare(entry, left.get(i), right.get(i), changes);
            }
        }
    }

    private static Change removed(FieldPath path, @Nullable Object value) {
        return new Change(path, Type.REMOVED, Json.text(value), "");
    }

    private static Change added(FieldPath path, @Nullable Object value) {
        return new Change(path, Type.ADDED, "", Json.text(value));
    }

    private static boolean same(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Number left && other instanceof Number right) {
            return new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString())) == 0;
        }
        return Objects.equals(one, other);
    }

    /** Returns the tree with the entries of its keyed lists in the order of the model's, additional ones at the end. */
    private static @Nullable Object inOrderOf(@Nullable Object model, @Nullable Object tree) {
        if (model instanceof JsonObject models && tree instanceof JsonObject map) {
            JsonObject ordered = new JsonObject(map.size());
            map.forEach((name, value) -> ordered.put(name, inOrderOf(models.get(name), value)));
            return ordered;
        }
        if (model instanceof List<?> models && tree instanceof List<?> list) {
            return ListKeys.of(models, list)
                    .<Object>map(key -> {
                        Map<FieldPath.Entry, JsonObject> left = keyed(key, models);
                        Map<FieldPath.Entry, JsonObject> right = keyed(key, list);
                        List<@Nullable Object> ordered = new ArrayList<>(list.size());
                        left.forEach((entry, value) -> {
                            if (right.containsKey(entry)) {
                                ordered.add(inOrderOf(value, right.remove(entry)));
                            }
                        });
                        ordered.addAll(right.values());
                        return ordered;
                    })
                    .orElse(list);
        }
        return tree;
    }
}
