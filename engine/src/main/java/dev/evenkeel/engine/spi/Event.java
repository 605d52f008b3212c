package dev.evenkeel.engine.spi;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A change of one key, shared by all who watch.
 *
 * <p>Since all watchers get the same instance, what one of them makes of it (its encoding, say) can be kept here for the
 * others: {@link #memo}. It stays while the event is young.
 */
public final class Event {
    private final long revision;
    private final Key key;
    private final @Nullable Entry current;
    private final @Nullable Entry previous;
    private volatile @Nullable ConcurrentHashMap<Object, Object> memos;

    /** A change of the entry at a key; null stands for no entry. */
    public Event(long revision, Key key, @Nullable Entry current, @Nullable Entry previous) {
        this.revision = revision;
        this.key = key;
        this.current = current;
        this.previous = previous;
    }

    /** Revision of the commit. */
    public long revision() {
        return revision;
    }

    /** What changed. */
    public Key key() {
        return key;
    }

    /** What is there now; null when it was deleted. */
    public @Nullable Entry current() {
        return current;
    }

    /** What was there before; null when it was created. */
    public @Nullable Entry previous() {
        return previous;
    }

    /** What was made of this event under a name before, or else makes and keeps it for a while. */
    @SuppressWarnings("unchecked")
    public <T> T memo(Object name, Supplier<T> maker) {
        ConcurrentHashMap<Object, Object> map = memos;
        if (map == null) {
            synchronized (this) {
                map = memos;
                if (map == null) {
                    map = new ConcurrentHashMap<>(2);
                    memos = map;
                }
            }
        }
        return (T) map.computeIfAbsent(name, n -> maker.get());
    }

    /** Drops what is kept under names. Stores call this for events that those who keep up have seen. */
    public void forget() {
        memos = null;
    }

    @Override
    public String toString() {
        String verb = current == null ? "DELETE" : previous == null ? "CREATE" : "UPDATE";
        return verb + " " + key + " @" + revision;
    }
}
