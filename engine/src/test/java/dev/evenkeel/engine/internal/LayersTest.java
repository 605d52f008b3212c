package dev.evenkeel.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of the engine's verbs are layers: each imports from those before it only. */
class LayersTest {
    private static final String ROOT = "dev.evenkeel.engine.internal.";
    private static final List<String> LAYERS =
            List.of("object", "strategy", "admission", "plugin", "write", "read", "service");
    private static final Path SOURCES = Path.of("src/main/java/dev/evenkeel/engine/internal");

    @Test
    void eachPackageImportsFromLowerLayersOnly() {
        List<String> upward = LAYERS.stream()
                .flatMap(layer -> LAYERS.subList(LAYERS.indexOf(layer) + 1, LAYERS.size()).stream()
                        .flatMap(higher -> imports(layer, higher)))
                .toList();
        assertThat(upward).isEmpty();
    }

    @Test
    void theVerbsAndReadsDoNotImportTheRuntimeOfAPartition() {
        assertThat(LAYERS.stream().flatMap(layer -> imports(layer, "PartitionRuntime")))
                .isEmpty();
    }

    private static Stream<String> imports(String layer, String name) {
        try (Stream<Path> files = Files.list(SOURCES.resolve(layer))) {
            return files
                    .flatMap(file -> lines(file).stream()
                            .filter(line -> line.startsWith("import " + ROOT + name)
                                    || line.startsWith("import static " + ROOT + name))
                            .map(line -> layer + "/" + file.getFileName() + ": " + line))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
