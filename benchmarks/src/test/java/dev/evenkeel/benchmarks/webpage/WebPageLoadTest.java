package dev.evenkeel.benchmarks.webpage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.LoadRun;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.Verdict;
import dev.evenkeel.server.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short form of the plan of the operator, which is a process. */
@Timeout(300)
class WebPageLoadTest {
    @TempDir
    private Path directory;

    @Test
    void theOperatorConvergesUnderAShortLoad() throws Exception {
        String plan = Files.readString(Path.of("webpages.yaml"))
                .replaceAll("count: \\d+", "count: 2")
                .replaceAll("cycles: \\d+", "cycles: 1")
                .replace("resting: 20s", "resting: 1s");
        try (Engine engine = Engine.create();
                Server server = Server.builder(engine).start()) {
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
            LoadResult result = LoadRun.of(LoadPlan.parse(plan), Connection.fromKubeconfig(kubeconfig))
                    .command(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            // a busy machine needs longer than the 10 s of fabric8's client
                            "-Dkubernetes.request.timeout=60000",
                            "-cp",
                            System.getProperty("java.class.path"),
                            WebPageOperator.class.getName()))
                    .run();

            assertThat(result.verdicts())
                    .filteredOn(verdict -> verdict.name().equals("convergence"))
                    .extracting(Verdict::outcome)
                    .containsExactly(Verdict.Outcome.PASS);
        }
    }
}
