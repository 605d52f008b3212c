package dev.evenkeel.engine.internal.cel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Functions on lists, lists as sets, and insertion into maps. */
final class Lists {
    private Lists() {}

    static void addTo(Library library) {
        Class<ListValue> list = ListValue.class;
        library.add("isSorted", list, Lists::isSorted);
        library.add("sum", list, Lists::sum);
        library.add("min", list, l -> extreme(l, -1, "min"));
        library.add("max", list, l -> extreme(l, 1, "max"));
        library.add("indexOf", a -> position(a, false));
        library.add("lastIndexOf", a -> position(a, true));
        library.add("slice", Lists::slice);
        library.add(
                "flatten",
                a -> a[0] instanceof ListValue l
                        ? flatten(l, a.length > 1 && a[1] instanceof Long depth ? depth : 1)
                        : Problem.NO_SUCH_OVERLOAD);
        library.add("distinct", list, Lists::distinct);
        library.add("reverse", list, l -> ListValue.of(l.elements().reversed()));
        library.add("sort", list, l -> sorted(l, l));
        library.add("first", list, l -> l.size() == 0 ? Optional.empty() : Optional.of(l.get(0)));
        library.add("last", list, l -> l.size() == 0 ? Optional.empty() : Optional.of(l.get(l.size() - 1)));
        library.add(Language.SORT_BY_KEYS, list, list, Lists::sorted);
        library.add("lists.range", Long.class, Lists::range);
        library.add("sets.contains", list, list, Lists::containsAll);
        library.add("sets.equivalent", list, list, (a, b) -> containsAll(a, b) && containsAll(b, a));
        library.add(
                "sets.intersects", list, list, (a, b) -> a.elements().stream().anyMatch(e -> contains(b, e)));
        library.add("cel.@mapInsert", Lists::insert);
    }

    private static Object isSorted(ListValue list) {
        for (int i = 1; i < list.size(); i++) {
            OptionalInt order = Equality.order(list.get(i - 1), list.get(i));
            if (order.isEmpty()) {
                return Problem.NO_SUCH_OVERLOAD;
            }
            if (order.getAsInt() > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the sum; 0 for an empty list, which the caller converts to the zero of the type. */
    private static Object sum(ListValue list) {
        if (list.size() == 0) {
            return 0L;
        }
        Object sum = list.get(0);
        if (!(sum instanceof Long || sum instanceof Double || sum instanceof Unsigned || sum instanceof Duration)) {
            return sum instanceof Problem ? sum : Problem.NO_SUCH_OVERLOAD;
        }
        for (int i = 1; i < list.size() && !(sum instanceof Problem); i++) {
            sum = Arithmetic.add(new Object[] {sum, list.get(i)});
        }
        return sum;
    }

    private static Object extreme(ListValue list, int sign, String name) {
        if (list.size() == 0) {
            return new Problem(name + " called on empty list");
        }
        Object best = list.get(0);
        for (int i = 1; i < list.size(); i++) {
            OptionalInt order = Equality.order(list.get(i), best);
            if (order.isEmpty()) {
                return Problem.NO_SUCH_OVERLOAD;
            }
            if (order.getAsInt() == sign) {
                best = list.get(i);
            }
        }
        return best;
    }

    /** Returns the position in a list, or else of a part in a text. */
    private static Object position(Object[] a, boolean last) {
        if (a.length != 2 || !(a[0] instanceof ListValue list)) {
            return Strings.indexOf(a, last);
        }
        return (long) IntStream.range(0, list.size())
                .map(i -> last ? list.size() - 1 - i : i)
                .filter(i -> Equality.same(list.get(i), a[1]))
                .findFirst()
                .orElse(-1);
    }

    private static Object slice(Object[] a) {
        if (a.length != 3
                || !(a[0] instanceof ListValue list)
                || !(a[1] instanceof Long from)
                || !(a[2] instanceof Long to)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        String wrong = from < 0 || to < 0
                ? "negative indexes not supported"
                : from > to
                        ? "start index must be less than or equal to end index"
                        : to > list.size() ? "list is length " + list.size() : "";
        if (!wrong.isEmpty()) {
            return new Problem("cannot slice(" + from + ", " + to + "), " + wrong);
        }
        return ListValue.of(IntStream.range((int) (long) from, (int) (long) to)
                .mapToObj(list::get)
                .toList());
    }

    private static Object flatten(ListValue list, long depth) {
        if (depth < 0) {
            return new Problem("level must be non-negative");
        }
        List<Object> flat = new ArrayList<>();
        flatten(list, depth, flat);
        return ListValue.of(flat);
    }

    private static void flatten(ListValue list, long depth, List<Object> into) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) instanceof ListValue inner && depth > 0) {
                flatten(inner, depth - 1, into);
            } else {
                into.add(list.get(i));
            }
        }
    }

    private static Object distinct(ListValue list) {
        List<Object> distinct = new ArrayList<>();
        for (Object element : list.elements()) {
            if (distinct.stream().noneMatch(seen -> Equality.same(seen, element))) {
                distinct.add(element);
            }
        }
        return ListValue.of(distinct);
    }

    private static Object sorted(ListValue list, ListValue keys) {
        for (int i = 1; i < keys.size(); i++) {
            if (Equality.order(keys.get(0), keys.get(i)).isEmpty()) {
                return new Problem("list elements must have the same type");
            }
        }
        List<Object> key = keys.elements();
        return ListValue.of(IntStream.range(0, list.size())
                .boxed()
                .sorted((a, b) -> Equality.order(key.get(a), key.get(b)).orElse(0))
                .map(list::get)
                .toList());
    }

    private static Object range(long end) {
        if (end > 1_000_000) {
            return new Problem("range of " + end + " is too long");
        }
        return ListValue.of(
                LongStream.range(0, Math.max(0, end)).<Object>mapToObj(i -> i).toList());
    }

    private static boolean contains(ListValue list, Object value) {
        return list.elements().stream().anyMatch(e -> Equality.same(e, value));
    }

    private static boolean containsAll(ListValue list, ListValue part) {
        return part.elements().stream().allMatch(e -> contains(list, e));
    }

    private static Object insert(Object[] a) {
        if (!(a[0] instanceof MapValue map)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        Map<Object, Object> entries = new LinkedHashMap<>();
        map.keys().forEach(key -> entries.put(Equality.key(key), map.get(key)));
        if (a.length == 3) {
            return entries.putIfAbsent(Equality.key(a[1]), a[2]) == null ? MapValue.of(entries) : exists(a[1]);
        }
        if (!(a[1] instanceof MapValue more)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        for (Object key : more.keys()) {
            if (entries.putIfAbsent(Equality.key(key), more.get(key)) != null) {
                return exists(key);
            }
        }
        return MapValue.of(entries);
    }

    private static Problem exists(Object key) {
        return new Problem("insert failed: key " + Texts.plain(key) + " already exists");
    }
}
