package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads objects of etcd. */
record Contents(Connection connection, Keys keys, Store.Codec codec) {
    private static final Logger LOG = LoggerFactory.getLogger(Contents.class);
    private static final int PAGE = 1_000;

    /**
     * A state.
     *
     * @param revision of its last commit, or of etcd's oldest state if that is earlier; at least 1
     * @param at the revision at which etcd was read; no commit is between the two
     * @param entries all entries
     */
    record State(long revision, long at, List<Store.Entry> entries) {}

    /** Returns the revision of the last commit; 0 when there was none yet. */
    long head() {
        RangeRequest request =
                RangeRequest.newBuilder().setKey(keys.head()).setKeysOnly(true).build();
        return revision(connection.range(request));
    }

    /** Returns the revision in the answer to a request for the head. */
    static long revision(RangeResponse response) {
        return response.getKvsCount() == 0 ? 0 : response.getKvs(0).getModRevision();
    }

    /** Reads the state that has some history after it: a number of revisions, or as many as etcd still has. */
    State load(long history) throws InterruptedException {
        while (true) {
            long head = head();
            long from = Math.max(1, head - history);
            try {
                return state(Math.min(from, Math.max(1, head)), from);
            } catch (CompactedException e) {
                long oldest = oldest(from);
                try {
                    return state(Math.min(oldest, Math.max(1, head)), oldest);
                } catch (CompactedException again) {
                    // compacted meanwhile: begin again
                }
            }
        }
    }

    private State state(long revision, long at) {
        List<Store.Entry> entries = entries(at);
        long last = entries.stream().mapToLong(Store.Entry::revision).max().orElse(1);
        return new State(Math.max(revision, last), at, entries);
    }

    /** Returns the oldest revision that etcd has, after one that it has forgotten. */
    private long oldest(long forgotten) throws InterruptedException {
        try (WatchStream stream = new WatchStream(connection, keys.objects(), forgotten)) {
            while (stream.next(Duration.ofSeconds(1)) != null) {
                // events mean that nothing is forgotten
            }
            return forgotten;
        } catch (CompactedException e) {
            return e.oldest();
        }
    }

    /**
     * Reads all entries at a revision.
     *
     * @throws CompactedException when etcd has forgotten the revision
     */
    List<Store.Entry> entries(long revision) {
        List<Store.Entry> entries = new ArrayList<>();
        ByteString prefix = keys.objects();
        RangeRequest.Builder request = RangeRequest.newBuilder()
                .setKey(prefix)
                .setRangeEnd(Keys.end(prefix))
                .setRevision(revision)
                .setLimit(PAGE);
        while (true) {
            RangeResponse page = connection.range(request.build());
            for (KeyValue stored : page.getKvsList()) {
                keys.find(stored)
                        .flatMap(key -> value(key, stored.getValue().toByteArray())
                                .map(value -> new Store.Entry(key, stored.getModRevision(), value)))
                        .ifPresent(entries::add);
            }
            if (!page.getMore()) {
                return entries;
            }
            ByteString last = page.getKvs(page.getKvsCount() - 1).getKey();
            request.setKey(last.concat(ByteString.copyFrom(new byte[1])));
        }
    }

    /** Returns a value of etcd; empty when another program wrote it, and it is not an object. */
    Optional<Store.Value> value(Store.Key key, byte[] bytes) {
        try {
            return Optional.of(codec.decode(key, Packing.unpacked(bytes)));
        } catch (IllegalArgumentException e) {
            LOG.error(
                    "the value of {} in etcd is ignored, since it is not an object ({}): delete it with etcdctl",
                    keys.of(key).toStringUtf8(),
                    e.getMessage());
            return Optional.empty();
        }
    }
}
