package dev.evenkeel.cli;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.store.sqlite.SqliteOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import picocli.CommandLine.Option;

/** Says which store a command opens, without an engine. */
final class StoreOptions {
    @Option(names = "--data", paramLabel = "DIR", required = true, description = "the directory of the store")
    private Path data = Path.of("");

    Store open() {
        return SqliteOptions.in(data)
                .open(new Store.Context(
                        (key, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread));
    }
}
