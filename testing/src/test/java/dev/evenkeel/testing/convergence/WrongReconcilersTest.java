package dev.evenkeel.testing.convergence;

import java.util.List;
import org.junit.jupiter.api.Test;

class WrongReconcilersTest {
    @Test
    void all() {
        for (WrongReconcilers.Wrong wrong : WrongReconcilers.all()) {
            Report report = wrong.convergence().check();
            System.out.printf("%-20s %-60s %6d %6d ms %s %s%n", wrong.bug(), wrong.mistake(), report.schedules(), report.duration().toMillis(), report.failure().map(f -> f.faults() + " [" + f.schedule() + "] " + f.problem() + List.copyOf(f.details())).orElse("NOT FOUND"), "");
        }
    }
}
