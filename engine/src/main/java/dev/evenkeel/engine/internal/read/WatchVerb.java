package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.admission.ContentAccess;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Revisions;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens watches. A watch that starts at the present takes a snapshot, sends its objects as ADDED, and continues with
 * the store's events after the snapshot's revision: no event is lost or repeated between the two.
 */
public record WatchVerb(WriteContext cluster, ContentAccess access, Set<WatchCursor> guarded, Set<WatchCursor> open) {
    private static final String NOT_OLDER = "NotOlderThan";

    /** Creates the verb of a partition. */
    public WatchVerb(WriteContext cluster, ContentAccess access) {
        this(cluster, access, ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
    }

    /** Lets the watches that show only what their users may see look again, since permissions have changed. */
    public void permissionsChanged() {
        guarded.forEach(WatchCursor::permissionsChanged);
    }

    /** Ends the watches of types that are not served as they were any more: clients look again at what there is now. */
    public void typesChanged(Types types) {
        open.stream().filter(watch -> !watch.isOf(types)).forEach(WatchCursor::end);
    }

    /** Ends all watches. */
    public void end() {
        open.forEach(WatchCursor::end);
    }

    public WatchStream watch(Target target, WatchQuery query, User user, Runnable onReady) {
        Selection selection =
                new Selection(cluster, target, query.labels(), query.fields(), access.filter(target, user, "watch"));
        WatchCursor cursor = open(target, query, selection, onReady);
        if (selection.guarded()) {
            guarded.add(cursor);
        }
        open.add(cursor);
        cursor.onClose(() -> {
            guarded.remove(cursor);
            open.remove(cursor);
        });
        if (!cursor.isOf(cluster.types().get())) {
            cursor.end();
        }
        return cursor;
    }

    private WatchCursor open(Target target, WatchQuery query, Selection selection, Runnable onReady) {
        validate(query);
        ResourceStrategy strategy = cluster.strategies().of(target);
        String collection = cluster.collection(target.type());
        String version = query.resourceVersion();
        boolean present = version.isEmpty() || version.equals("0");
        boolean initial =
                query.sendInitialEvents().orElse(present && query.match().isEmpty());
        if (!initial) {
            long after = version.isEmpty()
                    ? cluster.latest().revision()
                    : present ? cluster.store().revision() : Long.parseUnsignedLong(version);
            return new WatchCursor(cluster, target, selection, strategy, collection, after, List.of(), false, onReady);
        }
        if (!present) {
            cluster.requireReached(Long.parseUnsignedLong(version));
        }
        Store.Snapshot snapshot =
                version.isEmpty() ? cluster.latest() : cluster.store().snapshot();
        List<Store.Entry> state = new ArrayList<>();
        snapshot.range(collection, target.namespace(), null, entry -> {
            if (selection.matches(entry)) {
                state.add(entry);
            }
            return true;
        });
        boolean mark = query.bookmarks();
        return new WatchCursor(
                cluster, target, selection, strategy, collection, snapshot.revision(), state, mark, onReady);
    }

    private static void validate(WatchQuery query) {
        String match = query.match();
        if (query.sendInitialEvents().isPresent()) {
            if (!match.equals(NOT_OLDER)) {
                throw ReadVerb.forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
            }
        } else if (!match.isEmpty()) {
            throw ReadVerb.forbidden(
                    "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        String version = query.resourceVersion();
        if (!version.isEmpty() && !Revisions.valid(version)) {
            throw Refusal.internal(
                    "resourceVersion: Invalid value: \"" + version + "\": " + Revisions.syntaxError(version));
        }
    }

    /** Returns the error of a watch that fell behind. */
    static ApiException expired(CompactedException e) {
        return Refusal.expired("too old resource version: " + e.requested() + " (" + e.oldest() + ")");
    }
}
