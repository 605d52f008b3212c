package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.contract.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of {@code kubectl-steps.txt}: each group by the oldest or the newest kubectl of the machine, and with
 * {@code -Dkubectl.all=true} by every kubectl.
 */
class KubectlStepsTest {
    private static final int PARALLEL = 4;
    private static final Pattern COMMAND = Pattern.compile("([$!])(?:\\[(\\d*)-(\\d*)])? (.*)");

    @TempDir
    private Path temporary;

    private final Sample sample = Sample.of("kubectl");
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(PARALLEL);

    /** A group of steps: lines that are carried out in order. */
    private record Group(String name, List<String> lines) {}

    private static List<Group> groups() throws IOException {
        List<Group> groups = new ArrayList<>();
        try (InputStream in = KubectlStepsTest.class.getResourceAsStream("kubectl-steps.txt")) {
            String all = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : all.lines().toList()) {
                if (line.startsWith("== ")) {
                    groups.add(new Group(line.substring(3), new ArrayList<>()));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    groups.getLast().lines().add(line);
                }
            }
        }
        return groups;
    }

    @TestFactory
    Stream<DynamicContainer> eachStepPrintsWhatKubernetesUsersSee() throws IOException {
        List<Kubectl> found = sample.all() ? Kubectl.all(temporary) : Kubectl.found(temporary);
        Assumptions.assumeFalse(found.isEmpty(), "no kubectl on the PATH or in EVENKEEL_KUBECTL");
        List<Group> groups = groups();
        Map<Group, List<Kubectl>> chosen = new HashMap<>();
        groups.forEach(group -> chosen.put(group, sample.of(found, 1)));
        List<DynamicContainer> containers = new ArrayList<>();
        for (Kubectl each : found) {
            TestServer server = TestServer.startWithTls();
            open.add(server);
            Path directory = Files.createDirectories(temporary.resolve("1." + each.minor()));
            Kubectl kubectl = new Kubectl(each.binary(), each.minor(), directory, "default");
            kubectl.file("kubeconfig", server.kubeconfig());
            List<DynamicTest> tests = new ArrayList<>();
            for (Group group : groups.stream()
                    .filter(one -> chosen.get(one).contains(each))
                    .toList()) {
                Future<List<String>> failures = threads.submit(() -> failures(group, kubectl));
                tests.add(DynamicTest.dynamicTest(
                        group.name(), () -> assertThat(failures.get()).isEmpty()));
            }
            containers.add(DynamicContainer.dynamicContainer(kubectl.toString(), tests));
        }
        return containers.stream();
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    /** Carries out the steps of a group, all of them, and returns those that failed. */
    private static List<String> failures(Group group, Kubectl kubectl) throws IOException {
        String namespace = "ns-" + group.name();
        Path directory = Files.createDirectories(kubectl.directory().resolve(group.name()));
        Files.copy(kubectl.directory().resolve("kubeconfig"), directory.resolve("kubeconfig"));
        Kubectl session = new Kubectl(kubectl.binary(), kubectl.minor(), directory, namespace);
        Map<String, String> variables = new LinkedHashMap<>(Map.of("NS", namespace));
        List<String> failures = new ArrayList<>();
        Kubectl.Result made = kubectl.run("create", "namespace", namespace);
        if (made.exit() != 0) {
            failures.add(made.toString());
        }
        List<String> lines = group.lines();
        int at = 0;
        while (at < lines.size()) {
            String line = replaced(lines.get(at++), variables);
            int end = at;
            if (line.startsWith("file ")) {
                while (end < lines.size() && lines.get(end).startsWith("  ")) {
                    end++;
                }
                StringBuilder text = new StringBuilder();
                lines.subList(at, end)
                        .forEach(each -> text.append(replaced(each.substring(2), variables))
                                .append('\n'));
                Files.createDirectories(Objects.requireNonNull(
                        directory.resolve(line.substring(5)).getParent()));
                session.file(line.substring(5), text.toString());
            } else if (line.startsWith("set ")) {
                String[] parts = line.split(" ", 3);
                variables.put(parts[1], run(session, parts[2]).out());
            } else {
                while (end < lines.size() && !lines.get(end).matches("([$!](\\[| )|set |file ).*")) {
                    end++;
                }
                List<String> expected = lines.subList(at, end).stream()
                        .map(each -> replaced(each, variables))
                        .toList();
                step(line, expected, session, failures);
            }
            at = end;
        }
        return failures;
    }

    private static void step(String line, List<String> expected, Kubectl kubectl, List<String> failures) {
        Matcher command = COMMAND.matcher(line);
        assertThat(command.matches()).as(line).isTrue();
        int minor = kubectl.minor();
        if (minor < number(command.group(2), 0) || minor > number(command.group(3), Integer.MAX_VALUE)) {
            return;
        }
        Kubectl.Result result = run(kubectl, command.group(4));
        String output = result.out() + result.err();
        if (result.exit() != (command.group(1).equals("!") ? 1 : 0)) {
            failures.add(line + "\nhas the exit status of " + result);
            return;
        }
        for (String each : expected) {
            boolean holds = each.startsWith("~ ")
                    ? Pattern.compile(each.substring(2)).matcher(output).find()
                    : output.contains(each);
            if (!holds) {
                failures.add(line + "\ndoes not print \"" + each + "\" but " + result);
            }
        }
    }

    private static int number(String text, int otherwise) {
        return text == null || text.isEmpty() ? otherwise : Integer.parseInt(text);
    }

    private static String replaced(String text, Map<String, String> variables) {
        String replaced = text;
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            replaced = replaced.replace("${" + variable.getKey() + "}", variable.getValue());
        }
        return replaced;
    }

    /** Runs a command line: words, of which the first may be assignments, and quoted parts. */
    private static Kubectl.Result run(Kubectl kubectl, String line) {
        // what is found out about the server is kept for all groups
        Map<String, String> environment = new LinkedHashMap<>(Map.of(
                "HOME", Objects.requireNonNull(kubectl.directory().getParent()).toString()));
        List<String> arguments = new ArrayList<>();
        for (String word : words(line)) {
            Matcher assignment = Pattern.compile("([A-Z_]+)=(.*)").matcher(word);
            if (arguments.isEmpty() && assignment.matches()) {
                environment.put(assignment.group(1), assignment.group(2));
            } else {
                arguments.add(word);
            }
        }
        // options that belong to kubectl end where the command of a container begins
        int dashes = arguments.indexOf("--");
        if (dashes >= 0) {
            arguments.add(dashes, "--namespace=" + kubectl.namespace());
        }
        return kubectl.run(environment, arguments.toArray(String[]::new));
    }

    /** The words of a line; quotes after an equals sign hold spaces, and JSON is left as it is. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")) {
            words.add(word.matches("[^{\\[]+=\"[^\"]*\"") ? word.replace("\"", "") : word);
        }
        return words;
    }
}
