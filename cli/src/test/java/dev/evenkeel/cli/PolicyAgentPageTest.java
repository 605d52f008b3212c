package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/policy-agent.md, word for word, in a shell whose network and named network namespaces are its own: what
 * the page does to a machine does not reach this one.
 */
class PolicyAgentPageTest {
    private static final String END = "=end of the output, exit ";

    @TempDir
    private Path directory;

    private record Step(String command, String output) {}

    private static Optional<String> missing() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return Optional.of("not root: network namespaces can't be made");
        }
        return Stream.of("ip", "nft", "unshare", "curl", "kubectl", "bash", "sysctl")
                .filter(tool -> Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/bin")
                        .noneMatch(place -> Files.isExecutable(Path.of(place, tool))))
                .findFirst()
                .map(tool -> "no command " + tool);
    }

    private static List<Step> session(Page page) {
        List<Step> steps = new ArrayList<>();
        for (Page.Block block : page.blocks()) {
            if (block.language().equals("console")) {
                for (String step : block.content().split("(?m)^\\$ ")) {
                    if (!step.isEmpty()) {
                        int end = step.indexOf('\n');
                        steps.add(new Step(step.substring(0, end), step.substring(end + 1)));
                    }
                }
            }
        }
        return steps;
    }

    private static List<String> blocks(Page page, String language) {
        return page.blocks().stream()
                .filter(block -> block.language().equals(language))
                .map(Page.Block::content)
                .toList();
    }

    private void tool(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void isAsOnThePage() throws Exception {
        missing().ifPresent(Assumptions::abort);
        Page page = Page.of(Page.ROOT.resolve("docs/policy-agent.md"));
        List<String> scripts = blocks(page, "sh");
        Files.writeString(directory.resolve("db.yaml"), blocks(page, "yaml").getFirst());
        String home = System.getProperty("java.home");
        tool(
                "evenkeel",
                "#!/bin/sh\n[ \"$1\" = --jdk-home ] && echo '" + home + "' && exit\nexec '" + home
                        + "/bin/java' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
                        + System.getProperty("java.class.path") + "' " + Evenkeel.class.getName() + " \"$@\"\n");
        ProcessBuilder builder = new ProcessBuilder("unshare", "--net", "--mount", "bash", "-m")
                .directory(directory.toFile())
                .redirectErrorStream(true);
        Process shell = builder.start();
        try (Writer in = shell.outputWriter(UTF_8);
                BufferedReader out = new BufferedReader(new InputStreamReader(shell.getInputStream(), UTF_8))) {
            run(in, out, "mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && ip link set lo up");
            run(in, out, scripts.get(0));
            assertThat(run(in, out, scripts.get(1))).contains("pod/front created", "pod/db created");
            for (Step step : session(page)) {
                String expected = words(step.output());
                String actual = words(run(in, out, step.command()));
                // the page does not wait for the agent, which needs some milliseconds
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
                while (step.command().startsWith("ip netns exec")
                        && !actual.equals(expected)
                        && System.nanoTime() < deadline) {
                    actual = words(run(in, out, step.command()));
                }
                assertThat(actual)
                        .as(step.command() + "\nagent: " + Files.readString(directory.resolve("agent.log")))
                        .isEqualTo(expected);
            }
            assertThat(Files.readString(directory.resolve("agent.log")))
                    .isEqualToIgnoringWhitespace("node here: programming table inet evenkeel-policy");
            survivesSigkill(in, out);
            assertThat(run(in, out, scripts.get(2) + "nft list tables"))
                    .endsWith("removed table inet evenkeel-policy\n");
        } finally {
            // ends what it has started, too
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }

    /** The rules stay without the agent; another one leaves them as they are. */
    private void survivesSigkill(Writer in, BufferedReader out) throws IOException {
        String denied = "kubectl label -n shop --overwrite pod front role=writer > label.log;"
                + " until ! ip netns exec front curl -s -m 1 -o page http://10.77.2.2:8080/; do :; done";
        run(in, out, denied);
        String rules = run(in, out, "nft list table inet evenkeel-policy");
        assertThat(rules).contains("to/shop/db");
        run(in, out, "kill -9 %3; wait %3 2> killed.log");
        String get = "ip netns exec front curl -s -m 1 -o page -w '%{http_code}' http://10.77.2.2:8080/; echo";
        assertThat(words(run(in, out, get))).isEqualTo("000");
        assertThat(run(in, out, "nft list table inet evenkeel-policy")).isEqualTo(rules);
        run(in, out, "./evenkeel policy-agent --node here --once > once.log 2>&1; cat once.log");
        assertThat(content(run(in, out, "nft list table inet evenkeel-policy"))).isEqualTo(content(rules));
        run(in, out, "./evenkeel policy-agent --node here > agent.log 2>&1 &");
    }

    /** Returns the lines of a table in any order, without the one that names the agent. */
    private static List<String> content(String rules) {
        return rules.lines()
                .filter(line -> !line.contains("chain agent/"))
                .sorted()
                .toList();
    }

    /** Runs commands, and returns their output. */
    private static String run(Writer in, BufferedReader out, String commands) throws IOException {
        in.write(commands.strip() + "\necho \"" + END + "$?\"\n");
        in.flush();
        StringBuilder output = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(END)) {
                return output.toString();
            }
            output.append(line).append('\n');
        }
        throw new AssertionError("the shell has ended: " + output);
    }

    private static String words(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
