package dev.evenkeel.engine.internal.podsecurity;

import java.util.List;
import java.util.Optional;

/** Checks that processes have no more rights than ordinary users, and cannot get them. */
final class Privileges {
    private static final String NON_ROOT = "runAsNonRoot";
    private static final String USER = "runAsUser";

    private Privileges() {}

    static Optional<Violation> privileged(CheckedPod pod) {
        return Violation.by(
                pod.namedBy(context -> context.bool("privileged")),
                "privileged",
                names -> Phrases.containers(names) + " must not set securityContext.privileged=true");
    }

    static Optional<Violation> escalation(CheckedPod pod) {
        return Violation.by(
                pod.namedBy(context -> !Boolean.FALSE.equals(context.at("allowPrivilegeEscalation"))),
                "allowPrivilegeEscalation != false",
                names -> Phrases.containers(names) + " must set securityContext.allowPrivilegeEscalation=false");
    }

    static Optional<Violation> root(CheckedPod pod) {
        List<String> setters = pod.setters(context -> Boolean.FALSE.equals(context.at(NON_ROOT)));
        if (!setters.isEmpty()) {
            return Optional.of(new Violation(
                    "runAsNonRoot != true",
                    Phrases.setters(setters) + " must not set securityContext.runAsNonRoot=false"));
        }
        return pod.context().bool(NON_ROOT)
                ? Optional.empty()
                : Violation.by(
                        pod.namedBy(context -> !context.has(NON_ROOT)),
                        "runAsNonRoot != true",
                        names -> "pod or " + Phrases.containers(names) + " must set securityContext.runAsNonRoot=true");
    }

    static Optional<Violation> userZero(CheckedPod pod) {
        return Violation.by(
                pod.setters(context -> context.has(USER) && context.integer(USER) == 0),
                "runAsUser=0",
                setters -> Phrases.setters(setters) + " must not set runAsUser=0");
    }
}
