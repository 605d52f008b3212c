package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Operations on JSON values for ownership, where 1 and 1.0 are equal. A value is <em>normal</em> when every number in
 * it that is whole and fits is a {@link Long}; then {@code equals} is equivalent to {@link #equal}.
 */
final class Values {
    /** Represents an absent value, which differs from null. */
    enum Absent {
        ABSENT
    }

    private Values() {}

    /** Returns true if both are one instance, so that there is no need to compare their content. */
    @SuppressWarnings("ReferenceEquality")
    static boolean isSame(@Nullable Object a, @Nullable Object b) {
        return a == b;
    }

    /** Returns true if two values are equal. */
    static boolean equal(@Nullable Object a, @Nullable Object b) {
        if (isSame(a, b)) {
            return true;
        }
        if (a instanceof Number x && b instanceof Number y) {
            boolean exact = x instanceof Long && y instanceof Long;
            return exact ? x.equals(y) : x.doubleValue() == y.doubleValue();
        }
        if (a instanceof JsonObject x && b instanceof JsonObject y) {
            if (x.size() != y.size()) {
                return false;
            }
            for (Map.Entry<String, @Nullable Object> entry : x.entrySet()) {
                Object other = y.get(entry.getKey());
                if (!equal(entry.getValue(), other) || (other == null && !y.containsKey(entry.getKey()))) {
                    return false;
                }
            }
            return true;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            if (x.size() != y.size()) {
                return false;
            }
            for (int i = 0; i < x.size(); i++) {
                if (!equal(x.get(i), y.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return a != null && a.equals(b);
    }

    /** Returns an equal value with whole numbers as {@link Long}. */
    static @Nullable Object normal(@Nullable Object value) {
        return switch (value) {
            case Double number when number == Math.rint(number) && Math.abs(number) < 0x1p63 -> number.longValue();
            case Integer number -> number.longValue();
            case List<?> list -> {
                List<@Nullable Object> copy = new ArrayList<>(list.size());
                list.forEach(item -> copy.add(normal(item)));
                yield copy;
            }
            case JsonObject map -> {
                JsonObject copy = new JsonObject();
                map.forEach((key, item) -> copy.put(key, normal(item)));
                yield copy;
            }
            case null, default -> value;
        };
    }

    /** Compares in a total order: numbers, strings, booleans, lists, maps, null. */
    static int compare(@Nullable Object a, @Nullable Object b) {
        if (a instanceof String x && b instanceof String y) {
            return x.compareTo(y);
        }
        if (a instanceof Long x && b instanceof Long y) {
            return x.compareTo(y);
        }
        if (a instanceof Number x && b instanceof Number y) {
            return Double.compare(x.doubleValue(), y.doubleValue());
        }
        if (a instanceof Boolean x && b instanceof Boolean y) {
            return x.compareTo(y);
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            Iterator<?> right = y.iterator();
            for (Object left : x) {
                int order = right.hasNext() ? compare(left, right.next()) : 1;
                if (order != 0) {
                    return order;
                }
            }
            return right.hasNext() ? -1 : 0;
        }
        if (a instanceof JsonObject x && b instanceof JsonObject y) {
            return compareMaps(x, y);
        }
        return Integer.compare(rank(a), rank(b));
    }

    private static int compareMaps(JsonObject a, JsonObject b) {
        Iterator<String> right = sortedKeys(b).iterator();
        for (String left : sortedKeys(a)) {
            if (!right.hasNext()) {
                return 1;
            }
            String other = right.next();
            int order = left.compareTo(other);
            if (order == 0) {
                order = compare(a.get(left), b.get(other));
            }
            if (order != 0) {
                return order;
            }
        }
        return right.hasNext() ? -1 : 0;
    }

    /** Returns the keys of an object in order. */
    static Set<String> sortedKeys(JsonObject map) {
        return new TreeSet<>(map.keySet());
    }

    private static int rank(@Nullable Object value) {
        return switch (value) {
            case Number number -> 0;
            case String text -> 1;
            case Boolean flag -> 2;
            case List<?> list -> 3;
            case JsonObject map -> 4;
            case null, default -> 5;
        };
    }
}
