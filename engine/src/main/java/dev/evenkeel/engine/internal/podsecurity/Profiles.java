package dev.evenkeel.engine.internal.podsecurity;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Checks the profiles of AppArmor and SELinux. */
final class Profiles {
    /** The types of SELinux that pods may have; then those of Kubernetes 1.31. */
    static final Set<String> SELINUX_TYPES = Set.of("", "container_t", "container_init_t", "container_kvm_t");

    static final Set<String> SELINUX_TYPES_31 =
            Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

    private static final List<String> APP_ARMOR_TYPES = List.of("RuntimeDefault", "Localhost");

    private static final List<String> OTHERS = List.of("user", "role");

    private Profiles() {}

    /** Refuses to be without AppArmor, by fields or by the annotations that they have replaced. */
    static Optional<Violation> appArmor(CheckedPod pod) {
        List<String> annotations = pod.annotations().keySet().stream()
                .filter(key -> key.startsWith("container.apparmor.security.beta.kubernetes.io/"))
                .filter(key -> !confines(pod.annotations().string(key)))
                .map(key -> key + "=" + GoTypes.quoted(pod.annotations().string(key)))
                .sorted()
                .toList();
        List<String> setters = pod.setters(context -> !appArmor(context).isEmpty());
        if (!annotations.isEmpty()) {
            setters.add(Phrases.plural(annotations, "annotation"));
        }
        List<String> wrong = new ArrayList<>(pod.foundBy(Profiles::appArmor));
        wrong.addAll(annotations);
        return Violation.by(
                setters,
                Phrases.plural(wrong, "forbidden AppArmor profile"),
                all -> Phrases.setters(all) + " must not set AppArmor profile type to " + Phrases.quoted(wrong));
    }

    private static boolean confines(String annotation) {
        return List.of("", "runtime/default").contains(annotation) || annotation.startsWith("localhost/");
    }

    private static List<String> appArmor(JsonObject context) {
        return Phrases.other(context.at("appArmorProfile", "type"), APP_ARMOR_TYPES);
    }

    /** Refuses types of SELinux other than the allowed ones, and users and roles of its own. */
    static Optional<Violation> seLinux(CheckedPod pod, Set<String> allowed) {
        Function<JsonObject, List<String>> type =
                context -> Phrases.other(context.at("seLinuxOptions", "type"), allowed);
        return Violation.by(
                pod.setters(context ->
                        !type.apply(context).isEmpty() || OTHERS.stream().anyMatch(field -> sets(context, field))),
                "seLinuxOptions",
                setters -> {
                    List<String> wrong = new ArrayList<>(0);
                    Set<String> types = pod.foundBy(type);
                    if (!types.isEmpty()) {
                        wrong.add(Phrases.plural(types, "type") + " " + Phrases.quoted(types));
                    }
                    OTHERS.stream()
                            .filter(field -> !pod.setters(context -> sets(context, field))
                                    .isEmpty())
                            .forEach(field -> wrong.add(field + " may not be set"));
                    return Phrases.setters(setters) + " set forbidden securityContext.seLinuxOptions: "
                            + String.join("; ", wrong);
                });
    }

    private static boolean sets(JsonObject context, String field) {
        return !context.string("seLinuxOptions", field).isEmpty();
    }
}
