package dev.evenkeel.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The sample operator with {@code @kubernetes/client-node}: each seeded defect is seen by a schedule that the operator without
 * it survives. Skipped without Node, or if EVENKEEL_NODE_MODULES does not name a directory with that package.
 */
@Timeout(300)
class NodeOperatorTest {
    private static final Path SAMPLES = Path.of("../examples/check");
    private static final Path MODULES = Path.of(System.getenv().getOrDefault("EVENKEEL_NODE_MODULES", "absent"));

    @BeforeEach
    void needsNode() {
        assumeTrue(
                Files.isDirectory(MODULES.resolve("@kubernetes/client-node")),
                "EVENKEEL_NODE_MODULES does not name a directory with @kubernetes/client-node");
    }

    private static CheckReport replay(String defect, String schedule) throws IOException, InterruptedException {
        return ControllerCheck.of(List.of(
                        "node",
                        SAMPLES.resolve("node/operator.mjs").toAbsolutePath().toString(),
                        defect))
                .definitions(List.of(SAMPLES.resolve("crds")))
                .given(List.of(SAMPLES.resolve("given")))
                .specification(Files.readString(SAMPLES.resolve("spec.yaml")))
                .calmSilence(Duration.ofMillis(500))
                // a right controller never needs it, unless the machine is busy
                .patience(Duration.ofSeconds(defect.isEmpty() ? 30 : 4))
                .replay(schedule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lost-step | crash after create secrets default/menu #1 | configmaps default/menu is missing",
                "missed-deletion | crash before step 2 | configmaps default/news should not be there"
            })
    void aDefectIsSeen(String defect, String schedule, String line) throws IOException, InterruptedException {
        CheckReport report = replay(defect, schedule);

        assertThat(report.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.lines()).contains(line));
    }

    @Test
    void theOperatorWithoutADefectSurvivesBoth() throws IOException, InterruptedException {
        String both = "crash after create secrets default/menu #1; crash before step 2";

        assertThat(replay("", both).findings()).isEmpty();
    }
}
