package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that docs/security.md names exist, and each row of its table of threats names one. */
class SecurityPageTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

    private final String text;

    SecurityPageTest() throws IOException {
        text = Page.of(Page.ROOT.resolve("docs/security.md")).text();
    }

    @Test
    void everyTestExists() throws IOException {
        Set<String> named =
                TEST.matcher(text).results().map(result -> result.group(1)).collect(Collectors.toSet());
        assertThat(named).isNotEmpty();
        assertThat(tests()).containsAll(named);
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> modules = Files.list(Page.ROOT)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(SecurityPageTest::names)
                    .collect(Collectors.toSet());
        }
    }

    private static Stream<String> names(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyThreatHasATest() {
        String threats = text.substring(text.indexOf("## Threats"), text.indexOf("## Credentials"));
        assertThat(threats.lines().filter(line -> line.startsWith("| ")).skip(2))
                .hasSizeGreaterThan(5)
                .allSatisfy(row -> assertThat(TEST.matcher(row).results().map(MatchResult::group))
                        .as(row)
                        .isNotEmpty());
    }
}
