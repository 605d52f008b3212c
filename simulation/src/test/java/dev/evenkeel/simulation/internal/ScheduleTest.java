package dev.evenkeel.simulation.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.simulation.fault.FaultKind;
import dev.evenkeel.simulation.internal.Place.Side;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "crash before write 3",
                "crash after write 3; lag configmaps after write 1",
                "refuse at write 1; lose answer at write 2; conflict at write 3; repeat at write 4; undo after write 5",
                "run again after write 12",
                "miss deployments.apps after write 0",
                "restart behind websites.examples.evenkeel.dev by 2 after write 4",
                "overtake 2 reads after write 4",
                "edit 1 before write 2",
                "deny configmaps 2 times before write 1; jump by -3600 s after write 2; jump by 60 s after write 3",
                "migrate websites.examples.evenkeel.dev after write 0; downgrade after write 1; overlap after write 2",
                "crash before call 1; refuse at call 2; timeout at call 3; lose answer at call 4; overtake before call 5",
                "tell 3 reads after write 4",
                "delete configmaps default/blog.example after write 4; delete nodes one before write 5"
            })
    void parsesItsText(String text) {
        assertThat(Schedule.parse(text).toString()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "crash",
                "crash write 3",
                "crash after write x",
                "explode after write 3",
                "lag after write 3",
                "edit all at write 1",
                "crash before write 0",
                "crash after call 0"
            })
    void explainsTheSyntaxInErrors(String text) {
        assertThatThrownBy(() -> Schedule.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining('"' + text + '"')
                .hasMessageContaining("crash after write 3");
    }

    @Test
    void aCrashComesLast() {
        Schedule schedule = Schedule.parse("crash after write 1; edit 1 after write 1; crash before write 1");

        assertThat(schedule.at(Place.ofWrite(Side.AFTER, 1)))
                .extracting(Fault::kind)
                .isEqualTo(List.of(FaultKind.EDIT, FaultKind.CRASH));
    }

    @Test
    void aRestartBehindNamesItsFirstMissingWrite() {
        Fault fault = Fault.parse("restart behind configmaps by 2 after write 4");

        assertThat(fault.subject()).isInstanceOfSatisfying(Fault.CacheBehind.class, cache -> {
            assertThat(cache.cached()).isEqualTo("configmaps");
            assertThat(fault.since(cache)).isEqualTo(3);
        });
    }
}
