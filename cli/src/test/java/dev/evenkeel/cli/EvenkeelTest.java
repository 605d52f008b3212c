package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command in this process. */
@Timeout(300)
class EvenkeelTest {
    private static final Path EXAMPLES = Path.of("../examples/website");

    @TempDir
    Path directory;

    private final Commands commands = new Commands();

    @ParameterizedTest
    @ValueSource(strings = {"", "demo", "example", "server", "bench", "simulate", "soak", "new", "rbac", "skeleton"})
    void helpAndVersionAreEverywhere(String command) {
        String[] help = command.isEmpty() ? new String[] {"--help"} : new String[] {command, "--help"};
        String[] version = command.isEmpty() ? new String[] {"--version"} : new String[] {command, "--version"};

        assertThat(commands.run(help)).isZero();
        assertThat(commands.out()).startsWith("Usage: evenkeel").contains("--help", "--version");
        assertThat(commands.run(version)).isZero();
        assertThat(commands.out()).containsPattern("evenkeel \\d+\\.\\d+");
        assertThat(commands.err()).isEmpty();
    }

    @Test
    void onlyTheNamedCommandIsRead() {
        assertThat(Evenkeel.commandLine("server", "--port", "0").getSubcommands())
                .containsOnlyKeys("server");
        assertThat(Evenkeel.commandLine("--help").getSubcommands()).hasSizeGreaterThan(10);
        assertThat(Evenkeel.commandLine("sever").getSubcommands()).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "demo --nonsense",
                "server --port x",
                "example --placement sharded",
                "example nothing",
                "example --context c",
                "example --leases default --lease-duration 1500ms",
                "example --lease-duration soon",
                "soak --objects 1",
                "soak --duration 0s",
                "server --history -1",
                "rbac --tree --mermaid",
                "rbac --service-account operator",
                "skeleton",
                "new"
            })
    void invalidArgumentsExitWithTwo(String arguments) {
        assertThat(commands.run(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
                .isEqualTo(2);
        assertThat(commands.err()).isNotBlank().doesNotContain("\tat ");
    }

    private int demo(Path examples, String timeout) {
        return commands.run(
                "demo",
                "--once",
                "--timeout",
                timeout,
                "--examples",
                examples.toString(),
                "--kubeconfig",
                directory.resolve("kubeconfig").toString());
    }

    @Test
    void theDemoConverges() {
        assertThat(demo(EXAMPLES, "60")).as(commands.err()).isZero();

        assertThat(commands.out())
                .contains("Website     default/blog", "Ready=True", "Deployment  default/docs         replicas=1")
                .containsPattern("converged in .*: all websites are ready and own 9 objects")
                .doesNotContain("\u001b");
        assertThat(directory.resolve("kubeconfig")).doesNotExist();
    }

    @Test
    void theDemoReportsWhatDidNotConverge() throws IOException {
        Files.copy(EXAMPLES.resolve("crd.yaml"), directory.resolve("crd.yaml"));
        // a Service's name has no dots
        Files.writeString(
                directory.resolve("websites.yaml"),
                Files.readString(EXAMPLES.resolve("websites.yaml")).replace("name: blog", "name: blog.example"));

        assertThat(demo(directory, "3")).isEqualTo(1);

        assertThat(commands.err())
                .contains("evenkeel: not converged after 3 s: ", "Website default/blog.example is not ready: Invalid");
    }

    @Test
    void theDemoNamesAMissingFile() {
        assertThat(demo(directory, "3")).isEqualTo(1);

        assertThat(commands.err().strip())
                .isEqualTo("evenkeel: cannot read " + directory.resolve("crd.yaml") + ": "
                        + directory.resolve("crd.yaml") + ": no such file");
    }

    @Test
    void invalidPortsAndMissingFilesAreNamed() {
        assertThat(commands.run(
                        "server",
                        "--port",
                        "70000",
                        "--kubeconfig",
                        directory.resolve("k").toString()))
                .isEqualTo(1);
        assertThat(commands.err()).contains("port must be from 0 to 65535: 70000");

        Path missing = directory.resolve("missing");
        assertThat(commands.run("example", "website", "--kubeconfig", missing.toString()))
                .isEqualTo(1);
        assertThat(commands.err()).contains("evenkeel: cannot read " + missing + ": no such file");
    }

    @Test
    void theServerDoesNotListenBeyondLoopbackWithoutProtection() {
        Path kubeconfig = directory.resolve("kubeconfig");
        for (String open : new String[] {"--insecure", "--plain-http"}) {
            assertThat(commands.run(
                            "server", "--bind", "0.0.0.0", "--port", "0", open, "--kubeconfig", kubeconfig.toString()))
                    .isEqualTo(1);
        }
        assertThat(commands.err()).contains("evenkeel: listening on 0.0.0.0 without");
        assertThat(kubeconfig).doesNotExist();
    }
}
