package dev.evenkeel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.spi.StoreException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormatTest {
    private static final Database.Format NEXT = new Database.Format(
            2, List.of(List.of("ALTER TABLE store ADD COLUMN note TEXT", "UPDATE store SET note = 'migrated'")));

    @TempDir
    private Path directory;

    private final Database.Format present = Database.Format.PRESENT;

    private Path file() {
        return directory.resolve(Database.NAME);
    }

    @Test
    void anOlderFormatIsMigratedAfterACopy() {
        Database.open(directory, Durability.SYNC).close();

        try (Database migrated = Database.open(file(), Durability.SYNC, NEXT)) {
            assertThat(migrated.text("SELECT note FROM store")).isEqualTo("migrated");
        }
        Database.open(file(), Durability.SYNC, NEXT).close(); // no second time

        try (Database copy = Database.read(directory.resolve(Database.NAME + ".format-1"))) {
            assertThat(copy.text("PRAGMA user_version")).isEqualTo("1");
            assertThat(copy.text("SELECT count(*) FROM pragma_table_info('store')"))
                    .isEqualTo("3");
        }
    }

    @Test
    void aMigrationThatFailsChangesNothing() {
        Database.open(directory, Durability.SYNC).close();
        Database.Format wrong = new Database.Format(
                2, List.of(List.of("UPDATE store SET compacted = 7", "UPDATE missing SET note = ''")));

        assertThatThrownBy(() -> Database.open(file(), Durability.SYNC, wrong)).isInstanceOf(StoreException.class);

        try (Database before = Database.open(file(), Durability.SYNC, present)) {
            assertThat(before.origin()).isEqualTo(new Database.Origin(1, 0));
        }
    }

    @Test
    void aNewerFormatIsRefused() {
        Database.open(directory, Durability.SYNC).close();
        Database.open(file(), Durability.SYNC, NEXT).close();

        assertThatThrownBy(() -> Database.open(directory, Durability.SYNC))
                .isInstanceOf(StoreException.class)
                .hasMessage(file() + " has format 2, of a newer version; this one reads formats up to 1:"
                        + " use the newer version");
    }
}
