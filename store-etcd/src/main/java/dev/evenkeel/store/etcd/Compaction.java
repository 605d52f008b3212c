package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.engine.spi.StoreException;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets etcd forget history after some time: once in an interval, whatever the number of engines.
 *
 * <p>All engines try to write one key on the condition that none of them has since the last time. The one that succeeds
 * compacts to the revision that etcd had then: the history of one to two intervals is kept. So does kube-apiserver.
 */
final class Compaction {
    private static final Logger LOG = LoggerFactory.getLogger(Compaction.class);

    private final Connection connection;
    private final Keys keys;
    private final Duration interval;
    private long due = System.nanoTime();
    private long version = -1;
    private long revision;

    /** @param interval zero for never */
    Compaction(Connection connection, Keys keys, Duration interval) {
        this.connection = connection;
        this.keys = keys;
        this.interval = interval;
    }

    /** Compacts if it is time, and no other engine has. */
    void run() {
        if (interval.isZero() || System.nanoTime() - due < 0) {
            return;
        }
        due = System.nanoTime() + interval.toNanos();
        try {
            attempt();
        } catch (StoreException e) {
            LOG.info("the history of etcd is not compacted: {}", e.getMessage());
        }
    }

    private void attempt() {
        ByteString key = keys.compaction();
        TxnResponse response = connection.txn(TxnRequest.newBuilder()
                .addCompare(Compare.newBuilder()
                        .setKey(key)
                        .setTarget(Compare.CompareTarget.VERSION)
                        .setResult(Compare.CompareResult.EQUAL)
                        .setVersion(version))
                .addSuccess(EtcdStore.put(key, ByteString.EMPTY))
                .addFailure(RequestOp.newBuilder()
                        .setRequestRange(RangeRequest.newBuilder().setKey(key)))
                .build());
        if (!response.getSucceeded()) {
            var found = response.getResponses(0).getResponseRange();
            version = found.getKvsCount() == 0 ? 0 : found.getKvs(0).getVersion();
        } else {
            version++;
            if (revision > 0) {
                connection.compact(revision);
            }
        }
        revision = response.getHeader().getRevision();
    }
}
