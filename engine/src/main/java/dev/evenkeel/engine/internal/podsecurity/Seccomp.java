package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks the filters of system calls. */
final class Seccomp {
    private static final String REASON = "seccompProfile";
    private static final List<String> ALLOWED = List.of("Localhost", "RuntimeDefault");

    private Seccomp() {}

    /** Refuses annotations that turn the filter off, which fields have replaced in Kubernetes 1.19. */
    static Optional<Violation> annotations(CheckedPod pod) {
        Stream<String> keys = Stream.concat(
                Stream.of("seccomp.security.alpha.kubernetes.io/pod"),
                pod.named(container -> true).stream()
                        .map(name -> "container.seccomp.security.alpha.kubernetes.io/" + name));
        Set<String> forbidden = keys.filter(pod.annotations()::containsKey)
                .filter(key -> !filters(pod.annotations().string(key)))
                .map(key -> key + "=" + GoTypes.quoted(pod.annotations().string(key)))
                .collect(Collectors.toCollection(TreeSet::new));
        return Violation.by(
                forbidden,
                REASON,
                all -> "forbidden " + Phrases.plural(all, "annotation") + " " + String.join(", ", all));
    }

    private static boolean filters(String annotation) {
        return List.of("runtime/default", "docker/default").contains(annotation) || annotation.startsWith("localhost/");
    }

    /** Refuses profiles that filter nothing. */
    static Optional<Violation> allowed(CheckedPod pod) {
        return Violation.by(
                pod.setters(context -> !wrong(context).isEmpty()),
                REASON,
                setters -> Phrases.setters(setters) + " must not set securityContext.seccompProfile.type to "
                        + Phrases.quoted(pod.foundBy(Seccomp::wrong)));
    }

    private static List<String> wrong(JsonObject context) {
        return Phrases.other(context.at("seccompProfile", "type"), ALLOWED);
    }

    /** Refuses profiles that filter nothing, and containers without a profile. */
    static Optional<Violation> required(CheckedPod pod) {
        Optional<Violation> wrong = allowed(pod);
        if (wrong.isPresent() || has(pod.context())) {
            return wrong;
        }
        return Violation.by(
                pod.namedBy(context -> !has(context)),
                REASON,
                names -> "pod or " + Phrases.containers(names)
                        + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\"");
    }

    private static boolean has(JsonObject context) {
        return context.has("seccompProfile");
    }
}
