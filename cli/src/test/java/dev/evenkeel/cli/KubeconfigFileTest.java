package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigFileTest {
    @TempDir
    Path directory;

    @Test
    void isForItsOwnerOnlyAndIsRemovedWithTheServer() throws IOException {
        Path path = directory.resolve("deep/down/kubeconfig");
        try (KubeconfigFile file = KubeconfigFile.claim(path)) {
            assertThat(path).doesNotExist();
            file.write("kind: Config\n");

            assertThat(path).content().contains("kind: Config");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            assertThat(path.getParent()).isDirectoryContaining(entry -> entry.equals(path));
            try (var entries = Files.list(path.getParent())) {
                assertThat(entries).hasSize(1);
            }
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void replacesTheFileOfAnEarlierRun() throws IOException {
        Path path = directory.resolve("kubeconfig");
        String left;
        try (KubeconfigFile first = KubeconfigFile.claim(path)) {
            first.write("first");
            left = Files.readString(path);
        }
        Files.writeString(path, left);

        KubeconfigFile second = KubeconfigFile.claim(path);
        assertThat(path).doesNotExist();
        second.write("second");
        assertThat(path).content().contains("second").doesNotContain("first");
    }

    @Test
    void leavesTheFileThatAnotherProcessHasWrittenSince() throws IOException {
        Path path = directory.resolve("kubeconfig");
        try (KubeconfigFile file = KubeconfigFile.claim(path)) {
            file.write("own");
            String other = Files.readString(path).replaceFirst("Process: \\d+", "Process: 1");
            Files.delete(path);
            Files.writeString(path, other);
        }
        assertThat(path).content().contains("Process: 1");
    }

    @Test
    void refusesTheFileOfARunningServer() {
        Path path = directory.resolve("kubeconfig");
        KubeconfigFile late = KubeconfigFile.claim(path);
        try (KubeconfigFile first = KubeconfigFile.claim(path)) {
            first.write("first");
            String refusal = path + " is of a server that runs, process "
                    + ProcessHandle.current().pid() + ": name another file with --kubeconfig";

            assertThatThrownBy(() -> KubeconfigFile.claim(path))
                    .isInstanceOf(Failure.class)
                    .hasMessage(refusal);
            assertThatThrownBy(() -> late.write("second"))
                    .isInstanceOf(Failure.class)
                    .hasMessage(refusal);
            assertThat(path).content().contains("first");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void doesNotTouchFilesOfOtherPrograms() throws IOException {
        Path path = Files.writeString(directory.resolve("config"), "apiVersion: v1\n");

        assertThatThrownBy(() -> KubeconfigFile.claim(path))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("not from evenkeel");
        assertThat(path).content().isEqualTo("apiVersion: v1\n");
    }
}
