package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of pods and of the pods in templates: those that users are likely to break, in upstream's order. */
final class PodValidation {
    /** In the order in which upstream checks them: the first one is accepted, further ones are errors. */
    private static final List<String> SOURCES = words("emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore"
            + " secret nfs iscsi glusterfs flocker persistentVolumeClaim rbd cinder cephfs downwardAPI fc azureFile"
            + " configMap quobyte vsphereVolume photonPersistentDisk portworxVolume azureDisk storageos projected"
            + " scaleIO csi ephemeral image");

    private static final List<String> ENV_SOURCES =
            List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

    private PodValidation() {}

    private static List<String> words(String text) {
        return List.of(text.split(" ", -1));
    }

    /**
     * Validates any pod spec.
     *
     * @param claims names of volumes that its pods get in addition to its own
     */
    static void spec(Field spec, Set<String> claims) {
        Set<String> volumes = volumes(spec.at("volumes"));
        volumes.addAll(claims);
        if (spec.at("containers").array().isEmpty()) {
            spec.at("containers").missing();
        }
        Set<String> names = new HashSet<>();
        containers(spec.at("containers"), volumes, names);
        containers(spec.at("initContainers"), volumes, names);
        spec.at("restartPolicy").oneOf("Always", "OnFailure", "Never");
        spec.at("dnsPolicy").oneOf("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None");
        spec.at("nodeSelector").labels();
        spec.at("serviceAccountName").requireIfGiven(Names::subdomain);
        spec.at("nodeName").requireIfGiven(Names::subdomain);
        spec.at("activeDeadlineSeconds").between(1, Integer.MAX_VALUE);
        spec.at("hostname").requireIfGiven(Names::label);
        spec.at("subdomain").requireIfGiven(Names::label);
    }

    private static Set<String> volumes(Field volumes) {
        Set<String> names = new HashSet<>();
        for (Field volume : volumes.items()) {
            List<String> sources = SOURCES.stream().filter(volume.object()::has).toList();
            if (sources.isEmpty()) {
                volume.missing("must specify a volume type");
            }
            sources.stream()
                    .skip(1)
                    .forEach(source -> volume.at(source).forbidden("may not specify more than 1 volume type"));
            Field name = volume.at("name");
            if (name.require(Names::label)) {
                name.distinct(names);
            }
        }
        return names;
    }

    private static void containers(Field containers, Set<String> volumes, Set<String> names) {
        for (Field container : containers.items()) {
            Field name = container.at("name");
            name.require(Names::label);
            container(container, volumes);
            if (!name.text().isEmpty()) {
                name.distinct(names);
            }
        }
    }

    private static void container(Field container, Set<String> volumes) {
        Field image = container.at("image");
        if (image.require() && !image.text().strip().equals(image.text())) {
            image.invalid("must not have leading or trailing whitespace");
        }
        container.at("terminationMessagePolicy").oneOf("FallbackToLogsOnError", "File");
        Set<String> portNames = new HashSet<>();
        container.at("ports").items().forEach(port -> port(port, portNames));
        container.at("env").items().forEach(PodValidation::env);
        Set<String> paths = new HashSet<>();
        for (Field mount : container.at("volumeMounts").items()) {
            Field volume = mount.at("name");
            if (volume.require() && !volumes.contains(volume.text())) {
                volume.notFound();
            }
            Field path = mount.at("mountPath");
            if (path.require() && !paths.add(path.text())) {
                path.invalid("must be unique");
            }
        }
        container.at("imagePullPolicy").oneOf("Always", "IfNotPresent", "Never");
        resources(container.at("resources"));
    }

    private static void port(Field port, Set<String> names) {
        Field name = port.at("name");
        if (!name.text().isEmpty() && name.obeys(PodValidation::checkPortName)) {
            name.distinct(names);
        }
        if (port.at("containerPort").number() == 0) {
            port.at("containerPort").missing();
        } else {
            port.at("containerPort").port();
        }
        port.at("hostPort").port();
        port.at("protocol").oneOf("SCTP", "TCP", "UDP");
    }

    /** Checks the name of a port: an IANA service name. */
    static List<String> checkPortName(String name) {
        List<String> wrong = new ArrayList<>();
        if (name.length() > 15) {
            wrong.add("must be no more than 15 bytes");
        }
        if (!name.matches("[-a-z0-9]+")) {
            wrong.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (name.chars().noneMatch(c -> c >= 'a' && c <= 'z')) {
            wrong.add("must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            wrong.add("must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            wrong.add("must not begin or end with a hyphen");
        }
        return wrong;
    }

    private static void env(Field env) {
        Field name = env.at("name");
        if (name.require() && !name.text().chars().allMatch(c -> c >= 32 && c < 127 && c != '=')) {
            name.invalid(
                    "a valid environment variable name must consist only of printable ASCII characters other than '='");
        }
        Field from = env.at("valueFrom");
        if (!from.given()) {
            return;
        }
        long sources = ENV_SOURCES.stream().filter(from.object()::has).count();
        if (sources == 0) {
            from.invalid(
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                            + " `fileKeyRef`");
        } else if (!env.at("value").text().isEmpty()) {
            from.invalid("", "may not be specified when `value` is not empty");
        } else if (sources > 1) {
            from.invalid("", "may not have more than one field specified at a time");
        }
    }

    private static void resources(Field resources) {
        Field limits = resources.at("limits");
        limits.object().forEach((resource, value) -> amount(limits, resource, value, null));
        Field requests = resources.at("requests");
        requests.object()
                .forEach((resource, value) ->
                        amount(requests, resource, value, limits.object().get(resource)));
    }

    private static void amount(Field amounts, String resource, @Nullable Object value, @Nullable Object limit) {
        Quantity.read(String.valueOf(value)).ifPresent(amount -> {
            if (amount.value().signum() < 0) {
                amounts.entry(resource).invalid(amount.text(), "must be greater than or equal to 0");
            }
            Quantity.read(String.valueOf(limit))
                    .filter(most -> amount.compareTo(most) > 0)
                    .map(most -> "must be less than or equal to " + resource + " limit of " + most.text())
                    .ifPresent(detail -> amounts.invalid(value, detail));
        });
    }
}
