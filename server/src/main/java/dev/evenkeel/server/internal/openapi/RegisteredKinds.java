package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The kinds as which built-in definitions are registered. */
final class RegisteredKinds {
    /** Definitions that are a kind of every version of every group. */
    private static final Set<String> EVERYWHERE =
            Set.of(OpenApiSchemas.META + "DeleteOptions", OpenApiSchemas.META + "WatchEvent");

    /** All groups with their versions, those included that are not served any more. */
    private static final List<String> VERSIONS = Stream.of("""
            /v1
            admissionregistration.k8s.io/v1 v1alpha1 v1beta1
            apps/v1 v1beta1 v1beta2
            authentication.k8s.io/v1 v1alpha1 v1beta1
            authorization.k8s.io/v1 v1beta1
            autoscaling/v1 v2
            batch/v1 v1beta1
            certificates.k8s.io/v1 v1alpha1 v1beta1
            coordination.k8s.io/v1 v1alpha2 v1beta1
            discovery.k8s.io/v1 v1beta1
            events.k8s.io/v1 v1beta1
            extensions/v1beta1
            flowcontrol.apiserver.k8s.io/v1 v1beta1 v1beta2 v1beta3
            internal.apiserver.k8s.io/v1alpha1
            networking.k8s.io/v1 v1beta1
            node.k8s.io/v1 v1alpha1 v1beta1
            policy/v1 v1beta1
            rbac.authorization.k8s.io/v1 v1alpha1 v1beta1
            resource.k8s.io/v1 v1alpha3 v1beta1 v1beta2
            scheduling.k8s.io/v1 v1alpha2 v1beta1
            storage.k8s.io/v1 v1alpha1 v1beta1
            storagemigration.k8s.io/v1beta1
            """.split("\n", -1))
            .filter(line -> !line.isEmpty())
            .flatMap(line -> {
                String[] parts = line.split("/", 2);
                return Stream.of(parts[1].split(" ", -1)).map(version -> parts[0] + "/" + version);
            })
            .toList();

    private RegisteredKinds() {}

    /** Returns the kinds of a definition, sorted, each with its group and version; none where it is only part of kinds. */
    static List<JsonObject> of(String definition) {
        Stream<String> kinds = EVERYWHERE.contains(definition)
                ? VERSIONS.stream()
                        .map(version -> version
                                + definition
                                        .substring(definition.lastIndexOf('.'))
                                        .replace('.', '/'))
                : BuiltinTypes.kinds(definition).stream().sorted(Comparator.naturalOrder());
        return kinds.map(kind -> {
                    String[] parts = kind.split("/", 3);
                    return JsonObject.of("group", parts[0], "version", parts[1], "kind", parts[2]);
                })
                .toList();
    }
}
