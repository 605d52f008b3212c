package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths into a document, stored as a tree: a node is a path, {@link #member} tells if that path belongs to the
 * set, and below it are the longer paths. Owning a path does not imply owning the paths below it, nor the reverse.
 *
 * <p>Invariants: (1) every node except the root belongs to the set or has nodes below it; (2) a set is not changed
 * after it was published, so that sets can share their branches; only the code that builds a set calls {@link #at} and
 * {@link #add}.
 *
 * <p>Written as FieldsV1, {@code {}} is a path with nothing below, {@code "."} marks a path that belongs to the set and
 * has something below.
 */
final class FieldSet {
    /** The set without any path. Must not be extended. */
    static final FieldSet EMPTY = new FieldSet();

    private @Nullable TreeMap<PathElement, FieldSet> children;
    private boolean member;

    /** Returns a set of the given paths, each a dotted list of field names such as {@code metadata.name}. */
    static FieldSet of(Iterable<String> dotted) {
        FieldSet set = new FieldSet();
        for (String path : dotted) {
            FieldSet node = set;
            for (PathElement field : fields(path)) {
                node = node.at(field);
            }
            node.member = true;
        }
        return set;
    }

    private static List<PathElement> fields(String dotted) {
        return Arrays.stream(dotted.split("\\.", -1))
                .filter(name -> !name.isEmpty())
                .<PathElement>map(PathElement.Field::new)
                .toList();
    }

    /** Returns the node below, created if absent: for building only, and something must be added to it. */
    FieldSet at(PathElement element) {
        return created().computeIfAbsent(element, e -> new FieldSet());
    }

    private Map<PathElement, FieldSet> created() {
        if (children == null) {
            children = new TreeMap<>();
        }
        return children;
    }

    /** Adds the path of this node: for building only. */
    FieldSet add() {
        member = true;
        return this;
    }

    /** Sets the node below unless it is empty: for building only. */
    void put(PathElement element, FieldSet node) {
        if (!node.isNothing()) {
            created().put(element, node);
        }
    }

    /** Returns true if the path of this node belongs to the set. */
    boolean isMember() {
        return member;
    }

    /** Returns true if neither the path nor any path below it belongs to the set. */
    private boolean isNothing() {
        return !member && isEmpty();
    }

    /** Returns true if there is no path below. */
    boolean isEmpty() {
        return children == null || children.isEmpty();
    }

    /** Returns the node below, which may be empty. */
    FieldSet below(PathElement element) {
        FieldSet node = children == null ? null : children.get(element);
        return node == null ? EMPTY : node;
    }

    /** Returns the nodes below, in order. */
    Map<PathElement, FieldSet> children() {
        return children == null ? Map.of() : children;
    }

    /** Returns true if the set contains the path, a dotted list of field names. */
    boolean has(String dotted) {
        FieldSet node = this;
        for (PathElement field : fields(dotted)) {
            node = node.below(field);
        }
        return node.member;
    }

    /** Returns the paths of both sets. */
    FieldSet union(FieldSet other) {
        if (other.isNothing()) {
            return this;
        }
        if (isNothing()) {
            return other;
        }
        FieldSet result = new FieldSet();
        result.member = member || other.member;
        if (children != null) {
            result.children = new TreeMap<>(children);
        }
        other.children()
                .forEach((element, node) -> result.put(element, below(element).union(node)));
        return result;
    }

    /** Returns a set with a node for each of this one, except where that is empty. */
    private FieldSet mapped(boolean isMember, BiFunction<PathElement, FieldSet, FieldSet> change) {
        FieldSet result = new FieldSet();
        result.member = isMember;
        children().forEach((element, node) -> result.put(element, change.apply(element, node)));
        return result;
    }

    /** Returns the paths that are in both sets. */
    FieldSet intersection(FieldSet other) {
        return other.isNothing()
                ? EMPTY
                : mapped(member && other.member, (element, node) -> node.intersection(other.below(element)));
    }

    /** Returns the paths that are not in the other set; those below a path of the other set are kept. */
    FieldSet difference(FieldSet other) {
        return other.isNothing()
                ? this
                : mapped(member && !other.member, (element, node) -> node.difference(other.below(element)));
    }

    /** Returns the paths that are neither in the other set nor below a path of it. */
    FieldSet without(FieldSet other) {
        if (other.isNothing()) {
            return this;
        }
        return mapped(member && !other.member, (element, node) -> {
            FieldSet theirs = other.below(element);
            return theirs.member ? EMPTY : node.without(theirs);
        });
    }

    /** Adds every field with a name of its own on the way to a path, to distinguish emptied structs from kept ones. */
    FieldSet withNamedFields(@Nullable OwnershipSchema shape) {
        return mapped(member, (element, node) -> {
            FieldSet below = node.withNamedFields(shape == null ? null : shape.below(element));
            boolean named = shape != null && element instanceof PathElement.Field field && shape.isNamed(field.name());
            return named && !node.isEmpty() ? below.add() : below;
        });
    }

    /**
     * Adapts a set to a schema that changed after it was written: values that have become atomic are owned as a whole.
     *
     * @return the same instance when nothing is to be adapted
     */
    @SuppressWarnings("ReferenceEquality") // checks for sharing
    FieldSet adapted(OwnershipSchema shape) {
        if (shape.isDeduced() || isEmpty()) {
            return this;
        }
        FieldSet result = new FieldSet();
        result.member = member;
        boolean same = true;
        for (Map.Entry<PathElement, FieldSet> entry : children().entrySet()) {
            FieldSet node = entry.getValue();
            OwnershipSchema below = shape.below(entry.getKey());
            FieldSet adapted = node;
            if (below != null && !node.isEmpty()) {
                adapted = below.isAtomic(entry.getValue()) ? new FieldSet().add() : node.adapted(below);
            }
            same &= adapted == node;
            result.put(entry.getKey(), adapted);
        }
        return same ? this : result;
    }

    /** Passes each path of the set to the action in order: the paths of a level come before those below them. */
    void forEach(BiConsumer<String, FieldSet> action) {
        forEach("", action);
    }

    private void forEach(String prefix, BiConsumer<String, FieldSet> action) {
        children().forEach((element, node) -> {
            if (node.member) {
                action.accept(prefix + element.shown(), node);
            }
        });
        children().forEach((element, node) -> {
            if (!node.isEmpty()) {
                node.forEach(prefix + element.shown(), action);
            }
        });
    }

    /** Returns the number of paths in the set. */
    int size() {
        int size = 0;
        Deque<FieldSet> open = new ArrayDeque<>();
        for (FieldSet node = this; node != null; node = open.poll()) {
            for (FieldSet child : node.children().values()) {
                size += child.member ? 1 : 0;
                open.push(child);
            }
        }
        return size;
    }

    /** Returns the set as FieldsV1. */
    JsonObject toTree() {
        return toTree(false);
    }

    private JsonObject toTree(boolean marked) {
        if (isEmpty()) {
            return new JsonObject();
        }
        JsonObject tree = new JsonObject(children().size() + (marked ? 1 : 0));
        if (marked) {
            tree.put(".", new JsonObject());
        }
        children().forEach((element, node) -> tree.put(element.text(), node.toTree(node.member)));
        return tree;
    }

    /**
     * Parses FieldsV1.
     *
     * @throws UntypedException when it is malformed
     */
    static FieldSet parse(@Nullable Object tree) {
        FieldSet set = read(tree);
        set.member = false;
        return set;
    }

    private static FieldSet read(@Nullable Object tree) {
        FieldSet set = new FieldSet();
        if (tree != null && !(tree instanceof JsonObject)) {
            throw new UntypedException("fields must be objects");
        }
        if (tree instanceof JsonObject map) {
            map.forEach((key, below) -> {
                if (key.equals(".")) {
                    set.member = true;
                } else {
                    PathElement.parse(key).ifPresent(element -> set.put(element, read(below)));
                }
            });
        }
        if (set.isEmpty()) {
            set.member = true;
        }
        return set;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldSet set
                && member == set.member
                && children().equals(set.children());
    }

    @Override
    public int hashCode() {
        return children().hashCode() * 2 + (member ? 1 : 0);
    }

    @Override
    public String toString() {
        Set<String> paths = new LinkedHashSet<>();
        forEach((path, node) -> paths.add(path));
        return String.join("\n", paths);
    }
}
