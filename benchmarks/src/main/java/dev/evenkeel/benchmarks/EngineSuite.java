package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Value;
import dev.evenkeel.engine.store.MemoryStore;
import java.util.List;
import java.util.OptionalDouble;

/** The engine in process, without a server. */
final class EngineSuite implements Suite {
    @Override
    public String name() {
        return "engine";
    }

    @Override
    public void run(RunLength length, Report report) throws Exception {
        report.begin(name(), "in process, one thread; peer: the mock server's dispatcher, in process as well");
        double _ = ours(0, length) + theirs(0, length); // triggers the compilation of both
        for (int stored : new int[] {0, 1_000, 10_000, 100_000}) {
            String size = stored == 0 ? "" : ", with " + stored + " stored";
            double ours = ours(stored, length);
            double theirs = theirs(stored, length);
            report.add(new Measurement(
                    name(),
                    "create + get of a 1 KB custom resource" + size,
                    Unit.MICROSECONDS,
                    ours,
                    OptionalDouble.of(theirs),
                    "fabric8 mock dispatcher 7.8.0"));
        }
        for (int stored : new int[] {1_000, 10_000, 100_000}) {
            report.add(new Measurement(
                    name(),
                    "raw store commits, " + stored + " stored",
                    Unit.PER_SECOND,
                    commits(stored, length),
                    OptionalDouble.empty(),
                    ""));
        }
    }

    private static double ours(int stored, RunLength length) {
        try (InProcess engine = InProcess.evenkeel()) {
            return InProcess.micros(engine, stored, length);
        }
    }

    private static double theirs(int stored, RunLength length) {
        try (InProcess mock = InProcess.mock()) {
            return InProcess.micros(mock, stored, length);
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
