package dev.evenkeel.check;

import dev.evenkeel.check.internal.run.ControllerRun;
import dev.evenkeel.check.internal.run.Exploration;
import dev.evenkeel.check.internal.run.PreparedCluster;
import dev.evenkeel.check.internal.run.RunOutcome;
import dev.evenkeel.check.internal.run.RunSettings;
import dev.evenkeel.check.internal.script.CheckScript;
import dev.evenkeel.check.internal.script.ScriptObject;
import dev.evenkeel.check.internal.script.SingleDeletion;
import dev.evenkeel.simulation.internal.request.FaultSchedule;
import dev.evenkeel.simulation.internal.request.RequestPlace.ApiRequest;
import dev.evenkeel.simulation.internal.request.SchedulePlanner;
import dev.evenkeel.testing.internal.convergence.DeletionHarm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Checks that a controller, which is a process in any language, reaches the same state whatever faults it meets.
 *
 * <pre>{@code
 * CheckReport report = ControllerCheck.of(List.of("sh", "-c", "exec node operator.js"))
 *         .definitions(List.of(Path.of("crds")))
 *         .given(List.of(Path.of("given")))
 *         .schedules(100)
 *         .run();
 * }</pre>
 *
 * <p>Each run has an API server of its own in this process, which begins with the given objects; the controller finds it by the
 * environment variable {@code KUBECONFIG}, or by {@code {kubeconfig}} in its command. Not for use by several threads.
 */
public final class ControllerCheck {
    private final List<String> command;
    private List<Path> definitions = List.of();
    private List<Path> given = List.of();
    private String specification = "";
    private int schedules = 100;
    private Duration time = Duration.ofMinutes(10);
    private long seed = 1;
    private int parallel = 1;
    private int replicas = 1;
    private boolean failFast;
    private Duration calmSilence = Duration.ofMillis(1_500);
    private Duration startLimit = Duration.ofSeconds(60);
    private Duration patience = Duration.ofSeconds(10);
    private Duration restLimit = Duration.ofSeconds(60);
    private Consumer<String> progress = line -> {};

    /** Thrown when a check cannot be made; the message gives the reason, and how to correct it. */
    public static final class SetupException extends RuntimeException {
        /** Creates an exception. */
        public SetupException(String message) {
            super(message);
        }
    }

    private ControllerCheck(List<String> command) {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the command of the controller must not be empty");
        }
        this.command = List.copyOf(command);
    }

    /** Starts the settings of a check of a controller, by the words of its command. */
    public static ControllerCheck of(List<String> command) {
        return new ControllerCheck(command);
    }

    /** Sets files and directories with CustomResourceDefinitions. */
    public ControllerCheck definitions(List<Path> value) {
        definitions = List.copyOf(value);
        return this;
    }

    /** Sets files and directories with the objects that exist when the controller starts. */
    public ControllerCheck given(List<Path> value) {
        given = List.copyOf(value);
        return this;
    }

    /** Sets the specification, in YAML: what the user does, what may differ, and what must always hold. */
    public ControllerCheck specification(String yaml) {
        specification = yaml;
        return this;
    }

    /** Sets the number of schedules to try; 100 by default. */
    public ControllerCheck schedules(int value) {
        schedules = positive("schedules", value);
        return this;
    }

    /** Sets the time after which no further schedule is tried; ten minutes by default. */
    public ControllerCheck time(Duration value) {
        time = value;
        return this;
    }

    /** Sets the seed of random choices; 1 by default. */
    public ControllerCheck seed(long value) {
        seed = value;
        return this;
    }

    /** Sets the number of runs at the same time; 1 by default. */
    public ControllerCheck parallel(int value) {
        parallel = positive("parallel", value);
        return this;
    }

    /** Sets the number of processes in a run, which elect a leader among them; 1 by default. */
    public ControllerCheck replicas(int value) {
        replicas = positive("replicas", value);
        return this;
    }

    /** Sets whether the check ends with the first finding; false by default. */
    public ControllerCheck failFast(boolean value) {
        failFast = value;
        return this;
    }

    /** Sets the silence that ends each rest of a run without faults; 1.5 seconds by default. */
    ControllerCheck calmSilence(Duration value) {
        calmSilence = value;
        return this;
    }

    /** Sets the longest time from the start of the process to its first request; one minute by default. */
    public ControllerCheck startLimit(Duration value) {
        startLimit = value;
        return this;
    }

    /**
     * Sets the silence after which a state that differs is final; ten seconds by default. It must be longer than the controller
     * waits before it tries again.
     */
    public ControllerCheck patience(Duration value) {
        patience = value;
        return this;
    }

    /** Sets the longest time in which the controller must settle, once it has started; one minute by default. */
    public ControllerCheck restLimit(Duration value) {
        restLimit = value;
        return this;
    }

    /** Sets the receiver of a line for each step. */
    public ControllerCheck progress(Consumer<String> value) {
        progress = value;
        return this;
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
        return value;
    }

    /**
     * Learns the run without faults, and tries schedules of faults.
     *
     * @throws SetupException when the controller does not work without faults
     * @throws IllegalArgumentException when a file is malformed
     */
    public CheckReport run() throws InterruptedException {
        try (PreparedCluster cluster = new PreparedCluster(definitions, given)) {
            List<String> warnings = new ArrayList<>();
            RunSettings settings = settings(cluster);
            RunOutcome calm = learn(settings);
            RunOutcome second = ControllerRun.make(settings, FaultSchedule.NONE, Optional.empty());
            settings = settings.script(deterministic(settings.script(), calm, second, warnings));
            List<ScriptObject> custom =
                    cluster.custom().stream().map(ScriptObject::of).toList();
            requireNoHarm(settings, calm, custom);
            warnings.addAll(SetUpNotes.of(settings.script(), custom));
            if (!calm.unserved().isEmpty()) {
                warnings.add("not served, but requested: " + String.join(", ", calm.unserved())
                        + "; give their CustomResourceDefinitions with --crds");
            }
            SchedulePlanner planner = new SchedulePlanner(calm.visits(), calm.watched(), replicas, seed);
            Exploration exploration = new Exploration(settings, calm, progress);
            exploration.explore(planner.schedules().limit(schedules).iterator(), time, parallel, failFast);
            warnings.addAll(exploration.unsteady());
            List<RunOutcome> failed = exploration.failures().stream()
                    .map(Exploration.Failure::outcome)
                    .toList();
            return report(exploration, warnings, calm, failed);
        }
    }

    /**
     * Repeats the run of a schedule.
     *
     * @throws IllegalArgumentException when the schedule, or a file, is malformed
     * @throws SetupException when the controller does not work without faults, or a fault does not strike
     */
    public CheckReport replay(String schedule) throws InterruptedException {
        FaultSchedule parsed = FaultSchedule.parse(schedule);
        try (PreparedCluster cluster = new PreparedCluster(definitions, given)) {
            RunSettings settings = settings(cluster);
            RunOutcome calm = learn(settings);
            Exploration exploration = new Exploration(settings, calm, progress);
            RunOutcome outcome = exploration.replay(parsed);
            if (!outcome.missed().isEmpty() && outcome.problem().isEmpty()) {
                throw new SetupException("these faults did not strike, so the run shows nothing: "
                        + new FaultSchedule(outcome.missed()) + "; the places of the run without faults are:\n  "
                        + String.join("\n  ", places(calm)));
            }
            return report(exploration, List.of(), calm, List.of(outcome));
        }
    }

    private RunSettings settings(PreparedCluster cluster) {
        CheckScript standard = CheckScript.deletionOf(cluster.custom());
        CheckScript script = specification.isBlank() ? standard : CheckScript.parse(specification, standard);
        return new RunSettings(command, cluster, script, replicas, calmSilence, startLimit, patience, restLimit);
    }

    private RunOutcome learn(RunSettings settings) throws InterruptedException {
        RunOutcome calm = ControllerRun.make(settings, FaultSchedule.NONE, Optional.empty());
        calm.problem().ifPresent(problem -> {
            throw new SetupException(
                    "without faults: " + problem.title() + "\n  " + String.join("\n  ", problem.lines()));
        });
        long writes = calm.visits().stream()
                .filter(visit -> visit.place() instanceof ApiRequest)
                .filter(visit -> !visit.changed().isEmpty())
                .count();
        String unserved = calm.unserved().isEmpty()
                ? ""
                : "; it requested " + String.join(", ", calm.unserved())
                        + ", which is not served: give the CustomResourceDefinitions with --crds";
        if (writes == 0) {
            throw new SetupException(
                    "the controller changed nothing in the run without faults: --given must have objects"
                            + " that it works for" + unserved);
        }
        progress.accept(String.format(
                "without faults: %d writes, %d rests, %.1f s; it watches %s",
                writes,
                calm.states().size(),
                calm.elapsed().toMillis() / 1000.0,
                calm.watched().isEmpty() ? "nothing" : String.join(", ", new TreeSet<>(calm.watched()))));
        return calm;
    }

    private static List<String> places(RunOutcome calm) {
        return calm.visits().stream().map(visit -> visit.place().toString()).toList();
    }

    /** Returns the script that ignores what differs between two runs without faults. */
    private static CheckScript deterministic(
            CheckScript script, RunOutcome calm, RunOutcome second, List<String> warnings) {
        Map<String, TreeSet<String>> objects = new TreeMap<>();
        for (int i = 0; i < Math.min(calm.states().size(), second.states().size()); i++) {
            Map<String, Map<String, String>> one =
                    script.compared(calm.states().get(i).objects());
            Map<String, Map<String, String>> other =
                    script.compared(second.states().get(i).objects());
            TreeSet<String> names = new TreeSet<>(one.keySet());
            names.addAll(other.keySet());
            for (String name : names) {
                if (!one.containsKey(name) || !other.containsKey(name)) {
                    throw new SetupException("not deterministic: " + name
                            + " exists after only one of two runs without faults."
                            + " If that is right, ignore it in the specification: \"ignore: ['" + name + "']\"");
                }
                Map<String, String> fields = new TreeMap<>(one.get(name));
                fields.putAll(other.get(name));
                fields.keySet().stream()
                        .filter(field -> !Objects.equals(
                                one.get(name).get(field), other.get(name).get(field)))
                        .forEach(field -> objects.computeIfAbsent(field, path -> new TreeSet<>())
                                .add(name));
            }
        }
        CheckScript result = script;
        for (Map.Entry<String, TreeSet<String>> one : objects.entrySet()) {
            String rule = "* " + one.getKey();
            result = result.ignoring(rule);
            warnings.add("not deterministic: " + one.getKey() + " of " + String.join(", ", one.getValue())
                    + " differs between two runs without faults, and is not compared; the specification can contain it:"
                    + " \"ignore: ['" + rule + "']\"");
        }
        return result;
    }

    /**
     * Fails if the first deletion of an object while another one of its kind stays harms others: a run in which it never
     * existed shows what they should be.
     */
    private void requireNoHarm(RunSettings settings, RunOutcome calm, List<ScriptObject> custom)
            throws InterruptedException {
        CheckScript script = settings.script();
        Optional<SingleDeletion> first = SingleDeletion.in(script, custom).stream()
                .filter(deletion -> custom.containsAll(deletion.objects()))
                .filter(deletion -> deletion.objects().size()
                        == script.steps().get(deletion.step()).size())
                .findFirst();
        if (first.isEmpty()) {
            return;
        }
        int step = first.get().step();
        Set<ScriptObject> deleted = first.get().objects();
        try (PreparedCluster without = new PreparedCluster(definitions, given, deleted)) {
            RunSettings shorter = settings.script(script.before(step, deleted)).cluster(without);
            RunOutcome never = ControllerRun.make(shorter, FaultSchedule.NONE, Optional.empty());
            List<String> lines = never.problem().isPresent()
                    ? List.of()
                    : DeletionHarm.of(
                            script.compared(calm.states().get(step)),
                            script.compared(calm.states().get(step + 1)),
                            script.compared(never.states().getLast()));
            if (!lines.isEmpty()) {
                String names = deleted.stream().map(ScriptObject::toString).collect(Collectors.joining(", "));
                throw new SetupException(
                        "without faults: the deletion of " + names + " harms others\n  " + String.join("\n  ", lines));
            }
        }
    }

    /** @param shown the runs whose time lines are shown next to that of the run without faults */
    private static CheckReport report(
            Exploration exploration, List<String> warnings, RunOutcome calm, List<RunOutcome> shown) {
        List<CheckReport.Finding> findings = new ArrayList<>();
        for (Exploration.Failure failure : exploration.failures()) {
            RunOutcome outcome = failure.outcome();
            RunOutcome.Problem problem = outcome.problem().orElseThrow();
            findings.add(new CheckReport.Finding(
                    problem.title(),
                    problem.lines(),
                    outcome.schedule().toString(),
                    outcome.schedule().faults().stream()
                            .map(fault -> fault + ": " + fault.description())
                            .toList(),
                    failure.seen() + " of " + failure.tried() + " runs",
                    failure.others()));
        }
        return new CheckReport(
                findings, warnings, exploration.runs(), calm.visits().size(), exploration.elapsed(), calm, shown);
    }
}
