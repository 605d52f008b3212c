package dev.evenkeel.load.internal.run;

import dev.evenkeel.load.internal.drive.ControllerProcess;
import dev.evenkeel.load.internal.drive.Disruption;
import dev.evenkeel.load.internal.drive.Pace;
import dev.evenkeel.load.internal.measure.ClassHistogram;
import dev.evenkeel.load.internal.measure.Figure;
import dev.evenkeel.load.internal.measure.JvmMeter;
import dev.evenkeel.load.internal.measure.JvmRecording;
import dev.evenkeel.load.internal.measure.Meter;
import dev.evenkeel.load.internal.measure.MetricsMeter;
import dev.evenkeel.load.internal.measure.ProcessMeter;
import dev.evenkeel.load.internal.measure.ProcessReading;
import dev.evenkeel.load.internal.measure.Sampler;
import dev.evenkeel.load.internal.proxy.ApiProxy;
import dev.evenkeel.load.internal.proxy.Outage;
import dev.evenkeel.load.internal.proxy.Requests;
import dev.evenkeel.load.result.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A controller that is a process: one that the harness starts, or one that runs already. */
final class ProcessSubject implements Subject {
    private final Optional<ControllerProcess> process;
    private final OptionalLong pid;
    private final Optional<ApiProxy> proxy;
    private final Optional<MetricsMeter> metrics;
    private final Optional<Path> recording;
    private final Duration interval;
    private final Pace pace;
    private final List<String> problems = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private volatile Consumer<String> lines = line -> {};
    private @Nullable Sampler sampler;
    private volatile Optional<JvmMeter> jvm = Optional.empty();
    private Optional<JvmRecording> running = Optional.empty();
    private Optional<ProcessMeter> meter = Optional.empty();

    ProcessSubject(
            Optional<java.util.function.Function<Consumer<String>, ControllerProcess>> command,
            OptionalLong pid,
            Optional<ApiProxy> proxy,
            Optional<MetricsMeter> metrics,
            Optional<Path> recording,
            Duration interval,
            Pace pace) {
        this.process = command.map(started -> started.apply(line -> lines.accept(line)));
        this.pid = pid;
        this.proxy = proxy;
        this.metrics = metrics;
        this.recording = recording;
        this.interval = interval;
        this.pace = pace;
    }

    @Override
    public void output(Consumer<String> receiver) {
        lines = receiver;
    }

    @Override
    public void start() {
        process.ifPresent(ControllerProcess::start);
        long id = process.map(ControllerProcess::pid).orElseGet(() -> pid.orElse(0));
        List<Meter> meters = new ArrayList<>();
        if (id != 0) {
            meter = Optional.of(ProcessMeter.of(id));
            meters.add(ProcessMeter.of(id));
        }
        metrics.ifPresent(meters::add);
        meters.add(() -> jvm.isPresent() ? jvm.get().figures() : List.of());
        proxy.ifPresent(one -> meters.add(() -> figures(one.requests())));
        sampler = new Sampler(meters, interval, pace::nanos).start();
    }

    private static List<Figure> figures(Requests requests) {
        return List.of(
                Figure.level("requests.watches", "", requests.openWatches()),
                Figure.total("requests", "1/s", requests.count()));
    }

    @Override
    public void started() {
        // not before: a JVM that is still starting refuses, and ends by the signal
        long id = process.map(ControllerProcess::pid).orElseGet(() -> pid.orElse(0));
        if (id != 0) {
            jvm = JvmMeter.attach(id, problems::add);
        }
        jvm.filter(one -> recording.isPresent()).ifPresent(one -> {
            try {
                running = Optional.of(one.record());
            } catch (IOException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        });
    }

    @Override
    public Optional<Duration> cpu() {
        return meter.map(ProcessMeter::read)
                .map(reading -> reading.value(ProcessReading.Quantity.CPU))
                .filter(OptionalLong::isPresent)
                .map(nanos -> Duration.ofNanos(nanos.getAsLong()));
    }

    @Override
    public void stop() throws InterruptedException {
        closeMeters();
        if (process.isPresent() && process.get().isAlive()) {
            process.get().stop();
        }
    }

    private void closeMeters() {
        if (sampler != null) {
            sampler.close();
            series.addAll(sampler.series());
            problems.addAll(sampler.problems());
            sampler = null;
        }
        running.ifPresent(one -> {
            try {
                one.stop(recording.orElseThrow());
            } catch (IOException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        });
        running = Optional.empty();
        jvm.ifPresent(one -> {
            try {
                one.close();
            } catch (IOException e) {
                // the process has ended
            }
        });
        jvm = Optional.empty();
        meter = Optional.empty();
    }

    /** Returns the figures over time, of the time until the controller was stopped first. */
    List<Series> series() {
        return sampler == null ? List.copyOf(series) : sampler.series();
    }

    @Override
    public boolean isStarted() {
        return process.isPresent();
    }

    @Override
    public boolean isAlive() {
        return process.map(ControllerProcess::isAlive).orElse(true);
    }

    @Override
    public Counted counted() {
        return proxy.map(ApiProxy::requests).map(ProcessSubject::counted).orElse(Counted.UNKNOWN);
    }

    private static Counted counted(Requests requests) {
        return new Counted(requests.counts());
    }

    @Override
    public boolean isCounted() {
        return proxy.isPresent();
    }

    @Override
    public Disruption disruption() {
        return proxy.<Disruption>map(one -> new Disruption() {
                    @Override
                    public void cutWatches() {
                        int unused = one.cutWatches();
                    }

                    @Override
                    public void outage(Duration duration) throws InterruptedException {
                        one.outage(Outage.REFUSED);
                        try {
                            pace.until(pace.nanos() + duration.toNanos());
                        } finally {
                            one.outage(Outage.NONE);
                        }
                    }
                })
                .orElse(Disruption.NONE);
    }

    @Override
    public Optional<Retained> retained() {
        try {
            if (jvm.isPresent()) {
                ClassHistogram classes = jvm.get().retained();
                return Optional.of(new Retained(classes.bytes(), Optional.of(classes)));
            }
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
        return resident() == 0 ? Optional.empty() : Optional.of(new Retained(resident(), Optional.empty()));
    }

    @Override
    public long resident() {
        Sampler present = sampler;
        if (present == null) {
            return 0;
        }
        return present.series().stream()
                .filter(one ->
                        one.name().equals("process.resident") && !one.samples().isEmpty())
                .mapToLong(one -> (long) one.samples().getLast().value())
                .findFirst()
                .orElse(0);
    }

    @Override
    public String explanation() {
        return process.map(one -> "; its last output is:\n  " + String.join("\n  ", one.lastLines()))
                .orElse("");
    }

    @Override
    public List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    public void close() {
        closeMeters();
        process.ifPresent(ControllerProcess::close);
    }
}
