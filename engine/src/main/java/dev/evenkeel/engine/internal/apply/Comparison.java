package dev.evenkeel.engine.internal.apply;

import static dev.evenkeel.engine.internal.apply.Values.Absent.ABSENT;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two trees. No path is in more than one of the sets; equal trees give three empty sets.
 *
 * @param added paths that only the second tree has
 * @param modified paths with different values
 * @param removed paths that only the first tree has
 */
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {

    static Comparison of(@Nullable Object before, @Nullable Object after, OwnershipSchema shape) {
        Comparison comparison = new Comparison(new FieldSet(), new FieldSet(), new FieldSet());
        compare(before, after, shape, new Place(comparison));
        return comparison;
    }

    /** Returns a comparison without the given paths and those below them. */
    Comparison without(FieldSet paths) {
        return paths.isEmpty()
                ? this
                : new Comparison(added.without(paths), modified.without(paths), removed.without(paths));
    }

    /** Returns true if the trees are equal. */
    boolean isEmpty() {
        return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
    }

    /** A path during the descent. Its nodes in the three sets are created when there is something to add to them. */
    private static final class Place {
        private final @Nullable Place parent;
        private final @Nullable PathElement element;
        private @Nullable FieldSet added;
        private @Nullable FieldSet modified;
        private @Nullable FieldSet removed;

        Place(Comparison root) {
            this.parent = null;
            this.element = null;
            this.added = root.added;
            this.modified = root.modified;
            this.removed = root.removed;
        }

        Place(Place parent, PathElement element) {
            this.parent = parent;
            this.element = element;
        }

        FieldSet added() {
            if (added == null) {
                added = under(parent).added().at(under(element));
            }
            return added;
        }

        FieldSet modified() {
            if (modified == null) {
                modified = under(parent).modified().at(under(element));
            }
            return modified;
        }

        FieldSet removed() {
            if (removed == null) {
                removed = under(parent).removed().at(under(element));
            }
            return removed;
        }

        /**
         * Returns a value that only the root lacks: the root has neither parent nor element, but its nodes exist from
         * the start.
         */
        private static <T> T under(@Nullable T value) {
            return Objects.requireNonNull(value);
        }

        boolean isRoot() {
            return parent == null;
        }
    }

    private static void compare(@Nullable Object before, @Nullable Object after, OwnershipSchema shape, Place place) {
        if (Values.isSame(before, after)) {
            return;
        }
        OwnershipSchema.Handling handling = shape.handling(after == ABSENT ? before : after);
        if (before != ABSENT && shape.handling(before) != handling) {
            handle(shape.handling(before), before, after, shape, place);
        }
        boolean leaf = handle(handling, before, after, shape, place);
        if (!leaf && (before == ABSENT || after == ABSENT)) {
            leaf(before, after, place);
        }
    }

    /** Returns true if the value was compared as a whole. */
    private static boolean handle(
            OwnershipSchema.Handling handling,
            @Nullable Object before,
            @Nullable Object after,
            OwnershipSchema shape,
            Place place) {
        return switch (handling) {
            case SCALAR -> leaf(before, after, place);
            case MAP -> {
                JsonObject left = before instanceof JsonObject map ? map : new JsonObject();
                JsonObject right = after instanceof JsonObject map ? map : new JsonObject();
                if (shape.isAtomicMap() || (left.isEmpty() && right.isEmpty())) {
                    yield leaf(before, after, place);
                }
                fields(left, right, shape, place);
                yield false;
            }
            case LIST -> {
                List<?> left = before instanceof List<?> list ? list : List.of();
                List<?> right = after instanceof List<?> list ? list : List.of();
                if (shape.items() == OwnershipSchema.Items.ATOMIC || (left.isEmpty() && right.isEmpty())) {
                    yield leaf(before, after, place);
                }
                if (!left.equals(right)) {
                    items(left, right, shape, place);
                }
                yield false;
            }
        };
    }

    private static boolean leaf(@Nullable Object before, @Nullable Object after, Place place) {
        if (place.isRoot()) {
            return true;
        }
        if (before == ABSENT) {
            place.added().add();
        } else if (after == ABSENT) {
            place.removed().add();
        } else if (!Values.equal(before, after)) {
            place.modified().add();
        }
        return true;
    }

    private static void fields(JsonObject before, JsonObject after, OwnershipSchema shape, Place place) {
        before.forEach((key, left) -> {
            Object right = after.get(key);
            field(key, left, right == null && !after.containsKey(key) ? ABSENT : right, shape, place);
        });
        after.forEach((key, right) -> {
            if (!before.containsKey(key)) {
                field(key, ABSENT, right, shape, place);
            }
        });
    }

    private static void field(
            String name, @Nullable Object before, @Nullable Object after, OwnershipSchema shape, Place place) {
        if (!Values.isSame(before, after) && !(before instanceof String && before.equals(after))) {
            compare(before, after, shape.knownField(name), new Place(place, new PathElement.Field(name)));
        }
    }

    private static void items(List<?> before, List<?> after, OwnershipSchema shape, Place place) {
        ItemIndex left = ItemIndex.of(before, shape);
        ItemIndex right = ItemIndex.of(after, shape);
        Set<PathElement> elements = new LinkedHashSet<>(left.items().keySet());
        elements.addAll(right.items().keySet());
        OwnershipSchema item = shape.item();
        for (PathElement element : elements) {
            Place below = new Place(place, element);
            List<@Nullable Object> lefts = left.at(element);
            List<@Nullable Object> rights = right.at(element);
            if (lefts.size() <= 1 && rights.size() <= 1) {
                compare(only(lefts), only(rights), item, below);
            } else if (lefts.size() >= 2 && rights.size() >= 2) {
                if (!Values.equal(new ArrayList<>(lefts), new ArrayList<>(rights))) {
                    below.modified().add();
                }
            } else if (lefts.size() >= 2) {
                if (!rights.isEmpty()) {
                    compare(ABSENT, rights.getFirst(), item, below);
                }
                below.removed().add();
            } else {
                if (!lefts.isEmpty()) {
                    compare(lefts.getFirst(), ABSENT, item, below);
                }
                below.added().add();
            }
        }
    }

    private static @Nullable Object only(List<@Nullable Object> items) {
        return items.isEmpty() ? ABSENT : items.getFirst();
    }
}
