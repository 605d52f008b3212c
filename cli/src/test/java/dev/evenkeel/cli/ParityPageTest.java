package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/parity.md has a row for each defect, and that the named tests exist and have passed in this build, by
 * their reports: a skipped, empty or deleted test is not parity. The build of all modules runs them first; with
 * {@code -Dparity.required} a test without a current report fails, too.
 */
class ParityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|Contract))(?:\\.(\\w+))?`");
    private static final Pattern CASE =
            Pattern.compile("<testcase name=\"(\\w+)[^\"]*\"[^>]*?(?:/>|>(.*?)</testcase>)", Pattern.DOTALL);

    private final List<Path> sources = sources();

    @Test
    void namesTestsThatHavePassed() throws IOException {
        List<String> failed = new ArrayList<>();
        TreeSet<String> unknown = new TreeSet<>();
        for (MatchResult named : named()) {
            String method = named.group(2) == null ? "" : named.group(2);
            List<Path> classes = classes(named.group(1), method);
            if (classes.isEmpty() || !contains(named.group(1), method)) {
                failed.add(named.group() + " does not exist");
            }
            for (Path source : classes) {
                Path report = report(source);
                if (!current(report, source)) {
                    if (!isOfThisModule(source)) {
                        unknown.add(named(source));
                    }
                } else if (passed(report, method) == 0) {
                    failed.add(named.group() + " has not passed: " + ROOT.relativize(report));
                }
            }
        }
        assertThat(failed).isEmpty();
        if (!unknown.isEmpty() && System.getProperty("parity.required") == null) {
            abort("no current reports, as of mvn verify: " + unknown);
        }
        assertThat(unknown).as("without a current report").isEmpty();
    }

    @Test
    void hasARowForEachDefect() throws IOException {
        assertThat(IntStream.rangeClosed(1, 31).filter(defect -> !page().contains("| D" + defect + " |")))
                .isEmpty();
    }

    private static String page() {
        return read(ROOT.resolve("docs/parity.md"));
    }

    private static List<MatchResult> named() {
        return NAMED.matcher(page()).results().toList();
    }

    /** Returns the sources of the test classes that run a named test: its own, or those that extend its contract. */
    private List<Path> classes(String name, String method) {
        return sources.stream()
                .filter(source -> name.endsWith("Contract")
                        ? read(source).contains("extends " + name + " ")
                        : named(source).equals(name) && declares(source, method))
                .toList();
    }

    private boolean contains(String name, String method) {
        return sources.stream().anyMatch(source -> named(source).equals(name) && declares(source, method));
    }

    private static boolean declares(Path source, String method) {
        return method.isEmpty() || read(source).contains(" " + method + "(");
    }

    private static String named(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    /** Returns the path of the class of a source below its folder, without the ending. */
    private static String path(Path source) {
        return module(source)
                .resolve("src/test/java")
                .relativize(source)
                .toString()
                .replace(".java", "");
    }

    private static Path module(Path source) {
        return ROOT.resolve(ROOT.relativize(source).getName(0));
    }

    private static Path report(Path source) {
        return module(source)
                .resolve("target/surefire-reports/TEST-" + path(source).replace('/', '.') + ".xml");
    }

    /** Returns whether a test is one of this module, which has its report only if it ran before this one. */
    private static boolean isOfThisModule(Path source) {
        return module(source).toAbsolutePath().normalize().equals(Path.of("").toAbsolutePath());
    }

    private static boolean current(Path report, Path source) throws IOException {
        Path compiled = module(source).resolve("target/test-classes").resolve(path(source) + ".class");
        return Files.exists(report) && Files.exists(compiled) && time(report).compareTo(time(compiled)) >= 0;
    }

    private static FileTime time(Path file) throws IOException {
        return Files.getLastModifiedTime(file);
    }

    /** Returns the number of cases of a method that have passed; 0 when one has failed. */
    private static long passed(Path report, String method) {
        List<String> endings = CASE.matcher(read(report))
                .results()
                .filter(found -> method.isEmpty() || found.group(1).equals(method))
                .map(found -> found.group(2) == null ? "" : found.group(2))
                .toList();
        boolean failed = endings.stream().anyMatch(text -> text.contains("<failure") || text.contains("<error"));
        return failed
                ? 0
                : endings.stream().filter(text -> !text.contains("<skipped")).count();
    }

    private static List<Path> sources() {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(tests)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
