package dev.evenkeel.store.sqlite;

import dev.evenkeel.engine.spi.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state after the commits of a group that are decided, and not durable yet. */
final class Pending {
    private final Store.Snapshot published;
    private final Map<Store.Key, Optional<Store.Entry>> changed = new HashMap<>();
    private long revision;

    Pending(Store.Snapshot published) {
        this.published = published;
        revision = published.revision();
    }

    long revision() {
        return revision;
    }

    Store.@Nullable Entry get(Store.Key key) {
        Optional<Store.Entry> entry = changed.get(key);
        return entry == null ? published.get(key) : entry.orElse(null);
    }

    /** Takes over the changes of a commit, whose revision is the next one. */
    void apply(List<Store.Change> changes) {
        revision++;
        for (Store.Change change : changes) {
            Store.Key key = change.key();
            Store.Value value = change.value();
            changed.put(key, Optional.ofNullable(value).map(present -> new Store.Entry(key, revision, present)));
        }
    }
}
