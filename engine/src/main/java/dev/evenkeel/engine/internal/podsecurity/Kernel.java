package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks how pods see the kernel of their node. */
final class Kernel {
    /** The parameters that pods may set, as they concern no other pod; then those that versions have added. */
    static final Set<String> SYSCTLS = Set.of(
            "kernel.shm_rmid_forced",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.ping_group_range",
            "net.ipv4.ip_unprivileged_port_start");

    static final Set<String> SYSCTLS_27 = with(SYSCTLS, "net.ipv4.ip_local_reserved_ports");
    static final Set<String> SYSCTLS_29 = with(
            SYSCTLS_27,
            "net.ipv4.tcp_keepalive_time",
            "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl",
            "net.ipv4.tcp_keepalive_probes");
    static final Set<String> SYSCTLS_32 = with(SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");

    private Kernel() {}

    private static Set<String> with(Set<String> allowed, String... more) {
        return Stream.concat(allowed.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
    }

    static Optional<Violation> procMount(CheckedPod pod) {
        return Violation.by(
                pod.namedBy(context -> !procMount(context).isEmpty()),
                "procMount",
                names -> Phrases.containers(names) + " must not set securityContext.procMount to "
                        + Phrases.quoted(pod.foundBy(Kernel::procMount)));
    }

    private static List<String> procMount(JsonObject context) {
        return Phrases.other(context.at("procMount"), List.of("Default"));
    }

    static Optional<Violation> sysctls(CheckedPod pod, Set<String> allowed) {
        List<String> forbidden = pod.context().objects("sysctls").stream()
                .map(sysctl -> sysctl.string("name"))
                .filter(name -> !allowed.contains(name))
                .toList();
        return Violation.by(forbidden, "forbidden sysctls", all -> String.join(", ", all));
    }
}
