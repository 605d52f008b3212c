package dev.evenkeel.engine.internal.cel;

import java.util.ArrayList;
import java.util.List;

/** A list of CEL. Elements are created on access, and may be a {@link Problem}. */
interface ListValue {
    int size();

    /** Returns the element at an index within the size. */
    Object get(int index);

    /** Compares with another list: true, false or a {@link Problem}. */
    default Object equalTo(ListValue other) {
        if (size() != other.size()) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            Object equal = Equality.of(get(i), other.get(i));
            if (!Boolean.TRUE.equals(equal)) {
                return equal;
            }
        }
        return true;
    }

    /** Returns the concatenation of this list and another. */
    default ListValue plus(ListValue other) {
        return new Grown(new ArrayList<>(elements()), size()).plus(other);
    }

    default List<Object> elements() {
        List<Object> all = new ArrayList<>(size());
        for (int i = 0; i < size(); i++) {
            all.add(get(i));
        }
        return all;
    }

    /** Returns a list of elements; the given list must not be changed afterwards. */
    static ListValue of(List<Object> elements) {
        return new Elements(elements);
    }

    record Elements(List<Object> elements) implements ListValue {
        @Override
        public int size() {
            return elements.size();
        }

        @Override
        public Object get(int index) {
            return elements.get(index);
        }
    }

    /**
     * The beginning of a list that may grow beyond it: the holder of the whole list appends in place, so that a macro
     * which adds element after element takes linear time. Confined to one evaluation.
     *
     * @param all the elements, and perhaps more
     * @param size how many of them are in this list
     */
    record Grown(ArrayList<Object> all, int size) implements ListValue {
        @Override
        public Object get(int index) {
            return all.get(index);
        }

        @Override
        public ListValue plus(ListValue other) {
            ArrayList<Object> longer = all.size() == size ? all : new ArrayList<>(all.subList(0, size));
            longer.addAll(other.elements());
            return new Grown(longer, longer.size());
        }
    }
}
