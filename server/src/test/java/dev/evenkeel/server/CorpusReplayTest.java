package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.SharedData;
import dev.evenkeel.server.replay.Corpus;
import dev.evenkeel.server.replay.Report;
import dev.evenkeel.server.replay.Verdict;
import dev.evenkeel.server.replay.Wire;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Posts the definitions and objects of well-known projects, and compares with what a real API server said to them.
 *
 * <p>The reports are in {@code target/replay}: {@code corpus-<project>.md} on status and causes, and
 * {@code corpus-<project>-whole.md} on whole answers.
 */
class CorpusReplayTest {
    private static final double FLOOR = 1;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cert-manager",
                "cloudnative-pg",
                "flux-source-controller",
                "gateway-api",
                "prometheus-operator",
                "strimzi"
            })
    void agreesWithTheRecordings(String project) {
        Path directory = SharedData.of("crds").resolve(project);
        List<Verdict> decisive = new ArrayList<>();
        List<Verdict> whole = new ArrayList<>();
        try (TestServer server = TestServer.start();
                Wire wire = new Wire(server.base(), server.token())) {
            for (Corpus.Result result : new Corpus(wire, directory).run()) {
                Verdict verdict = result.verdict();
                decisive.add(verdict);
                whole.add(new Verdict(verdict.id(), verdict.what(), verdict.request(), result.rest()));
            }
        }
        Report report = new Report("corpus " + project + ", status and causes", decisive, Map.of());
        report.write("corpus-" + project);
        Report full = new Report("corpus " + project + ", whole answers", whole, Map.of());
        full.write("corpus-" + project + "-whole");
        System.out.println("replay " + report.summary() + "\nreplay " + full.summary());

        assertThat(decisive.stream()
                        .filter(verdict -> verdict.request()
                                .equals("POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions"))
                        .filter(verdict -> !verdict.equal()))
                .as("every definition is accepted")
                .isEmpty();
        assertThat(report.share())
                .as(report.summary() + "; see target/replay/corpus-" + project + ".md")
                .isGreaterThanOrEqualTo(FLOOR);
    }
}
