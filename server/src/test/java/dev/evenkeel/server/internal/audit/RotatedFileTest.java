package dev.evenkeel.server.internal.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.server.AuditRotation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotatedFileTest {
    @TempDir
    private Path directory;

    private Instant now = Instant.parse("2026-01-31T12:00:00Z");

    private void write(AuditRotation rotation, int lines) throws IOException {
        try (RotatedFile file = new RotatedFile(directory.resolve("audit.log"), rotation, () -> now)) {
            for (int i = 0; i < lines; i++) {
                file.write(("line " + i).getBytes(UTF_8));
                now = now.plusSeconds(60);
            }
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aFullFileIsRenamedByItsTime() throws IOException {
        write(new AuditRotation(14, 0, Duration.ZERO), 5);
        assertThat(files())
                .containsExactly("audit-2026-01-31T12-02-00.000.log", "audit-2026-01-31T12-04-00.000.log", "audit.log");
        assertThat(Files.readString(directory.resolve("audit-2026-01-31T12-02-00.000.log")))
                .isEqualTo("line 0\nline 1\n");
        assertThat(Files.readString(directory.resolve("audit.log"))).isEqualTo("line 4\n");
    }

    @Test
    void onlyTheNewestRenamedFilesAreKept() throws IOException {
        Files.writeString(directory.resolve("audit-notes.log"), "mine");
        write(new AuditRotation(7, 2, Duration.ZERO), 6);
        assertThat(files())
                .containsExactly(
                        "audit-2026-01-31T12-04-00.000.log",
                        "audit-2026-01-31T12-05-00.000.log",
                        "audit-notes.log",
                        "audit.log");
    }

    @Test
    void renamedFilesAreKeptForTheirTime() throws IOException {
        write(new AuditRotation(7, 0, Duration.ofSeconds(90)), 6);
        assertThat(files())
                .containsExactly("audit-2026-01-31T12-04-00.000.log", "audit-2026-01-31T12-05-00.000.log", "audit.log");
    }

    @Test
    void aFileIsAppendedToAndNeverRenamedWithoutALimit() throws IOException {
        write(AuditRotation.NONE, 3);
        write(AuditRotation.NONE, 3);
        assertThat(files()).containsExactly("audit.log");
        assertThat(Files.readAllLines(directory.resolve("audit.log"))).hasSize(6);
    }
}
