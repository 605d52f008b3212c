package dev.evenkeel.cli;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.Placement;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options of commands that run controllers: how they are run, and shared with other processes. */
final class FleetOptions {
    /** The placement of controllers. */
    enum Place {
        /** In one process, the leader. */
        leader,
        /** In all processes, each key in one. */
        sharded,
        /** In all processes, for all keys. */
        every
    }

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Option(
            names = "--leases",
            paramLabel = "NAMESPACE",
            description = "share the controllers with other processes through leases in this namespace")
    private @Nullable String leases;

    @Option(
            names = "--identity",
            paramLabel = "NAME",
            description = "identity of this process in leases; must be unique (default: host name and process id)")
    private String identity = host() + "-" + ProcessHandle.current().pid();

    @Option(
            names = "--placement",
            paramLabel = "PLACE",
            description = "placement of controllers: ${COMPLETION-CANDIDATES} (default: leader); requires --leases")
    private @Nullable Place placement;

    @Option(
            names = "--lease-duration",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = Durations.class,
            description =
                    "time after which the lease of a silent holder expires, in whole seconds, the same in all processes;"
                            + " the holder stops after two thirds of it (default: ${DEFAULT-VALUE})")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "2",
            description = "number of concurrent keys in each controller (default: ${DEFAULT-VALUE})")
    private int workers;

    @Option(
            names = "--endpoint",
            paramLabel = "PORT",
            description =
                    "serve /healthz, /readyz, /metrics, /dependencies and /explain/ on this loopback port; 0 selects"
                            + " a free one")
    private @Nullable Integer endpoint;

    private static String host() {
        try {
            String host = InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
            String name = host.replaceAll("[^a-z0-9-]", "-").replaceAll("^-+|-+$", "");
            return name.isEmpty() ? "host" : name;
        } catch (UnknownHostException e) {
            return "host";
        }
    }

    /** Returns the leases that processes share; empty when this one is alone. */
    Optional<Leases> leases() {
        if (leases == null) {
            if (placement == Place.leader || placement == Place.sharded) {
                throw refusal("--placement " + placement + " requires --leases NAMESPACE");
            }
            return Optional.empty();
        }
        try {
            Duration twice = duration.multipliedBy(2);
            Leases.Timing timing = new Leases.Timing(duration, twice.dividedBy(3), twice.dividedBy(15));
            return Optional.of(Leases.in(leases, identity).timing(timing));
        } catch (IllegalArgumentException e) {
            throw refusal("--lease-duration: " + e.getMessage());
        }
    }

    <T extends HasMetadata> Controller<T> withPlacement(Controller<T> controller) {
        if (workers < 1) {
            throw refusal("--workers must be at least 1: " + workers);
        }
        Placement chosen = switch (placement == null ? Place.leader : placement) {
            case leader -> Placement.leader();
            case sharded -> Placement.sharded();
            case every -> Placement.everyServer();
        };
        return controller.workers(workers).placement(chosen);
    }

    /** Returns the port for probes; empty for none. */
    Optional<Integer> endpoint() {
        return Optional.ofNullable(endpoint);
    }

    private CommandLine.ParameterException refusal(String message) {
        return new CommandLine.ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }
}
