package dev.evenkeel.engine.store;

import dev.evenkeel.collection.internal.PersistentTree;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Entry;
import dev.evenkeel.engine.spi.Store.Key;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the store after a commit.
 *
 * @param revision of the commit
 * @param sequence number of the next event in the log of all events: those before it made this state
 * @param tree all entries
 */
record State(long revision, long sequence, PersistentTree<Key, Entry> tree) implements Store.Snapshot {
    /** Entries by their keys. */
    static final PersistentTree.Order<Key, Entry> ORDER = new ByKey();

    private static final class ByKey implements PersistentTree.Order<Key, Entry> {
        @Override
        public Key key(Entry entry) {
            return entry.key();
        }

        @Override
        public int compare(Key left, Key right) {
            return left.compareTo(right);
        }
    }

    /** The revision of a store in which nothing was committed yet. */
    static final long FIRST = 1;

    /** A key after all others. */
    private static final Key BEYOND = new Key(Character.toString(Character.MAX_CODE_POINT), "", "");

    /** No entries. */
    static final PersistentTree<Key, Entry> NONE = PersistentTree.empty(ORDER);

    @Override
    public @Nullable Entry get(Key key) {
        return tree.get(key);
    }

    @Override
    public void range(String collection, String namespace, @Nullable Key from, Store.Visitor visitor) {
        Key start = start(collection, namespace, from);
        Key end = end(collection, namespace);
        if (start.compareTo(end) < 0) {
            tree.range(start, end, visitor::visit);
        }
    }

    @Override
    public List<String> collections() {
        List<String> found = new ArrayList<>();
        String from = "";
        int before;
        do { // skips from the first entry of a collection to that of the next
            before = found.size();
            tree.range(new Key(from, "", ""), BEYOND, entry -> {
                found.add(entry.key().collection());
                return false;
            });
            from = found.isEmpty() ? from : found.getLast() + "\0";
        } while (found.size() > before);
        return found;
    }

    @Override
    public long count(String collection, String namespace, @Nullable Key from) {
        return Math.max(0, tree.rank(end(collection, namespace)) - tree.rank(start(collection, namespace, from)));
    }

    private static Key start(String collection, String namespace, @Nullable Key from) {
        Key start = new Key(collection, namespace, "");
        return from == null || from.compareTo(start) < 0 ? start : from;
    }

    /** Returns a key less than all keys beyond the range: nothing lies between a string and itself with a NUL. */
    private static Key end(String collection, String namespace) {
        return namespace.isEmpty() ? new Key(collection + "\0", "", "") : new Key(collection, namespace + "\0", "");
    }
}
