package dev.evenkeel.simulation.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.simulation.internal.request.RequestPlace.ApiRequest;
import dev.evenkeel.simulation.internal.request.RequestPlace.UserStep;
import dev.evenkeel.simulation.internal.request.SchedulePlanner.Visit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules as text, what they are shrunk to, and which are planned. */
class FaultScheduleTest {
    private static final RequestPlace CREATE = new ApiRequest("create", "configmaps", "default/blog", 1);
    private static final List<Visit> VISITS = List.of(
            new Visit(new ApiRequest("get", "configmaps", "default/blog", 1), 0, Set.of(), false),
            new Visit(CREATE, 0, Set.of("configmaps"), true),
            new Visit(new ApiRequest("update", "secrets", "default/same", 1), 0, Set.of(), true),
            new Visit(new UserStep(1), 1, Set.of("widgets.example.com"), true));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "crash after create configmaps default/blog #1",
                "crash before step 2",
                "lose answer at patch widgets.example.com/status default/blog #12",
                "refuse 409 at update nodes host-1 #1",
                "pause after step 1",
                "lag configmaps before create configmaps default/blog #1",
                "miss widgets.example.com over 2 steps before step 1",
                "restart behind configmaps by 2 after create configmaps default/blog-* #1",
                "cut watches after step 1; expire watches after step 2"
            })
    void theTextOfAScheduleRepeatsIt(String text) {
        assertThat(FaultSchedule.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "crash", "crash after write 1", "refuse 404 at step 1", "lag before step 1"})
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> FaultSchedule.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aScheduleIsShrunkToTheFaultsThatMatter() {
        FaultSchedule schedule =
                FaultSchedule.parse("crash before step 1; cut watches after step 1; crash after step 2");

        FaultSchedule shrunk =
                schedule.shrink(candidate -> candidate.faults().stream().anyMatch(PlacedFault::crashes)
                        && candidate.toString().contains("step 2"));

        assertThat(shrunk).hasToString("crash after step 2");
    }

    @Test
    void thePlanHasEachKindOfFaultFirstAndNoneAtWritesWithoutAnEffect() {
        List<FaultSchedule> planned = new SchedulePlanner(VISITS, Set.of("configmaps", "widgets.example.com"), 1, 1)
                .schedules()
                .limit(200)
                .toList();

        assertThat(planned.subList(0, 10).stream()
                        .map(one -> one.faults().getFirst().effect().getClass())
                        .collect(Collectors.toSet()))
                .hasSizeGreaterThan(4);
        assertThat(planned.stream().map(FaultSchedule::toString))
                .contains(
                        "crash after create configmaps default/blog #1",
                        "refuse 500 at get configmaps default/blog #1",
                        "miss widgets.example.com before step 1")
                .noneMatch(text -> text.contains("secrets"));
    }

    @Test
    void planningIsRepeatable() {
        List<List<FaultSchedule>> twice = List.of(plan(7), plan(7));

        assertThat(twice.getFirst()).isEqualTo(twice.getLast()).isNotEqualTo(plan(8));
    }

    private static List<FaultSchedule> plan(long seed) {
        return new SchedulePlanner(VISITS, Set.of("configmaps"), 2, seed)
                .schedules()
                .limit(300)
                .toList();
    }
}
