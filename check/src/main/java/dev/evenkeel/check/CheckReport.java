package dev.evenkeel.check;

import dev.evenkeel.check.internal.report.TimeLine;
import dev.evenkeel.check.internal.run.RunOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The result of a check. */
public final class CheckReport {
    private final List<Finding> findings;
    private final List<String> warnings;
    private final int runs;
    private final int places;
    private final Duration elapsed;
    private final RunOutcome calm;
    private final List<RunOutcome> shown;

    CheckReport(
            List<Finding> findings,
            List<String> warnings,
            int runs,
            int places,
            Duration elapsed,
            RunOutcome calm,
            List<RunOutcome> shown) {
        this.findings = List.copyOf(findings);
        this.warnings = List.copyOf(warnings);
        this.runs = runs;
        this.places = places;
        this.elapsed = elapsed;
        this.calm = calm;
        this.shown = List.copyOf(shown);
    }

    /**
     * A finding.
     *
     * @param title what is wrong, in one line
     * @param lines the details
     * @param schedule the fewest faults that cause it; empty without faults
     * @param faults the description of each fault
     * @param repeated how often it was seen again, such as {@code 2 of 2 runs}
     * @param others the number of other schedules with the same result
     */
    public record Finding(
            String title, List<String> lines, String schedule, List<String> faults, String repeated, int others) {
        /** Copies the lists. */
        public Finding {
            lines = List.copyOf(lines);
            faults = List.copyOf(faults);
        }
    }

    /** Returns the findings. */
    public List<Finding> findings() {
        return findings;
    }

    /** Returns what the check cannot judge, and what to do about it. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns the number of runs with faults. */
    public int runs() {
        return runs;
    }

    /** Returns the number of places at which faults were possible. */
    public int places() {
        return places;
    }

    /** Returns the time that the runs with faults took. */
    public Duration elapsed() {
        return elapsed;
    }

    /** Returns the time lines of the run without faults, and of the findings or the repeated run, as one page of HTML. */
    public String html() {
        List<RunOutcome> all = new ArrayList<>();
        all.add(calm);
        all.addAll(shown);
        return TimeLine.html(all);
    }
}
