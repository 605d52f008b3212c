package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Checks that pods share nothing with their node. */
final class HostAccess {
    private static final List<List<String>> HANDLERS = List.of(
            List.of("livenessProbe"),
            List.of("readinessProbe"),
            List.of("startupProbe"),
            List.of("lifecycle", "postStart"),
            List.of("lifecycle", "preStop"));

    private HostAccess() {}

    static Optional<Violation> namespaces(CheckedPod pod) {
        List<String> shared = Stream.of("hostNetwork", "hostPID", "hostIPC")
                .filter(field -> pod.spec().bool(field))
                .map(field -> field + "=true")
                .toList();
        return Violation.by(shared, "host namespaces", all -> String.join(", ", all));
    }

    static Optional<Violation> ports(CheckedPod pod) {
        Set<String> ports = pod.found(HostAccess::ports);
        return Violation.by(
                pod.named(container -> !ports(container).isEmpty()),
                "hostPort",
                names -> Phrases.containers(names) + " " + Phrases.plural(names, "uses", "use") + " "
                        + Phrases.plural(ports, "hostPort") + " " + String.join(", ", ports));
    }

    private static List<String> ports(JsonObject container) {
        return container.objects("ports").stream()
                .map(port -> port.integer("hostPort"))
                .filter(port -> port != 0)
                .map(String::valueOf)
                .toList();
    }

    /** Refuses probes and handlers of the lifecycle that call other hosts than their pod. */
    static Optional<Violation> probes(CheckedPod pod) {
        Set<String> hosts = pod.found(HostAccess::hosts);
        return Violation.by(
                new TreeSet<>(pod.named(container -> !hosts(container).isEmpty())),
                "probe or lifecycle host",
                names -> Phrases.containers(names) + " " + Phrases.plural(names, "uses", "use") + " "
                        + Phrases.plural(hosts, "probe or lifecycle host") + " " + Phrases.quoted(hosts));
    }

    private static List<String> hosts(JsonObject container) {
        return HANDLERS.stream()
                .map(path -> container.object(path.toArray(String[]::new)))
                .flatMap(handler -> Stream.of("httpGet", "tcpSocket").map(kind -> handler.string(kind, "host")))
                .filter(host -> !host.isEmpty())
                .toList();
    }

    static Optional<Violation> windowsProcess(CheckedPod pod) {
        return Violation.by(
                pod.setters(context -> context.bool("windowsOptions", "hostProcess")),
                "hostProcess",
                setters -> Phrases.setters(setters) + " must not set securityContext.windowsOptions.hostProcess=true");
    }
}
