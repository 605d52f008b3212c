package dev.evenkeel.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.check.ControllerCheck.SetupException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks of a small controller, as it is and with defects. */
@Timeout(300)
class ControllerCheckTest {
    private static final Path SAMPLES = Path.of("../examples/check");

    private static ControllerCheck check(String defect) {
        return ControllerCheck.of(MiniOperator.command(defect))
                .definitions(List.of(SAMPLES.resolve("crds")))
                .given(List.of(SAMPLES.resolve("given")))
                .calmSilence(Duration.ofMillis(250))
                // a right controller never needs it, unless the machine is busy
                .patience(Duration.ofSeconds(defect.isEmpty() || defect.equals("elected") ? 30 : 4));
    }

    @Test
    void aRightControllerIsJudgedRight() throws InterruptedException {
        CheckReport report = check("").schedules(3).parallel(2).run();

        assertThat(report.findings()).isEmpty();
        assertThat(report.runs()).isEqualTo(3);
        assertThat(report.html()).startsWith("<!doctype html>").contains("create secrets default/menu");
    }

    @Test
    void aLostStepIsFoundAndRepeated() throws InterruptedException {
        CheckReport report = check("lost-step").replay("crash after create secrets default/news #1");

        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.title()).contains("differs from the run without faults");
            assertThat(finding.lines()).containsExactly("configmaps default/news is missing");
            assertThat(finding.schedule()).isEqualTo("crash after create secrets default/news #1");
        });
        assertThat(report.html()).contains("the process is killed, and starts again");
    }

    /** Each fault acts upon what the process sends and sees, in the order of the time line. */
    @Test
    void requestsAreRefusedAndTheirAnswersLost() throws InterruptedException {
        CheckReport report = check("")
                .replay(
                        "refuse 500 at create secrets default/menu #1; refuse 429 at create secrets default/menu #2;"
                                + " refuse 503 at create secrets default/menu #3; lose answer at create secrets default/menu #4");

        assertThat(report.findings()).isEmpty();
        assertThat(report.html())
                .containsSubsequence(
                        "create secrets default/menu, 500<",
                        "create secrets default/menu, 429<",
                        "create secrets default/menu, 503<",
                        "create secrets default/menu<",
                        "it is done, and the answer is lost<",
                        "create secrets default/menu, 409<");
    }

    @Test
    void watchesAreHeldCutAndExpired() throws InterruptedException {
        String boards = "boards.example.com";
        CheckReport report = check("")
                .replay("restart behind " + boards + " by 1 after create configmaps default/news #1;" + " miss "
                        + boards + " before step 1; cut watches after step 1; expire watches after step 2");

        assertThat(report.findings()).isEmpty();
        assertThat(report.html())
                .containsSubsequence(
                        "restart behind " + boards + " by 1 after create configmaps default/news #1:",
                        ">killed<",
                        ">start 2<",
                        ">list " + boards + " * is answered as of revision ",
                        ">the watches of " + boards + " deliver again<",
                        ">at rest<",
                        ">miss " + boards + " before step 1:",
                        ">cut watches after step 1:",
                        ">watch " + boards + " *<",
                        ">the watches of " + boards + " end<",
                        ">list " + boards + " *<",
                        ">at rest<",
                        ">expire watches after step 2:",
                        ">watch " + boards + " *<",
                        ">list " + boards + " *<",
                        ">watch " + boards + " *<");
    }

    @Test
    void aRuleThatDoesNotHoldIsReported() {
        assertThatThrownBy(() -> check("")
                        .specification("always: [{resource: configmaps, rule: 'false', message: there is none}]")
                        .run())
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("does not always hold: there is none");
    }

    /** In each run the children of the other board are deleted: no fault is needed, and the runs do not differ. */
    @Test
    void harmToOthersByADeletionIsReported() {
        assertThatThrownBy(() -> check("clears-all").run())
                .isInstanceOf(SetupException.class)
                .hasMessage("without faults: the deletion of Board.example.com default/news harms others\n"
                        + "  configmaps default/menu is missing");
    }

    @Test
    void aReplacedLeaderThatContinuesDoesNoHarm() throws InterruptedException {
        CheckReport report = check("elected").replicas(2).replay("pause after create secrets default/news #1");

        assertThat(report.findings()).isEmpty();
    }

    @Test
    void aReplacedLeaderThatMakesAnotherChildIsFound() throws InterruptedException {
        CheckReport report =
                check("elected-generated").replicas(2).replay("pause after create secrets default/news #1");

        assertThat(report.findings())
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.lines()).anyMatch(line -> line.contains("configmaps default/news-*")));
        assertThat(report.html()).contains("stopped").contains("continued");
    }

    @Test
    void aReplayWhoseFaultsDoNotStrikeFails() {
        assertThatThrownBy(() -> check("").replay("crash after create secrets default/gone #1"))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining(
                        "did not strike, so the run shows nothing: crash after create secrets default/gone #1")
                .hasMessageContaining("create secrets default/news #1");
    }

    @Test
    void valuesThatDifferWithoutFaultsAreNamed() throws InterruptedException {
        CheckReport report = check("random").schedules(1).run();

        assertThat(report.findings()).isEmpty();
        assertThat(report.warnings())
                .anyMatch(text -> text.contains("not deterministic: data.text of configmaps default/menu")
                        && text.contains("ignore: ['* data.text']"));
    }

    @Test
    void aControllerThatEndsAtOnceIsReportedWithItsOutput() {
        assertThatThrownBy(() -> check("broken").run())
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("ended before its first request")
                .hasMessageContaining("no configuration");
    }

    @Test
    void aControllerThatMakesNoRequestIsReported() {
        assertThatThrownBy(
                        () -> check("silent").startLimit(Duration.ofSeconds(1)).run())
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("made no request")
                .hasMessageContaining("KUBECONFIG");
    }

    @Test
    void aControllerThatDoesNotSettleIsReportedWithItsRequests() {
        assertThatThrownBy(
                        () -> check("restless").restLimit(Duration.ofSeconds(2)).run())
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("does not settle within 2 s")
                .hasMessageContaining("times create configmaps default/menu, 409");
    }

    @Test
    void missingDefinitionsAreNamed() {
        assertThatThrownBy(() -> check("").definitions(List.of()).run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("boards.yaml")
                .hasMessageContaining("unknown kind Board of example.com/v1")
                .hasMessageContaining("--crds");
    }
}
