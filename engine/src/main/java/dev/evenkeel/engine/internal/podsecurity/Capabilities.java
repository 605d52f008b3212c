package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks the capabilities of Linux that containers have. */
final class Capabilities {
    private static final String PORTS = "NET_BIND_SERVICE";
    private static final Set<String> DEFAULTS = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            PORTS,
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");

    private Capabilities() {}

    /** Refuses capabilities that container runtimes do not give by default. */
    static Optional<Violation> defaults(CheckedPod pod) {
        return Violation.by(added(pod, DEFAULTS), "non-default capabilities", List::getFirst);
    }

    /** Refuses all capabilities except that of listening on low ports, even default ones. */
    static Optional<Violation> dropped(CheckedPod pod) {
        List<String> details = new ArrayList<>(0);
        List<String> keeping =
                pod.namedBy(context -> !context.strings("capabilities", "drop").contains("ALL"));
        if (!keeping.isEmpty()) {
            details.add(Phrases.containers(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
        }
        details.addAll(added(pod, Set.of(PORTS)));
        return Violation.by(details, "unrestricted capabilities", all -> String.join("; ", all));
    }

    /** Returns which containers add capabilities other than the allowed ones, as one text; none when none does. */
    private static List<String> added(CheckedPod pod, Set<String> allowed) {
        List<String> names = pod.namedBy(context -> !added(context, allowed).isEmpty());
        return names.isEmpty()
                ? List.of()
                : List.of(Phrases.containers(names) + " must not include "
                        + Phrases.quoted(pod.foundBy(context -> added(context, allowed)))
                        + " in securityContext.capabilities.add");
    }

    private static List<String> added(JsonObject context, Set<String> allowed) {
        return context.strings("capabilities", "add").stream()
                .filter(capability -> !allowed.contains(capability))
                .toList();
    }
}
