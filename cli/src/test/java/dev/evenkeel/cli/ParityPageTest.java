package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the tests that docs/parity.md names exist. */
class ParityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Contract))(?:\\.(\\w+))?`");

    @Test
    void namesExistingTests() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/parity.md"));
        Map<String, String> sources = sources();
        List<String> missing = NAMED.matcher(page)
                .results()
                .filter(named -> !isThere(sources, named))
                .map(MatchResult::group)
                .distinct()
                .toList();

        assertThat(missing).isEmpty();
        assertThat(IntStream.rangeClosed(1, 31).filter(defect -> !page.contains("| D" + defect + " |")))
                .as("defects without a row")
                .isEmpty();
    }

    private static boolean isThere(Map<String, String> sources, MatchResult named) {
        String source = sources.getOrDefault(named.group(1), "");
        return !source.isEmpty() && (named.group(2) == null || source.contains(" " + named.group(2) + "("));
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> sources.merge(
                                    file.getFileName().toString().replace(".java", ""), read(file), String::concat));
                }
            }
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
