package dev.evenkeel.engine.internal.json;

import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.engine.internal.syntax.Re2;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A path into a tree, in the JSONPath variant of Kubernetes as printer columns use it: {@code .spec.replicas}, {@code
 * .status.addresses[*].value}, {@code .a[0]}, {@code .a[-1]}, {@code .a[1:3]}, {@code .a['b']}, {@code
 * .metadata.labels.example\.com/x}, {@code ..name}, {@code .status.conditions[?(@.type=="Ready")].status}.
 *
 * <p>Semantics are those of client-go's jsonpath with missing keys allowed, its quirks included: a dot in a quoted key
 * must be escaped too, values of different types cannot be compared, and an index out of range is an error, while a
 * missing key yields no result. Immutable.
 */
public record JsonPath(String text, List<Step> steps) {
    /** One step: from the values found so far to the next. */
    interface Step {
        /** Appends the results of this step for a value. */
        void apply(@Nullable Object value, Results results);
    }

    /** The values that a step has found. All steps of a search together find a limited number. */
    static final class Results {
        private final List<@Nullable Object> values = new ArrayList<>(1);
        private final int[] left;

        private Results(int[] left) {
            this.left = left;
        }

        void add(@Nullable Object value) {
            if (--left[0] < 0) {
                throw new JsonException("the path finds more than " + MAX_VALUES + " values");
            }
            values.add(value);
        }

        void addAll(Collection<?> more) {
            more.forEach(this::add);
        }

        /** Returns what a path finds from a value, counted with these results. */
        List<@Nullable Object> walk(List<Step> path, @Nullable Object value) {
            return JsonPath.walk(path, value, left);
        }
    }

    /** Two recursive steps find each value as often as it is deep, so that their number can exceed that of the tree's. */
    private static final int MAX_VALUES = 100_000;

    /** Matches nothing. */
    static final JsonPath NOWHERE = new JsonPath("", List.of((value, results) -> {}));

    /**
     * Parses a path.
     *
     * @throws JsonException when the text is not a path
     */
    public static JsonPath parse(String text) {
        return new JsonPath(text, List.copyOf(new JsonPathParser(text).parse()));
    }

    /** Returns why a text is not a path, whose first name may have no dot before it; empty when it is one. */
    public static String error(String text) {
        try {
            new JsonPathParser(text, true).parse();
            return "";
        } catch (JsonException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Returns all values at the path; empty when there are none.
     *
     * @throws JsonException when the tree does not have the shape that the path needs, or the path finds too many values
     */
    public List<@Nullable Object> find(@Nullable Object tree) {
        return walk(steps, tree, new int[] {MAX_VALUES});
    }

    private static List<@Nullable Object> walk(List<Step> steps, @Nullable Object tree, int[] left) {
        List<@Nullable Object> values = new ArrayList<>(1);
        values.add(tree);
        for (int i = 0; i < steps.size() && !values.isEmpty(); i++) {
            Results results = new Results(left);
            for (Object value : values) {
                steps.get(i).apply(value, results);
            }
            values = results.values;
        }
        return values;
    }

    @Override
    public String toString() {
        return text;
    }

    /** The value of a key. */
    record Field(String name) implements Step {
        @Override
        public void apply(@Nullable Object value, Results results) {
            if (value instanceof JsonObject map && map.containsKey(name)) {
                results.add(map.get(name));
            }
        }
    }

    /** All values of an object or array. */
    record Wildcard() implements Step {
        @Override
        public void apply(@Nullable Object value, Results results) {
            if (value instanceof JsonObject map) {
                results.addAll(map.values());
            } else if (value instanceof List<?> list) {
                results.addAll(list);
            }
        }
    }

    /** The value and all values below it, except scalars and empty ones. */
    record Recursive() implements Step {
        @Override
        public void apply(@Nullable Object value, Results results) {
            if (value instanceof JsonObject map && !map.isEmpty()) {
                results.add(map);
                map.values().forEach(item -> apply(item, results));
            } else if (value instanceof List<?> list && !list.isEmpty()) {
                results.add(list);
                list.forEach(item -> apply(item, results));
            }
        }
    }

    /** A value that is not from the tree. */
    record Constant(Object value) implements Step {
        @Override
        public void apply(@Nullable Object ignored, Results results) {
            results.add(value);
        }
    }

    /** The results of several paths, one after the other. */
    record Union(List<List<Step>> paths) implements Step {
        @Override
        public void apply(@Nullable Object value, Results results) {
            paths.forEach(path -> results.addAll(results.walk(path, value)));
        }
    }

    /**
     * Items of an array.
     *
     * @param from first; null for 0; negative counts from the end
     * @param to after the last; null for the end of the array; negative counts from the end
     * @param single true to select only the item at from
     * @param step distance; at least 1
     */
    record Slice(@Nullable Integer from, @Nullable Integer to, boolean single, int step) implements Step {
        @Override
        public void apply(@Nullable Object value, Results results) {
            if (value == null) {
                return;
            }
            if (!(value instanceof List<?> list)) {
                throw new JsonException("not an array");
            }
            int size = list.size();
            int first = from == null ? 0 : from < 0 ? from + size : from;
            int end = single ? first + 1 : to == null ? size : to < 0 ? to + size : to;
            if (first == end) {
                return;
            }
            if (first < 0 || first >= size || end < 0 || end > size) {
                throw new JsonException("array index out of bounds: index "
                        + (first < 0 || first >= size ? first : end - 1) + ", length " + size);
            }
            if (first > end) {
                throw new JsonException("starting index " + first + " is greater than ending index " + end);
            }
            for (int i = first; i < end; i += step) {
                results.add(list.get(i));
            }
        }
    }

    /** The items of an array for which a comparison holds. */
    record Filter(List<Step> left, String operator, List<Step> right) implements Step {
        /** The operator that tests for a value at the left path. */
        static final String EXISTS = "exists";

        @Override
        public void apply(@Nullable Object value, Results results) {
            if (!(value instanceof List<?> list)) {
                throw new JsonException("not an array, which could be filtered");
            }
            for (Object item : list) {
                if (passes(item, results)) {
                    results.add(item);
                }
            }
        }

        private boolean passes(@Nullable Object item, Results results) {
            List<@Nullable Object> lefts = results.walk(left, item);
            if (operator.equals(EXISTS)) {
                return !lefts.isEmpty();
            }
            List<@Nullable Object> rights = lefts.isEmpty() ? List.of() : results.walk(right, item);
            if (lefts.size() > 1 || rights.size() > 1) {
                throw new JsonException("can only compare one element at a time");
            }
            return !rights.isEmpty() && compare(lefts.getFirst(), rights.getFirst());
        }

        private boolean compare(@Nullable Object l, @Nullable Object r) {
            if (l == null || r == null || l.getClass() != r.getClass()) {
                throw new JsonException("incompatible types for comparison");
            }
            return switch (operator) {
                case "==" -> l.equals(r);
                case "!=" -> !l.equals(r);
                case "<" -> order(l, r) < 0;
                case "<=" -> order(l, r) <= 0;
                case ">" -> order(l, r) > 0;
                case ">=" -> order(l, r) >= 0;
                case "=~" -> matches(l, r);
                default -> throw new JsonException("unrecognized filter operator " + operator);
            };
        }

        private static int order(Object l, Object r) {
            return switch (l) {
                case String text -> Json.KEY_ORDER.compare(text, (String) r);
                case Long number -> number.compareTo((Long) r);
                case Double number -> number.compareTo((Double) r);
                default -> throw new JsonException("invalid type for comparison");
            };
        }

        private static boolean matches(Object l, Object r) {
            if (!(l instanceof String text) || !(r instanceof String pattern)) {
                throw new JsonException("only text can match a pattern");
            }
            try {
                return Re2.compile(pattern).matcher(text).find();
            } catch (PatternSyntaxException e) {
                throw new JsonException("error parsing regexp: " + Objects.requireNonNullElse(e.getMessage(), pattern));
            }
        }
    }
}
