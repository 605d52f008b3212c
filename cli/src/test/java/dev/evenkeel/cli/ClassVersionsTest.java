package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Reads the class files of every module: libraries run on Java 21, and programs of our own on Java 25. */
class ClassVersionsTest {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> PROGRAMS = Set.of("examples", "soak", "benchmarks", "cli");

    /** Libraries whose tests need a newer Java than they do: these call functions of the system. */
    private static final Set<String> WITH_NEWER_TESTS = Set.of("policy");

    private static final Pattern MODULE = Pattern.compile("<module>([a-z]+)</module>");

    @TestFactory
    Stream<DynamicTest> everyModuleIsCompiledForItsJava() throws IOException {
        List<String> modules = MODULE.matcher(Files.readString(HOME.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .filter(module -> Files.isDirectory(HOME.resolve(module, "src")))
                .toList();
        assertThat(modules).contains("collection", "engine", "testing").containsAll(PROGRAMS);
        return modules.stream()
                .flatMap(module -> Stream.of("classes", "test-classes")
                        .filter(kind -> Files.isDirectory(HOME.resolve(module, "target", kind)))
                        .map(kind -> DynamicTest.dynamicTest(
                                module + "/target/" + kind,
                                () -> assertThat(versions(HOME.resolve(module, "target", kind)))
                                        .containsExactly(expected(module, kind)))));
    }

    private static int expected(String module, String kind) {
        boolean newer = PROGRAMS.contains(module) || (kind.equals("test-classes") && WITH_NEWER_TESTS.contains(module));
        return newer ? 25 : 21;
    }

    private static Set<Integer> versions(Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(ClassVersionsTest::version)
                    .collect(Collectors.toSet());
        }
    }

    private static int version(Path file) {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            in.skipNBytes(6);
            // 45 is the first Java's
            return in.readUnsignedShort() - 44;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
