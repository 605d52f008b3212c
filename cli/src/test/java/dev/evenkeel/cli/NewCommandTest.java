package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class NewCommandTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Evenkeel.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    private List<Path> files(Path project) throws IOException {
        try (Stream<Path> files = Files.walk(project)) {
            return files.filter(Files::isRegularFile)
                    .map(project::relativize)
                    .sorted()
                    .toList();
        }
    }

    @Test
    void writesAProject() throws IOException {
        Path project = directory.resolve("new");
        assertThat(run("new", "my-operator", "--directory", project.toString()))
                .as(err.toString())
                .isZero();

        assertThat(files(project))
                .map(Path::toString)
                .containsExactlyInAnyOrder(
                        ".gitignore",
                        "README.md",
                        "pom.xml",
                        "src/main/java/com/example/widget/Main.java",
                        "src/main/java/com/example/widget/Widget.java",
                        "src/main/java/com/example/widget/WidgetReconciler.java",
                        "src/main/java/com/example/widget/WidgetSpec.java",
                        "src/main/java/com/example/widget/WidgetStatus.java",
                        "src/main/resources/crd.yaml",
                        "src/main/resources/logback.xml",
                        "src/main/resources/sample.yaml",
                        "src/test/java/com/example/widget/WidgetReconcilerTest.java");
        for (Path file : files(project)) {
            assertThat(project.resolve(file)).content().doesNotContain("{{");
        }
        assertThat(project.resolve("src/main/resources/crd.yaml")).content().contains("name: widgets.example.com");
        assertThat(out.toString()).contains("12 files are in " + project, "mvn -q install -DskipTests", "mvn test");
    }

    /** Whatever the names are, its sources compile and its tests pass. */
    @TestFactory
    Stream<DynamicTest> itsTestsPass() {
        return Stream.of(
                        List.of("--kind", "Widget"),
                        List.of("--kind", "Class", "--group", "int.my-shop.io"),
                        List.of("--kind", "HTTPPolicy", "--package", "a"))
                .map(names -> DynamicTest.dynamicTest(names.toString(), () -> itsTestsPass(names)));
    }

    private void itsTestsPass(List<String> names) throws Exception {
        Path project = Files.createTempDirectory(directory, "project");
        List<String> command = new ArrayList<>(List.of("new", "my-operator", "--directory", project.toString()));
        command.addAll(names);
        assertThat(run(command.toArray(String[]::new))).as(err.toString()).isZero();
        Path classes = Files.createDirectories(project.resolve("target"));
        Map<String, String> sources = new LinkedHashMap<>();
        String test = "";
        for (Path file : files(project)) {
            String path = file.toString();
            if (path.endsWith(".java")) {
                String type = path.substring("src/main/java/".length(), path.length() - ".java".length());
                sources.put(type, Files.readString(project.resolve(file)));
                test = type.endsWith("Test") ? type.replace('/', '.') : test;
            } else if (path.startsWith("src/main/resources/")) {
                Files.copy(project.resolve(file), classes.resolve(file.getFileName()));
            }
        }

        assertThat(Page.compile(sources, classes)).isEmpty();
        assertThat(passed(classes, test)).isGreaterThanOrEqualTo(4);
    }

    /** Runs the tests of a class as JUnit does. */
    private static int passed(Path classes, String test) throws Exception {
        int passed = 0;
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            Class<?> type = loader.loadClass(test);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(TestFactory.class)) {
                    method.setAccessible(true);
                    Object tests = Objects.requireNonNull(method.invoke(constructor.newInstance()));
                    for (Object one : ((Stream<?>) tests).toList()) {
                        try {
                            ((DynamicTest) one).getExecutable().execute();
                        } catch (Exception | Error e) {
                            throw e;
                        } catch (Throwable e) {
                            throw new AssertionError(e);
                        }
                        passed++;
                    }
                }
            }
        }
        return passed;
    }

    @Test
    void nothingIsOverwritten() throws IOException {
        Path readme = Files.writeString(directory.resolve("README.md"), "mine");

        assertThat(run("new", "my-operator", "--directory", directory.toString()))
                .isEqualTo(1);

        assertThat(err.toString().strip())
                .isEqualTo("evenkeel: " + readme + " exists and is not overwritten: use another --directory");
        assertThat(files(directory)).containsExactly(Path.of("README.md"));
        assertThat(readme).hasContent("mine");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "My_Operator | the name of the project must be lower case",
                "1st | the name of the project must be lower case",
                "../up | the name of the project must be lower case",
                "x --group example | --group must be your own domain",
                "x --group Example.com | --group must be your own domain",
                "x --group apps.k8s.io | --group must not be a group of Kubernetes",
                "x --kind widget | --kind must be a word in CamelCase",
                "x --kind Wid-get | --kind must be a word in CamelCase",
                "x --kind ConfigMap | --kind must not be the name of a class that the project uses",
                "x --package com.int.x | --package must be a Java package",
                "x --package com/x | --package must be a Java package",
            })
    void namesMustFit(String command, String message) throws IOException {
        assertThat(run(("new " + command + " --directory " + directory).split(" ")))
                .isEqualTo(1);

        String value = command.substring(command.lastIndexOf(' ') + 1);
        assertThat(err.toString())
                .startsWith("evenkeel: " + message)
                .endsWith(": \"" + value + "\"" + System.lineSeparator())
                .hasLineCount(1);
        assertThat(files(directory)).isEmpty();
    }
}
