package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class NewCommandTest {
    private static final Pattern JAVA_VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");

    @TempDir
    Path directory;

    private final Commands commands = new Commands();

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
        assertThat(commands.run("new", "my-operator", "--directory", project.toString()))
                .as(commands.err())
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
        assertThat(commands.out()).contains("12 files are in " + project, "cd " + project + " && mvn test");
    }

    @Test
    void commandThatInstallsEvenkeelIsPrintedOnlyWhereItIsMissing() throws IOException {
        LocalRepository repository = new LocalRepository(directory.resolve("repository"));
        String install = "mvn -q -f /checkout install -DskipTests";
        assertThat(commands(repository))
                .contains(install + "    # once: Evenkeel ", " is not in " + repository.directory());

        String version = Release.of("version");
        for (String file : List.of("bom/%s/evenkeel-bom-%s.pom", "testing/%s/evenkeel-testing-%s.jar")) {
            Path path =
                    repository.directory().resolve("dev/evenkeel/evenkeel-" + String.format(file, version, version));
            Files.createDirectories(path.getParent());
            Files.createFile(path);
        }
        assertThat(commands(repository)).doesNotContain("install");
    }

    private String commands(LocalRepository repository) throws IOException {
        commands.clear();
        CommandLine command = new CommandLine(new NewCommand(repository, Path.of("/checkout")));
        Path project = Files.createTempDirectory(directory, "project");
        assertThat(commands.run(command, "my-operator", "--directory", project.toString()))
                .isZero();
        return commands.out();
    }

    /** Sources for a newer Java than Maven's own are compiled by another JDK of the machine. */
    @Test
    void mavenOnAnOlderJavaBuildsIt() throws Exception {
        Path older = jdks().filter(jdk -> version(jdk) >= 17 && version(jdk) < 21)
                .findFirst()
                .orElse(null);
        assumeThat(older).as("a JDK older than 21").isNotNull();
        Path project = directory.resolve("older");
        assertThat(commands.run("new", "my-operator", "--directory", project.toString()))
                .isZero();
        // without what needs dependencies: artifacts of this build are in no repository
        Path pom = project.resolve("pom.xml");
        Files.writeString(
                pom,
                Files.readString(pom)
                        .replaceAll("(?s)<dependencyManagement>.*</dependencyManagement>", "")
                        .replaceAll("(?s)<dependencies>.*?</dependencies>", ""));
        try (Stream<Path> sources = Files.walk(project.resolve("src"))) {
            for (Path file : sources.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("WidgetSpec.java")) {
                    Files.delete(file);
                }
            }
        }
        ProcessBuilder maven = new ProcessBuilder("mvn", "-q", "-o", "-B", "compile").directory(project.toFile());
        maven.environment().put("JAVA_HOME", String.valueOf(older));
        maven.environment().remove("MAVEN_OPTS"); // an older Java may not know its options
        Process process = maven.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(project.resolve("target/classes/com/example/widget/WidgetSpec.class"))
                .exists();
    }

    private static Stream<Path> jdks() throws IOException {
        Path installed = Path.of("/usr/lib/jvm");
        return Files.isDirectory(installed)
                ? Files.list(installed).filter(jdk -> Files.isExecutable(jdk.resolve("bin/javac")))
                : Stream.empty();
    }

    private static int version(Path jdk) {
        try {
            Matcher version = JAVA_VERSION.matcher(Files.readString(jdk.resolve("release")));
            return version.find() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
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
        assertThat(commands.run(command.toArray(String[]::new)))
                .as(commands.err())
                .isZero();
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

        // as its pom.xml has it
        assertThat(Page.compile(sources, classes, "--release", "21")).isEmpty();
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

    /** Without the cache that its profile records, the JVM starts as without the options: silently. */
    @Test
    void optionsOfItsTestsWorkWithoutACache() throws Exception {
        Path project = directory.resolve("cache");
        assertThat(commands.run("new", "my-operator", "--directory", project.toString()))
                .isZero();
        List<String> options = Pattern.compile("<argument>(-[XD].*)</argument>")
                .matcher(Files.readString(project.resolve("pom.xml")))
                .results()
                .map(option -> option.group(1).replace("${tests.cache}", "AOTCache"))
                .toList();
        assertThat(options)
                .contains("-XX:AOTCache=target/tests.aot", "-Dlogback.configurationFile=target/classes/logback.xml");
        assertThat(project.resolve("src/main/resources/logback.xml")).exists();

        assertThat(javaVersion(project, options)).isEqualTo(javaVersion(project, List.of()));
    }

    /** Returns all that the JVM prints for its version. */
    private static String javaVersion(Path directory, List<String> options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("--version");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed.replaceAll("mixed mode.*", "");
    }

    @Test
    void nothingIsOverwritten() throws IOException {
        Path readme = Files.writeString(directory.resolve("README.md"), "mine");

        assertThat(commands.run("new", "my-operator", "--directory", directory.toString()))
                .isEqualTo(1);

        assertThat(commands.err().strip())
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
        assertThat(commands.run(("new " + command + " --directory " + directory).split(" ")))
                .isEqualTo(1);

        String value = command.substring(command.lastIndexOf(' ') + 1);
        assertThat(commands.err())
                .startsWith("evenkeel: " + message)
                .endsWith(": \"" + value + "\"" + System.lineSeparator())
                .hasLineCount(1);
        assertThat(files(directory)).isEmpty();
    }
}
