package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of references to fields and resources of a pod, in environment variables and volumes. */
final class FieldReferences {
    static final List<String> IN_VARIABLES = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");
    static final List<String> IN_VOLUMES =
            List.of("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid");

    private static final Set<String> LABELS = Set.of(
            "metadata.annotations",
            "metadata.labels",
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.serviceAccountName",
            "spec.schedulerName",
            "spec.host",
            "status.phase",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");
    private static final List<String> RESOURCES = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");
    private static final Set<String> SIZES =
            Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
    private static final Pattern SUBSCRIPT = Pattern.compile("(.*)\\['(.*)'\\]");

    private FieldReferences() {}

    /** Validates a reference to a field of the pod. */
    static void object(Field reference, List<String> supported) {
        Field version = reference.at("apiVersion");
        Field path = reference.at("fieldPath");
        if (!version.require() || !path.require()) {
            return;
        }
        Matcher subscript = SUBSCRIPT.matcher(path.text());
        boolean subscripted = subscript.matches();
        String base = subscripted ? subscript.group(1) : path.text();
        if (!version.text().equals("v1")) {
            unreadable(path, "unsupported pod version: " + version.text());
        } else if (subscripted && !base.equals("metadata.annotations") && !base.equals("metadata.labels")) {
            unreadable(path, "field label does not support subscript: " + path.text());
        } else if (subscripted) {
            String key = subscript.group(2);
            String name = base.equals("metadata.annotations") ? key.toLowerCase(Locale.ROOT) : key;
            Names.qualified(name).forEach(detail -> reference.invalid(name, detail));
        } else if (!LABELS.contains(base)) {
            unreadable(path, "field label not supported: " + base);
        } else {
            String internal = base.equals("spec.host") ? "spec.nodeName" : base;
            if (!supported.contains(internal)) {
                path.notSupported(internal, supported);
            }
        }
    }

    private static void unreadable(Field path, String reason) {
        path.invalid("error converting fieldPath: " + reason);
    }

    /** Validates a reference to a resource of a container. */
    static void resource(Field reference, boolean inVolume) {
        Field resource = reference.at("resource");
        String name = resource.text();
        boolean hugePages = name.startsWith("requests.hugepages-") || name.startsWith("limits.hugepages-");
        if (inVolume && reference.at("containerName").text().isEmpty()) {
            reference.at("containerName").missing();
        } else if (name.isEmpty()) {
            resource.missing();
        } else if (!RESOURCES.contains(name) && !hugePages) {
            resource.notSupported(name, RESOURCES);
        }
        Field divisor = reference.at("divisor");
        FormatRules.quantity(divisor)
                .filter(value -> value.value().signum() != 0)
                .ifPresent(value -> {
                    boolean size = SIZES.contains(value.text());
                    if (name.endsWith(".cpu") && !Set.of("1m", "1").contains(value.text())) {
                        divisor.invalid(name, "only divisor's values 1m and 1 are supported with the cpu resource");
                    } else if (name.endsWith(".memory") && !size) {
                        sizes(divisor, name, "memory");
                    } else if (name.endsWith(".ephemeral-storage") && !size) {
                        sizes(divisor, name, "local ephemeral storage");
                    } else if (hugePages && !size) {
                        sizes(divisor, name, "hugepages");
                    }
                });
    }

    private static void sizes(Field divisor, String name, String kind) {
        divisor.invalid(
                name,
                "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the "
                        + kind + " resource");
    }
}
