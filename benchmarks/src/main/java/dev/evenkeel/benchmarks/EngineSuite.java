package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Value;
import dev.evenkeel.engine.store.MemoryStore;
import java.util.List;
import java.util.function.Supplier;

/** The engine in process, without a server. */
final class EngineSuite {
    private EngineSuite() {}

    static void run(ReportSection section) throws Exception {
        RunLength length = section.length();
        double _ = micros(InProcess::evenkeel, 0, length) + micros(InProcess::mock, 0, length); // compiles both
        for (int stored : new int[] {0, 1_000, 10_000, 100_000}) {
            section.both(
                    "create + get of a 1 KB custom resource" + (stored == 0 ? "" : ", with " + stored + " stored"),
                    Unit.MICROSECONDS,
                    micros(InProcess::evenkeel, stored, length),
                    micros(InProcess::mock, stored, length),
                    "fabric8 mock dispatcher 7.8.0");
        }
        for (int stored : new int[] {1_000, 10_000, 100_000}) {
            section.ours("raw store commits, " + stored + " stored", Unit.PER_SECOND, commits(stored, length));
        }
    }

    private static double micros(Supplier<InProcess> start, int stored, RunLength length) {
        try (InProcess api = start.get()) {
            return InProcess.micros(api, stored, length);
        }
    }

    private record Bytes(byte[] bytes) implements Value {}

    private static double commits(int stored, RunLength length) throws Exception {
        try (MemoryStore store = new MemoryStore()) {
            Value value = new Bytes(StoredObjects.configMap(0));
            Store.Key[] keys = new Store.Key[stored];
            for (int i = 0; i < stored; i++) {
                keys[i] = new Store.Key("default/configmaps", "default", StoredObjects.name(i));
                store.commit(List.of(new Change(keys[i], 0, value)));
            }
            return Load.perSecond(length, count -> {
                Store.Key key = keys[(int) (count * 7_919L % stored)];
                Store.Entry entry = store.snapshot().get(key);
                store.commit(List.of(new Change(key, entry == null ? 0 : entry.revision(), value)));
            });
        }
    }
}
