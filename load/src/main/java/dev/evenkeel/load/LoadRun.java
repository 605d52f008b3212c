package dev.evenkeel.load;

import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.load.internal.run.Runner;
import dev.evenkeel.load.result.LoadResult;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs of a plan.
 *
 * <pre>{@code
 * LoadResult result = LoadRun.of(LoadPlan.parse(Files.readString(file)), connection)
 *         .command(List.of("my-operator", "--kubeconfig", "{kubeconfig}"))
 *         .run();
 * }</pre>
 */
public final class LoadRun {
    private final LoadPlan plan;
    private final Connection connection;
    private List<String> command = List.of();
    private OptionalLong pid = OptionalLong.empty();
    private boolean kubelets = true;
    private Optional<URI> metrics = Optional.empty();
    private List<String> metricNames = List.of();
    private Optional<Supplier<Connection>> fresh = Optional.empty();
    private Optional<Path> recording = Optional.empty();
    private Consumer<? super Progress> progress = step -> {};
    private Duration interval = Duration.ofSeconds(1);

    private LoadRun(LoadPlan plan, Connection connection) {
        this.plan = plan;
        this.connection = connection;
    }

    /**
     * Returns a run of a plan.
     *
     * @param connection the API server; the harness needs to be allowed everything that the plan creates
     */
    public static LoadRun of(LoadPlan plan, Connection connection) {
        return new LoadRun(plan, connection);
    }

    /**
     * Sets the command of the controller, which is started behind a proxy that counts its requests. It finds the API by the
     * environment variable {@code KUBECONFIG}, and by the word {@code {kubeconfig}} of the command.
     */
    public LoadRun command(List<String> value) {
        command = List.copyOf(value);
        return this;
    }

    /** Sets the process of a controller that runs already. Its requests are not counted, and it is not started again. */
    public LoadRun pid(long value) {
        pid = OptionalLong.of(value);
        return this;
    }

    /** Sets whether the harness binds pods to nodes, and sets their status; default true. */
    public LoadRun kubelets(boolean value) {
        kubelets = value;
        return this;
    }

    /** Sets where the controller has its metrics, and which ones are read. */
    public LoadRun metrics(URI url, List<String> names) {
        metrics = Optional.of(url);
        metricNames = List.copyOf(names);
        return this;
    }

    /**
     * Sets what creates another empty cluster. With it, the end of the run is compared with that of a controller that has never
     * seen the load, and the controller is measured in worlds of the sizes of the plan.
     */
    public LoadRun fresh(Supplier<Connection> value) {
        fresh = Optional.of(value);
        return this;
    }

    /** Sets the file for a recording of the controller by Java Flight Recorder, which is replaced if it exists. */
    public LoadRun recording(Path file) {
        recording = Optional.of(file);
        return this;
    }

    /** Sets what receives the progress, about twice a second. */
    public LoadRun progress(Consumer<? super Progress> value) {
        progress = value;
        return this;
    }

    /** Sets the time between two measurements of the process; default 1 s. */
    public LoadRun interval(Duration value) {
        interval = value;
        return this;
    }

    /**
     * Runs the plan.
     *
     * @throws LoadException if it can't be run
     * @throws InterruptedException when interrupted while it waits
     */
    public LoadResult run() throws InterruptedException {
        return new Runner(
                        plan,
                        connection,
                        command,
                        pid,
                        kubelets,
                        metrics,
                        metricNames,
                        fresh,
                        recording,
                        progress,
                        interval)
                .run();
    }
}
