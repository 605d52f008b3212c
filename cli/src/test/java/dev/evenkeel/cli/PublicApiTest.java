package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares the public API of each library module with its listing, {@code <module>/api.txt}, so that every change of the
 * API shows in review. {@code mvn test -pl cli -am -Dtest=PublicApiTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dapi.update} writes the listings.
 */
class PublicApiTest {
    private static final int MOST_TYPES = 266;
    private static final Path ROOT = PublicApi.ROOT;
    private static final Pattern SINCE = Pattern.compile("^(.*?) +// since (\\S+)$");
    private static final Pattern INTERNAL =
            Pattern.compile("import (?:static )?dev\\.evenkeel\\.[a-z.]*\\binternal\\b");

    @TestFactory
    Stream<DynamicTest> listingsAreCurrent() {
        return PublicApi.MODULES.stream()
                .map(module -> DynamicTest.dynamicTest(module, () -> {
                    Path file = ROOT.resolve(module).resolve("api.txt");
                    String recorded = Files.exists(file) ? Files.readString(file) : "";
                    String current = listing(module, recorded);
                    if (System.getProperty("api.update") != null) {
                        Files.writeString(file, current);
                    } else {
                        assertThat(current)
                                .as(
                                        "%s differs from the public API: run PublicApiTest with -Dapi.update and review the change",
                                        file)
                                .isEqualTo(recorded);
                    }
                }));
    }

    @Test
    void theApiIsSmall() {
        List<String> types = PublicApi.MODULES.stream()
                .flatMap(module -> PublicApi.types(module).keySet().stream())
                .toList();
        assertThat(types).hasSizeLessThanOrEqualTo(MOST_TYPES);
    }

    @Test
    void signaturesMentionNoInternalType() {
        List<String> leaks = PublicApi.MODULES.stream()
                .flatMap(module -> PublicApi.types(module).values().stream())
                .flatMap(type -> PublicApi.leaks(type).stream())
                .toList();
        assertThat(leaks).isEmpty();
    }

    @Test
    void publicNamesOccurOnce() {
        Map<String, List<String>> byName = new HashMap<>();
        PublicApi.MODULES.stream()
                .flatMap(module -> PublicApi.types(module).values().stream())
                .forEach(type -> byName.computeIfAbsent(type.getSimpleName(), name -> new ArrayList<>())
                        .add(type.getName()));
        assertThat(byName.values()).filteredOn(types -> types.size() > 1).isEmpty();
    }

    @Test
    void namesOccurOnceInEachModule() throws IOException {
        List<String> twice = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(path -> Files.isDirectory(path.resolve("src/main/java")))
                    .sorted()
                    .toList()) {
                Map<String, Path> seen = new HashMap<>();
                for (Path source : sources(module.resolve("src/main/java"))) {
                    String name = source.getFileName().toString();
                    if (!name.endsWith("-info.java") && seen.putIfAbsent(name, source) != null) {
                        twice.add(ROOT.relativize(source) + " and " + ROOT.relativize(seen.get(name)));
                    }
                }
            }
        }
        assertThat(twice).isEmpty();
    }

    @Test
    void usersImportNothingInternal() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path place : List.of(
                ROOT.resolve("examples"),
                ROOT.resolve("docs"),
                ROOT.resolve("README.md"),
                ROOT.resolve("store-files"),
                ROOT.resolve("engine/src/test/java/dev/evenkeel/engine/contract"),
                ROOT.resolve("cli/src/main/resources"))) {
            for (Path source : sources(place)) {
                Matcher matcher = INTERNAL.matcher(Files.readString(source));
                while (matcher.find()) {
                    found.add(ROOT.relativize(source) + ": " + matcher.group());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static List<Path> sources(Path place) {
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(file -> Pattern.matches(".*\\.(java|md|xml|yaml)", file.toString()))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The current API as text; each line has the version that it first appeared in, from what was recorded. */
    private static String listing(String module, String recorded) {
        Map<String, String> since = new HashMap<>();
        String path = "";
        for (String line : recorded.lines().toList()) {
            Matcher matcher = SINCE.matcher(line);
            if (matcher.matches()) {
                path = matcher.group(1).startsWith(" ") ? path : matcher.group(1);
                since.put(path + "\n" + matcher.group(1), matcher.group(2));
            }
        }
        StringBuilder text =
                new StringBuilder("The public API of evenkeel-" + module + ", compared by PublicApiTest.\n");
        for (Class<?> type : PublicApi.types(module).values()) {
            List<String> lines = PublicApi.lines(type);
            text.append('\n');
            for (String line : lines) {
                text.append(line)
                        .append(" // since ")
                        .append(since.getOrDefault(lines.getFirst() + "\n" + line, version()))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String version() {
        return Release.of("version").replace("-SNAPSHOT", "");
    }
}
