package dev.evenkeel.benchmarks;

import com.google.protobuf.ByteString;
import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.store.etcd.EtcdOptions;
import dev.evenkeel.store.etcd.LocalEtcd;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * The store on etcd: one member on this machine, whose data are in the directory for temporary files. Each directory of a
 * measurement is a prefix in it.
 *
 * <p>The peer of creates is etcd itself: as many clients as there are clients of the engine make transactions of one key,
 * on the condition that it does not exist. Plain puts are reported too.
 */
final class EtcdUnderTest implements DurableStoreUnderTest, AutoCloseable {
    private final LocalEtcd etcd;
    private final ManagedChannel channel;
    private final Map<Path, Long> before = new ConcurrentHashMap<>();

    EtcdUnderTest() throws Exception {
        etcd = LocalEtcd.start(Files.createTempDirectory("bench-etcd"), 1, "--quota-backend-bytes", "8000000000");
        channel = Grpc.newChannelBuilder(
                        etcd.endpoints()[0].substring("http://".length()), InsecureChannelCredentials.create())
                .directExecutor()
                .build();
    }

    @Override
    public String label() {
        return "etcd";
    }

    @Override
    public Engine open(Path directory) {
        before.computeIfAbsent(directory, d -> size());
        return Engine.builder()
                .store(EtcdOptions.at(etcd.endpoints()).prefix("/" + directory.getFileName() + "/"))
                .build();
    }

    private long size() {
        return MaintenanceGrpc.newBlockingStub(channel)
                .status(StatusRequest.getDefaultInstance())
                .getDbSizeInUse();
    }

    /** Returns the growth of etcd's database since the first engine was opened, with all history since then. */
    @Override
    public long bytes(Path directory) {
        return size() - before.getOrDefault(directory, 0L);
    }

    @Override
    public String bare() {
        return "etcd by hand, transactions";
    }

    @Override
    public double bareCreates(Path directory, int group, RunLength length) throws Exception {
        return bare(directory, "txn", group, length, (stub, key, value) -> {
            TxnRequest request = TxnRequest.newBuilder()
                    .addCompare(Compare.newBuilder()
                            .setKey(key)
                            .setTarget(Compare.CompareTarget.MOD)
                            .setResult(Compare.CompareResult.EQUAL)
                            .setModRevision(0))
                    .addSuccess(RequestOp.newBuilder()
                            .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value)))
                    .build();
            ReportSection.check(stub.txn(request).getSucceeded(), "a new key");
        });
    }

    @Override
    public void others(ReportSection section, Path directory, int clients) throws Exception {
        double puts = bare(
                directory,
                "put",
                clients,
                section.length(),
                (stub, key, value) -> stub.put(
                        PutRequest.newBuilder().setKey(key).setValue(value).build()));
        section.ours("etcd by hand, puts, " + clients + " clients", Unit.PER_SECOND, puts);
    }

    @FunctionalInterface
    private interface Write {
        void to(KVGrpc.KVBlockingStub stub, ByteString key, ByteString value);
    }

    private double bare(Path directory, String kind, int clients, RunLength length, Write write) throws Exception {
        ByteString value = ByteString.copyFrom(StoredObjects.configMap(0));
        KVGrpc.KVBlockingStub stub = KVGrpc.newBlockingStub(channel);
        DoubleAdder sum = new DoubleAdder();
        Load.concurrently(
                Thread.ofVirtual(),
                clients,
                client -> sum.add(Load.perSecond(
                        length,
                        count -> write.to(
                                stub,
                                ByteString.copyFromUtf8(
                                        "/bare/" + directory.getFileName() + "/" + kind + "/" + client + "/" + count),
                                value))));
        return sum.sum();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        etcd.close();
    }
}
