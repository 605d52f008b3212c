package dev.evenkeel.engine.store;

import dev.evenkeel.collection.internal.PersistentTree;
import dev.evenkeel.engine.spi.Store;
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
record State(long revision, long sequence, PersistentTree<Store.Key, Store.Entry> tree) implements Store.Snapshot {
    /** Entries by their keys. */
    static final PersistentTree.Order<Store.Key, Store.Entry> ORDER = new ByKey();

    private static final class ByKey implements PersistentTree.Order<Store.Key, Store.Entry> {
        @Override
        public Store.Key key(Store.Entry entry) {
            return entry.key();
        }

        @Override
        public int compare(Store.Key left, Store.Key right) {
            return left.compareTo(right);
        }
    }

    /** The revision of a store in which nothing was committed yet. */
    static final long FIRST = 1;

    /** Returns the revision before which a store that begins with this state has no events; 0 if its history is complete. */
    long beginning() {
        return revision == FIRST ? 0 : revision;
    }

    /** A key after all others. */
    private static final Store.Key BEYOND = new Store.Key(Character.toString(Character.MAX_CODE_POINT), "", "");

    /** No entries. */
    static final PersistentTree<Store.Key, Store.Entry> NONE = PersistentTree.empty(ORDER);

    @Override
    public Store.@Nullable Entry get(Store.Key key) {
        return tree.get(key);
    }

    @Override
    public void range(String collection, String namespace, Store.@Nullable Key from, Store.Visitor visitor) {
        Store.Key start = start(collection, namespace, from);
        Store.Key end = end(collection, namespace);
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
            tree.range(new Store.Key(from, "", ""), BEYOND, entry -> {
                found.add(entry.key().collection());
                return false;
            });
            from = found.isEmpty() ? from : found.getLast() + "\0";
        } while (found.size() > before);
        return found;
    }

    @Override
    public long count(String collection, String namespace, Store.@Nullable Key from) {
        return Math.max(0, tree.rank(end(collection, namespace)) - tree.rank(start(collection, namespace, from)));
    }

    private static Store.Key start(String collection, String namespace, Store.@Nullable Key from) {
        Store.Key start = new Store.Key(collection, namespace, "");
        return from == null || from.compareTo(start) < 0 ? start : from;
    }

    /** Returns a key less than all keys beyond the range: nothing lies between a string and itself with a NUL. */
    private static Store.Key end(String collection, String namespace) {
        return namespace.isEmpty()
                ? new Store.Key(collection + "\0", "", "")
                : new Store.Key(collection, namespace + "\0", "");
    }
}
