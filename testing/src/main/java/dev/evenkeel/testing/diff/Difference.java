package dev.evenkeel.testing.diff;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.testing.diff.FieldPath.Entry;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private final List<Change> changes = new ArrayList<>();

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

    private Difference(@Nullable Object expected, @Nullable Object observed) {
        this.expected = expected;
        this.observed = observed;
    }

    /** Returns the difference of two objects. */
    public static Difference between(HasMetadata expected, HasMetadata observed, Normalization normalization) {
        return of(ModelCodec.encode(expected), ModelCodec.encode(observed), normalization);
    }

    /**
     * Returns the difference of two JSON documents.
     *
     * @throws dev.evenkeel.engine.internal.json.JsonException when one of them is not valid JSON
     */
    public static Difference between(String expected, String observed, Normalization normalization) {
        return of(expected.getBytes(StandardCharsets.UTF_8), observed.getBytes(StandardCharsets.UTF_8), normalization);
    }

    private static Difference of(byte[] expected, byte[] observed, Normalization normalization) {
        Object left = normalization.apply(Json.parse(expected, JsonLimits.DEFAULT));
        Object right = normalization.apply(Json.parse(observed, JsonLimits.DEFAULT));
        if (!normalization.order) {
            right = inOrderOf(left, right);
        }
        Difference difference = new Difference(left, right);
        difference.compare(FieldPath.root(), left, right);
        return difference;
    }

    /** Returns whether there is no relevant difference. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Returns the changes, in the order of the fields; for a subtree on one side only, its root. */
    public List<Change> changes() {
        return List.copyOf(changes);
    }

    /** Returns one line per change; "no difference" when there is none. */
    @Override
    public String toString() {
        return changes.isEmpty()
                ? "no difference"
                : changes.stream().map(Change::toString).collect(Collectors.joining("\n"));
    }

    private void compare(FieldPath path, @Nullable Object left, @Nullable Object right) {
        if (left instanceof JsonObject one && right instanceof JsonObject other) {
            TreeSet<String> names = new TreeSet<>(one.keySet());
            names.addAll(other.keySet());
            for (String name : names) {
                FieldPath field = path.then(new FieldPath.Field(name));
                compare(field, one.containsKey(name), one.get(name), other.containsKey(name), other.get(name));
            }
        } else if (left instanceof List<?> one && right instanceof List<?> other) {
            ListKeys.of(one, other)
                    .ifPresentOrElse(
                            key -> compareByKey(path, keyed(key, one), keyed(key, other)),
                            () -> compareByPlace(path, one, other));
        } else if (!same(left, right)) {
            changes.add(new Change(path, Type.CHANGED, Json.text(left), Json.text(right)));
        }
    }

    /** Compares values of which one may be absent; one that is there may be null. */
    private void compare(FieldPath at, boolean isLeft, @Nullable Object left, boolean isRight, @Nullable Object right) {
        if (!isRight) {
            changes.add(new Change(at, Type.REMOVED, Json.text(left), ""));
        } else if (!isLeft) {
            changes.add(new Change(at, Type.ADDED, "", Json.text(right)));
        } else {
            compare(at, left, right);
        }
    }

    private static Map<Entry, JsonObject> keyed(List<String> key, List<?> list) {
        Map<Entry, JsonObject> entries = new LinkedHashMap<>();
        for (Object entry : list) {
            JsonObject map = Json.asObject(entry);
            entries.put(ListKeys.entry(key, map), map);
        }
        return entries;
    }

    private void compareByKey(FieldPath path, Map<Entry, JsonObject> left, Map<Entry, JsonObject> right) {
        left.forEach((key, entry) -> compare(path.then(key), true, entry, right.containsKey(key), right.get(key)));
        right.forEach((key, entry) -> {
            if (!left.containsKey(key)) {
                compare(path.then(key), false, null, true, entry);
            }
        });
        String expected = common(left, right);
        String order = common(right, left);
        if (!order.equals(expected)) {
            changes.add(new Change(path, Type.REORDERED, expected, order));
        }
    }

    /** Returns the keys that both have, in the order of the first. */
    private static String common(Map<Entry, ?> one, Map<Entry, ?> other) {
        return one.keySet().stream()
                .filter(other::containsKey)
                .map(Entry::toString)
                .collect(Collectors.joining(" "));
    }

    private void compareByPlace(FieldPath path, List<?> left, List<?> right) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            Object one = i < left.size() ? left.get(i) : null;
            Object other = i < right.size() ? right.get(i) : null;
            compare(path.then(new FieldPath.Index(i)), i < left.size(), one, i < right.size(), other);
        }
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
                        Map<Entry, JsonObject> right = keyed(key, list);
                        List<@Nullable Object> ordered = new ArrayList<>(list.size());
                        keyed(key, models).forEach((entry, value) -> {
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
