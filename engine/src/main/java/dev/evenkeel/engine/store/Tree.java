package dev.evenkeel.engine.store;

import dev.evenkeel.engine.spi.Entry;
import dev.evenkeel.engine.spi.Key;
import dev.evenkeel.engine.spi.Store.Visitor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An ordered map from keys to entries that never changes: {@link #put} and {@link #remove} return another one, which
 * shares all but the path to what changed.
 *
 * <p>It is a B+ tree with wide nodes, since what counts is the memory it needs for each entry and what a change copies.
 * Invariants ({@link #validate()}):
 *
 * <ol>
 *   <li>All leaves are equally deep; no node but the root of an empty tree is empty, none has more than {@value #WIDTH}
 *       parts, and no branch but the root has a single part.
 *   <li>Keys grow from left to right; {@code splits[i]} of a branch is greater than all keys left of it and at most the
 *       first key right of it.
 *   <li>A branch knows how many entries are below it.
 * </ol>
 *
 * <p>Cost: for n entries a lookup is log n comparisons; a change copies one node on each of the log n / log 32 levels,
 * about 0.6 KB at 100,000 entries; counting a range is two lookups. An entry costs about 7 bytes here. A binary balanced
 * tree would copy less for each change but needs 24 to 32 bytes for each entry; a hash trie has no order.
 *
 * <p>Nodes split at the end when they grow at the end, so objects created in order of their names fill them.
 */
final class Tree {
    private static final int WIDTH = 32;

    /** Below this a node is joined with a neighbour if both fit into one. */
    private static final int SPARSE = WIDTH / 4;

    static final Tree EMPTY = new Tree(new Leaf(new Entry[0]));

    private final Node root;

    private Tree(Node root) {
        this.root = root;
    }

    int size() {
        return root.size();
    }

    @Nullable
    Entry get(Key key) {
        Leaf leaf = root.leaf(key);
        int at = leaf.position(key);
        return leaf.has(at, key) ? leaf.entries[at] : null;
    }

    /** An entry beside a key, whose strings are likely to be the same; null when there is none at hand. */
    @Nullable
    Entry beside(Key key) {
        Leaf leaf = root.leaf(key);
        int at = leaf.position(key);
        return leaf.entries.length == 0 ? null : leaf.entries[Math.max(0, at - 1)];
    }

    /** With an entry in place of what was at its key. */
    Tree put(Entry entry) {
        return switch (root.put(entry)) {
            case Node node -> new Tree(node);
            case Split split -> new Tree(new Branch(new Key[] {split.at}, new Node[] {split.left, split.right}));
        };
    }

    /** Without what is at a key. */
    Tree remove(Key key) {
        Node left = root.remove(key);
        if (left == root) {
            return this;
        }
        return new Tree(left instanceof Branch branch && branch.parts.length == 1 ? branch.parts[0] : left);
    }

    /** How many entries have keys less than a key. */
    int rank(Key key) {
        int rank = 0;
        Node node = root;
        while (node instanceof Branch branch) {
            int at = branch.position(key);
            for (int i = 0; i < at; i++) {
                rank += branch.parts[i].size();
            }
            node = branch.parts[at];
        }
        return rank + ((Leaf) node).position(key);
    }

    /** Visits the entries from a key on and before another. */
    void range(Key from, Key to, Visitor visitor) {
        boolean _ = root.range(from, to, visitor);
    }

    void validate() {
        int depth = 0;
        for (Node node = root; node instanceof Branch branch; node = branch.parts[0]) {
            depth++;
        }
        root.validate(null, null, depth, true);
    }

    /** What became of a node: a node or two. */
    private sealed interface Change permits Node, Split {}

    private record Split(Node left, Key at, Node right) implements Change {}

    private sealed interface Node extends Change permits Leaf, Branch {
        int size();

        /** How many parts it has. */
        int width();

        Leaf leaf(Key key);

        Change put(Entry entry);

        /** This node without a key; itself when it was not there. May be empty or sparse. */
        Node remove(Key key);

        /** This node and the one to its right, of the same kind, as one. */
        Node join(Key at, Node right);

        boolean range(Key from, Key to, Visitor visitor);

        void validate(@Nullable Key atLeast, @Nullable Key below, int depth, boolean root);
    }

    private static final class Leaf implements Node {
        private final Entry[] entries;

        Leaf(Entry[] entries) {
            this.entries = entries;
        }

        @Override
        public int size() {
            return entries.length;
        }

        @Override
        public int width() {
            return entries.length;
        }

        @Override
        public Leaf leaf(Key key) {
            return this;
        }

        /** Of the first entry that is not less. */
        int position(Key key) {
            int low = 0;
            int high = entries.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (entries[middle].key().compareTo(key) < 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        boolean has(int at, Key key) {
            return at < entries.length && entries[at].key().equals(key);
        }

        @Override
        public Change put(Entry entry) {
            int at = position(entry.key());
            if (has(at, entry.key())) {
                Entry[] replaced = entries.clone();
                replaced[at] = entry;
                return new Leaf(replaced);
            }
            Entry[] grown = with(entries, at, entry);
            if (grown.length <= WIDTH) {
                return new Leaf(grown);
            }
            int cut = at == entries.length ? at : grown.length / 2;
            return new Split(
                    new Leaf(Arrays.copyOf(grown, cut)),
                    grown[cut].key(),
                    new Leaf(Arrays.copyOfRange(grown, cut, grown.length)));
        }

        @Override
        public Node remove(Key key) {
            int at = position(key);
            return has(at, key) ? new Leaf(without(entries, at)) : this;
        }

        @Override
        public Node join(Key at, Node right) {
            return new Leaf(concat(entries, ((Leaf) right).entries));
        }

        @Override
        public boolean range(Key from, Key to, Visitor visitor) {
            int end = entries.length;
            if (end > 0 && entries[end - 1].key().compareTo(to) >= 0) {
                end = position(to);
            }
            for (int i = position(from); i < end; i++) {
                if (!visitor.visit(entries[i])) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void validate(@Nullable Key atLeast, @Nullable Key below, int depth, boolean root) {
            check(depth == 0, "leaves differ in depth");
            check(entries.length <= WIDTH && (root || entries.length > 0), "leaf of " + entries.length);
            Key last = null;
            for (Entry entry : entries) {
                check(last == null || last.compareTo(entry.key()) < 0, entry.key() + " does not follow " + last);
                last = entry.key();
                check(atLeast == null || atLeast.compareTo(last) <= 0, last + " is left of its split " + atLeast);
                check(below == null || below.compareTo(last) > 0, last + " is right of its split " + below);
            }
        }
    }

    private static final class Branch implements Node {
        private final Key[] splits;
        private final Node[] parts;
        private final int size;

        Branch(Key[] splits, Node[] parts) {
            this(splits, parts, sum(parts));
        }

        Branch(Key[] splits, Node[] parts, int size) {
            this.splits = splits;
            this.parts = parts;
            this.size = size;
        }

        private static int sum(Node[] parts) {
            int sum = 0;
            for (Node part : parts) {
                sum += part.size();
            }
            return sum;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public int width() {
            return parts.length;
        }

        /** Of the part where a key belongs. */
        int position(Key key) {
            int low = 0;
            int high = splits.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (splits[middle].compareTo(key) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        @Override
        public Leaf leaf(Key key) {
            return parts[position(key)].leaf(key);
        }

        @Override
        public Change put(Entry entry) {
            int at = position(entry.key());
            return switch (parts[at].put(entry)) {
                case Node node -> {
                    Node[] replaced = parts.clone();
                    replaced[at] = node;
                    yield new Branch(splits, replaced, size - parts[at].size() + node.size());
                }
                case Split split -> {
                    Node[] grown = with(parts, at + 1, split.right);
                    grown[at] = split.left;
                    yield fitting(with(splits, at, split.at), grown, at == parts.length - 1);
                }
            };
        }

        private static Change fitting(Key[] splits, Node[] parts, boolean atEnd) {
            if (parts.length <= WIDTH) {
                return new Branch(splits, parts);
            }
            int cut = atEnd ? parts.length - 2 : parts.length / 2;
            return new Split(
                    new Branch(Arrays.copyOf(splits, cut - 1), Arrays.copyOf(parts, cut)),
                    splits[cut - 1],
                    new Branch(
                            Arrays.copyOfRange(splits, cut, splits.length),
                            Arrays.copyOfRange(parts, cut, parts.length)));
        }

        @Override
        public Node remove(Key key) {
            int at = position(key);
            Node left = parts[at].remove(key);
            if (left == parts[at]) {
                return this;
            }
            if (left.size() == 0) {
                return new Branch(without(splits, Math.max(0, at - 1)), without(parts, at), size - 1);
            }
            Node[] replaced = parts.clone();
            replaced[at] = left;
            if (left.width() <= SPARSE) {
                if (at > 0 && parts[at - 1].width() + left.width() <= WIDTH) {
                    return joined(replaced, at - 1);
                }
                if (at + 1 < parts.length && parts[at + 1].width() + left.width() <= WIDTH) {
                    return joined(replaced, at);
                }
                if (left.width() == 1 && left instanceof Branch) {
                    return borrowed(replaced, at);
                }
            }
            return new Branch(splits, replaced, size - 1);
        }

        /** Joins the part at a position with the next. */
        private Branch joined(Node[] replaced, int at) {
            Node[] fewer = without(replaced, at + 1);
            fewer[at] = replaced[at].join(splits[at], replaced[at + 1]);
            return new Branch(without(splits, at), fewer, size - 1);
        }

        /** Divides a part that must not stay alone, and a full neighbour, anew. */
        private Branch borrowed(Node[] replaced, int at) {
            int left = at > 0 ? at - 1 : at;
            Branch both = (Branch) replaced[left].join(splits[left], replaced[left + 1]);
            Split split = (Split) fitting(both.splits, both.parts, false);
            Key[] moved = splits.clone();
            moved[left] = split.at;
            replaced[left] = split.left;
            replaced[left + 1] = split.right;
            return new Branch(moved, replaced, size - 1);
        }

        @Override
        public Node join(Key at, Node right) {
            Branch other = (Branch) right;
            return new Branch(concat(with(splits, splits.length, at), other.splits), concat(parts, other.parts));
        }

        @Override
        public boolean range(Key from, Key to, Visitor visitor) {
            int last = position(to);
            for (int i = position(from); i <= last; i++) {
                if (!parts[i].range(from, to, visitor)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void validate(@Nullable Key atLeast, @Nullable Key below, int depth, boolean root) {
            check(depth > 0, "leaves differ in depth");
            check(parts.length >= 2 && parts.length <= WIDTH, "branch of " + parts.length);
            check(splits.length == parts.length - 1, "splits do not match parts");
            check(size == sum(parts), "branch counts " + size + " instead of " + sum(parts));
            for (int i = 0; i < parts.length; i++) {
                parts[i].validate(
                        i == 0 ? atLeast : splits[i - 1], i == splits.length ? below : splits[i], depth - 1, false);
            }
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static <T> T[] with(T[] array, int at, T part) {
        T[] grown = Arrays.copyOf(array, array.length + 1);
        System.arraycopy(array, at, grown, at + 1, array.length - at);
        grown[at] = part;
        return grown;
    }

    private static <T> T[] without(T[] array, int at) {
        T[] shrunk = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, at + 1, shrunk, at, array.length - 1 - at);
        return shrunk;
    }

    private static <T> T[] concat(T[] left, T[] right) {
        T[] both = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, both, left.length, right.length);
        return both;
    }
}
