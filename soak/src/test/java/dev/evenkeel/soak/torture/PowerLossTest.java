package dev.evenkeel.soak.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.soak.torture.History.Known;
import dev.evenkeel.soak.torture.History.Write;
import dev.evenkeel.store.sqlite.SqliteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerLossTest {
    private static final int COMMITS = 40;

    @TempDir
    private Path directory;

    private static Store open(Path directory) {
        return SqliteOptions.in(directory)
                .open(new Store.Context((key, bytes) -> () -> bytes, InstantSource.system(), Runnable::run));
    }

    private static Store.Change change(String name, long expected, byte @Nullable [] value) {
        Store.Key key = new Store.Key("default/configmaps", "default", name);
        return new Store.Change(key, expected, value == null ? null : () -> value);
    }

    /** Revisions 2 to 41 create objects, and revision 42 deletes the one of revision 2; the log contains all. */
    @BeforeEach
    void killed() throws IOException {
        Path source = directory.resolve("source");
        try (Store store = open(source)) {
            for (int i = 0; i < COMMITS; i++) {
                store.commit(List.of(change("key-" + i, 0, new byte[500])));
            }
            store.commit(List.of(change("key-0", 2, null)));
            assertThat(store.revision()).isEqualTo(COMMITS + 2);
            Files.createDirectories(data());
            for (String name : List.of("evenkeel.db", "evenkeel.db-wal", "evenkeel.db-shm")) {
                Files.copy(source.resolve(name), data().resolve(name));
            }
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private static Write deletion() {
        return new Write(1, 2, "key-0", 2, "", History.NOT_TOLD);
    }

    @Test
    void revisionsThatClientsSawAreKeptAndLaterOnesAreLost() {
        long seed = Long.getLong("torture.seed", System.nanoTime());
        long lost = new PowerLoss(data()).strike(new Known(20, List.of()), new Random(seed));
        assertThat(lost).as("seed %d", seed).isBetween(0L, 10_000_000L);
        try (Store store = open(data())) {
            assertThat(store.revision()).as("seed %d", seed).isBetween(20L, COMMITS + 2L);
        }
    }

    @Test
    void anAcknowledgedDeletionIsKeptThoughNoClientSawItsRevision() {
        for (long seed = 1; seed <= 5; seed++) {
            new PowerLoss(data()).strike(new Known(COMMITS + 1, List.of(deletion())), new Random(seed));
        }
        try (Store store = open(data())) {
            assertThat(store.revision()).isEqualTo(COMMITS + 2);
        }
    }

    /** The refusal shows that another write was made before it, which may have had no answer. */
    @Test
    void theReasonOfARefusedCreationIsKept() {
        Write creation = new Write(1, 2, "key-39", 0, "a", History.REFUSED);
        Write deletedSince = new Write(1, 2, "key-0", 0, "a", History.REFUSED);
        for (long seed = 1; seed <= 5; seed++) {
            new PowerLoss(data()).strike(new Known(2, List.of(creation, deletedSince)), new Random(seed));
        }
        assertThatThrownBy(() -> new PowerLoss(data())
                        .strike(
                                new Known(2, List.of(new Write(1, 2, "key-1", 3, "a", History.REFUSED))),
                                new Random(1)))
                .hasMessageContaining("lost: the reason to refuse Write[begin=1, end=2, key=key-1");
        try (Store store = open(data())) {
            assertThat(store.revision()).isGreaterThanOrEqualTo(COMMITS + 1);
        }
    }

    @Test
    void theReasonOfARefusedUpdateIsKept() {
        Write update = new Write(1, 2, "key-0", 2, "a", History.REFUSED);
        for (long seed = 1; seed <= 5; seed++) {
            new PowerLoss(data()).strike(new Known(2, List.of(update)), new Random(seed));
        }
        try (Store store = open(data())) {
            assertThat(store.revision()).isEqualTo(COMMITS + 2);
        }
    }

    @Test
    void pagesThatWereCopiedToTheDatabaseAreKept() throws IOException {
        Path log = data().resolve("evenkeel.db-wal");
        long size = Files.size(log);
        byte[] index = Files.readAllBytes(data().resolve("evenkeel.db-shm"));
        java.nio.ByteBuffer.wrap(index)
                .order(java.nio.ByteOrder.nativeOrder())
                .putInt(128, Math.toIntExact((size - 32) / (24 + 4096)));
        Files.write(data().resolve("evenkeel.db-shm"), index);
        assertThat(new PowerLoss(data()).strike(new Known(1, List.of()), new Random(1)))
                .isZero();
    }

    @Test
    void whatIsNotEvenInTheFilesOfAKilledServerIsReported() {
        assertThatThrownBy(() -> new PowerLoss(data()).strike(new Known(50, List.of()), new Random(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("lost: revision 50, which a client saw, is not in the files of the killed server");
        Write other = new Write(1, 2, "key-1", 3, "", History.NOT_TOLD);
        assertThatThrownBy(() -> new PowerLoss(data()).strike(new Known(1, List.of(other)), new Random(1)))
                .hasMessageContaining("lost: Write[begin=1, end=2, key=key-1");
    }
}
