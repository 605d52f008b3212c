package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A workload with what each run measured, one or more.
 *
 * @param runs the measurements, all of the same workload
 */
record ReportRow(List<Measurement> runs) {
    /** The name of a row, which is the same in every run. */
    record Key(String suite, String workload, String unit) {}

    ReportRow {
        runs = List.copyOf(runs);
    }

    Key key() {
        Measurement first = runs.getFirst();
        return new Key(first.suite(), first.workload(), first.unit().symbol);
    }

    Unit unit() {
        return runs.getFirst().unit();
    }

    Rounds ours() {
        Rounds all = new Rounds();
        runs.forEach(run -> all.add(run.ours()));
        return all;
    }

    /** Returns what was measured of the peer; empty when a run has none. */
    Optional<Rounds> peer() {
        return rounds(Measurement::peer);
    }

    /** Returns the ratio of each run; empty when a run has none. */
    Optional<Rounds> ratio() {
        return rounds(Measurement::ratio);
    }

    private Optional<Rounds> rounds(Function<Measurement, OptionalDouble> figure) {
        Rounds all = new Rounds();
        for (Measurement run : runs) {
            OptionalDouble one = figure.apply(run);
            if (one.isEmpty()) {
                return Optional.empty();
            }
            all.add(one.getAsDouble());
        }
        return Optional.of(all);
    }

    /** Returns true if the peer was better in some runs, and ours in others. */
    boolean undecided() {
        return ratio().filter(all -> all.least() < 1 && all.greatest() > 1).isPresent();
    }

    /** Returns the medians, and all values in the order of the runs. */
    JsonObject json() {
        return new JsonObject()
                .set("suite", key().suite())
                .set("workload", key().workload())
                .set("unit", key().unit())
                .set("ours", ours().median())
                .set("peer", median(peer()))
                .set("peerName", runs.getFirst().peerName())
                .set("ratio", median(ratio()))
                .set("ourRuns", runs.stream().map(Measurement::ours).collect(Collectors.<Object>toList()))
                .set(
                        "peerRuns",
                        runs.stream()
                                .flatMap(run -> run.peer().stream().boxed())
                                .collect(Collectors.<Object>toList()));
    }

    private static @Nullable Object median(Optional<Rounds> rounds) {
        return rounds.map(Rounds::median).orElse(null);
    }
}
