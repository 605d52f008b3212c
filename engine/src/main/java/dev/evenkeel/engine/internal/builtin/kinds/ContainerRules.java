package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Rules of the containers of a pod, in upstream's order. */
final class ContainerRules {
    private static final List<String> ENV_SOURCES =
            List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final int MOST_EXIT_CODES = 255;
    private static final List<String> NOT_EPHEMERAL = List.of(
            "ports",
            "resources",
            "resizePolicy",
            "restartPolicy",
            "restartPolicyRules",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle");

    private final Field spec;
    private final Map<String, JsonObject> volumes;
    private final Set<String> claims;
    private final boolean hostUsers;
    /** True if an init container was restarted at a resize before that was refused. */
    private final boolean restarted;

    /**
     * The rules of the containers of a pod.
     *
     * @param volumes the valid volumes by name
     * @param old the specification of the pod before; empty when it is new
     */
    ContainerRules(Field spec, Map<String, JsonObject> volumes, JsonObject old) {
        this.spec = spec;
        this.volumes = volumes;
        this.restarted = old.objects("initContainers").stream().anyMatch(ContainerRules::isRestarted);
        this.claims = spec.at("resourceClaims").items().stream()
                .map(claim -> claim.at("name").text())
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
        this.hostUsers = !Boolean.FALSE.equals(spec.at("hostUsers").value());
    }

    /** Validates the containers of all kinds. */
    void validate() {
        containers(spec.at("containers"));
        initContainers(spec.at("initContainers"));
        ephemeralContainers(spec.at("ephemeralContainers"));
    }

    private void containers(Field containers) {
        if (containers.array().isEmpty()) {
            containers.missing();
            return;
        }
        Set<String> names = new HashSet<>();
        for (Field container : containers.items()) {
            common(container);
            if (!names.add(container.at("name").text())) {
                container.at("name").duplicate(container.at("name").text());
            }
            lifecycle(container);
            restartPolicy(container);
        }
        hostPorts(containers.items());
    }

    private void initContainers(Field containers) {
        Set<String> names = names(spec.at("containers"));
        for (Field container : containers.items()) {
            common(container);
            restartPolicy(container);
            Field name = container.at("name");
            if (!names.add(name.text()) && !name.text().isEmpty()) {
                name.duplicate(name.text());
            }
            // upstream checks the ports of each init container on its own, as those of a first one
            hostPorts(List.of(containers.with("[0]", container.value())));
            if (container.at("restartPolicy").text().equals("Always")) {
                lifecycle(container);
            } else {
                for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
                    if (container.at(field).given()) {
                        container
                                .at(field)
                                .forbidden("may not be set for init containers without restartPolicy=Always");
                    }
                }
                resizes(container);
            }
        }
    }

    /** Requires that an init container that ends is not restarted at a resize. */
    private void resizes(Field container) {
        for (Field policy : container.at("resizePolicy").items()) {
            Field restart = policy.at("restartPolicy");
            if (!restarted && restart.text().equals("RestartContainer")) {
                restart.invalid("must not be set to 'RestartContainer' for non-sidecar initContainers");
            }
        }
    }

    private static boolean isRestarted(JsonObject container) {
        return !container.string("restartPolicy").equals("Always")
                && container.objects("resizePolicy").stream()
                        .anyMatch(policy -> policy.string("restartPolicy").equals("RestartContainer"));
    }

    private void ephemeralContainers(Field containers) {
        Set<String> targets = names(spec.at("containers"));
        targets.addAll(names(spec.at("initContainers")));
        Set<String> names = new HashSet<>(targets);
        for (Field container : containers.items()) {
            common(container);
            PodRules.imageText(container);
            Field name = container.at("name");
            if (!names.add(name.text())) {
                name.duplicate(name.text());
            }
            Field target = container.at("targetContainerName");
            if (!target.text().isEmpty() && !targets.contains(target.text())) {
                target.notFound();
            }
            String detail = "cannot be set for an Ephemeral Container";
            for (String field : NOT_EPHEMERAL) {
                Field given = container.at(field);
                boolean empty =
                        given.value() instanceof JsonObject object && object.isEmpty() && field.equals("resources");
                if (given.given() && !empty) {
                    given.forbidden(detail);
                }
            }
            for (Field mount : container.at("volumeMounts").items()) {
                for (String field : List.of("subPath", "subPathExpr")) {
                    if (!mount.at(field).text().isEmpty()) {
                        mount.at(field).forbidden(detail);
                    }
                }
            }
        }
    }

    private static Set<String> names(Field containers) {
        return containers.items().stream()
                .map(container -> container.at("name").text())
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static void restartPolicy(Field container) {
        Field policy = container.at("restartPolicy");
        SecurityContextRules.oneOfIfPresent(policy, "Always", "Never", "OnFailure");
        Field rules = container.at("restartPolicyRules");
        if (!rules.array().isEmpty() && !policy.given()) {
            policy.missing("must specify restartPolicy when restart rules are used");
        }
        if (rules.array().size() > 20) {
            rules.tooMany(rules.array().size(), 20);
        }
        for (Field rule : rules.items()) {
            rule.at("action").oneOf("Restart", "RestartAllContainers");
            Field codes = rule.at("exitCodes");
            if (!codes.given()) {
                codes.missing("must be specified");
                continue;
            }
            codes.at("operator").oneOf("In", "NotIn");
            int values = codes.at("values").array().size();
            if (values > MOST_EXIT_CODES) {
                codes.at("values").tooMany(values, MOST_EXIT_CODES);
            }
        }
    }

    private void common(Field container) {
        container.at("name").require(Names::label);
        container.at("image").require();
        Field termination = container.at("terminationMessagePolicy");
        if (termination.require()) {
            termination.oneOf("File", "FallbackToLogsOnError");
        }
        ports(container.at("ports"));
        container.at("env").items().forEach(ContainerRules::variable);
        container.at("envFrom").items().forEach(source -> variables(container.at("envFrom"), source));
        mounts(container);
        devices(container);
        Field pull = container.at("imagePullPolicy");
        if (pull.require()) {
            pull.oneOf("Always", "IfNotPresent", "Never");
        }
        ResourceRules.container(container.at("resources"), claims);
        resizePolicy(container.at("resizePolicy"));
        SecurityContextRules.container(container.at("securityContext"), hostUsers);
    }

    private static void ports(Field ports) {
        Set<String> names = new HashSet<>();
        for (Field port : ports.items()) {
            Field name = port.at("name");
            if (!name.text().isEmpty() && name.obeys(FormatRules::portName)) {
                name.distinct(names);
            }
            if (port.at("containerPort").number() == 0) {
                port.at("containerPort").missing();
            } else {
                port.at("containerPort").port();
            }
            if (port.at("hostPort").number() != 0) {
                port.at("hostPort").port();
            }
            Field protocol = port.at("protocol");
            if (protocol.require()) {
                protocol.oneOf("SCTP", "TCP", "UDP");
            }
        }
    }

    private static void hostPorts(List<Field> containers) {
        Set<String> seen = new HashSet<>();
        for (Field container : containers) {
            for (Field port : container.at("ports").items()) {
                Field hostPort = port.at("hostPort");
                String key =
                        port.at("protocol").text() + "/" + port.at("hostIP").text() + "/" + hostPort.number();
                if (hostPort.number() != 0 && !seen.add(key)) {
                    hostPort.duplicate(key);
                }
            }
        }
    }

    private static void variable(Field variable) {
        variable.at("name").require(FormatRules::environmentName);
        Field from = variable.at("valueFrom");
        if (!from.given()) {
            return;
        }
        if (from.at("fieldRef").given()) {
            FieldReferences.object(from.at("fieldRef"), FieldReferences.IN_VARIABLES);
        }
        if (from.at("resourceFieldRef").given()) {
            FieldReferences.resource(from.at("resourceFieldRef"), false);
        }
        for (String source : List.of("configMapKeyRef", "secretKeyRef")) {
            if (from.at(source).given()) {
                from.at(source, "name").obeys(Names::subdomain);
                from.at(source, "key").require(FormatRules::dataKey);
            }
        }
        Field file = from.at("fileKeyRef");
        if (file.given()) {
            file.at("key").require(FormatRules::environmentName);
            file.at("volumeName").require(Names::label);
            if (file.at("path").require()) {
                FormatRules.noBacksteps(file.at("path"), file.at("path").text());
            }
        }
        long sources =
                ENV_SOURCES.stream().filter(source -> from.at(source).given()).count();
        if (sources == 0) {
            from.invalid(
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
                            + " `fileKeyRef`");
        } else if (!variable.at("value").text().isEmpty()) {
            from.invalid("", "may not be specified when `value` is not empty");
        } else if (sources > 1) {
            from.invalid("", "may not have more than one field specified at a time");
        }
    }

    private static void variables(Field all, Field source) {
        source.at("prefix").requireIfGiven(FormatRules::environmentName);
        long sources = 0;
        for (String kind : List.of("configMapRef", "secretRef")) {
            if (source.at(kind).given()) {
                sources++;
                source.at(kind, "name").require((Function<String, List<String>>)
                        name -> Names.checkPrefix(ResourceType.Names.SUBDOMAIN, name));
            }
        }
        if (sources == 0) {
            all.invalid("", "must specify one of: `configMapRef` or `secretRef`");
        } else if (sources > 1) {
            all.invalid("", "may not have more than one field specified at a time");
        }
    }

    private void mounts(Field container) {
        Field mounts = container.at("volumeMounts");
        List<Field> devices = container.at("volumeDevices").items();
        Set<String> paths = new HashSet<>();
        for (Field mount : mounts.items()) {
            Field name = mount.at("name");
            Field path = mount.at("mountPath");
            name.require();
            if (!volumes.containsKey(name.text())) {
                name.notFound(name.text(), "");
            }
            path.require();
            if (!paths.add(path.text())) {
                path.invalid(path.text(), "must be unique");
            }
            if (any(devices, "name", name.text())) {
                name.invalid("must not already exist in volumeDevices");
            }
            if (any(devices, "devicePath", path.text())) {
                path.invalid("must not already exist as a path in volumeDevices");
            }
            subPaths(mounts, mount);
            propagation(mounts, mount, container);
        }
    }

    private static void subPaths(Field mounts, Field mount) {
        String subPath = mount.at("subPath").text();
        String expression = mount.at("subPathExpr").text();
        if (!subPath.isEmpty()) {
            FormatRules.relativePath(mounts.at("subPath"), subPath);
        }
        if (!expression.isEmpty()) {
            if (!subPath.isEmpty()) {
                mount.at("subPathExpr").invalid("subPathExpr and subPath are mutually exclusive");
            }
            FormatRules.relativePath(mounts.at("subPathExpr"), expression);
        }
    }

    private static void propagation(Field mounts, Field mount, Field container) {
        Field propagation =
                mounts.with("mountPropagation", mount.at("mountPropagation").value());
        SecurityContextRules.oneOfIfPresent(propagation, "Bidirectional", "HostToContainer", "None");
        if (propagation.text().equals("Bidirectional")
                && !SecurityContextRules.isTrue(container.at("securityContext", "privileged"))) {
            propagation.forbidden("Bidirectional mount propagation is available only to privileged containers");
        }
        Field readOnly =
                mounts.with("recursiveReadOnly", mount.at("recursiveReadOnly").value());
        switch (readOnly.text()) {
            case "Enabled", "IfPossible" -> {
                if (!SecurityContextRules.isTrue(mount.at("readOnly"))) {
                    readOnly.forbidden("may only be specified when readOnly is true");
                }
                if (propagation.given() && !propagation.text().equals("None")) {
                    readOnly.forbidden("may only be specified when mountPropagation is None or not specified");
                }
            }
            default -> SecurityContextRules.oneOfIfPresent(readOnly, "Disabled", "Enabled", "IfPossible");
        }
    }

    private static boolean any(List<Field> items, String key, String text) {
        return items.stream().anyMatch(item -> item.at(key).text().equals(text));
    }

    private void devices(Field container) {
        List<Field> mounts = container.at("volumeMounts").items();
        Set<String> names = new HashSet<>();
        Set<String> paths = new HashSet<>();
        for (Field device : container.at("volumeDevices").items()) {
            Field name = device.at("name");
            Field path = device.at("devicePath");
            name.require();
            if (names.contains(name.text())) {
                name.invalid("must be unique");
            }
            JsonObject volume = volumes.get(name.text());
            if (volume == null) {
                name.notFound(name.text(), "");
            } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
                name.invalid("can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
            }
            path.require();
            if (paths.contains(path.text())) {
                path.invalid(path.text(), "must be unique");
            }
            if (!path.text().isEmpty() && FormatRules.hasBacksteps(path.text())) {
                path.invalid("can not contain backsteps ('..')");
            } else {
                paths.add(path.text());
            }
            if (any(mounts, "name", name.text())) {
                name.invalid("must not already exist in volumeMounts");
            }
            if (any(mounts, "mountPath", path.text())) {
                path.invalid("must not already exist as a path in volumeMounts");
            }
            if (!name.text().isEmpty()) {
                names.add(name.text());
            }
        }
    }

    private void resizePolicy(Field policies) {
        Set<String> seen = new HashSet<>();
        for (Field policy : policies.items()) {
            String resource = policy.at("resourceName").text();
            String restart = policy.at("restartPolicy").text();
            if (!seen.add(resource)) {
                policy.duplicate(resource);
            }
            oneOf(policies, resource, "cpu", "memory");
            oneOf(policies, restart, "NotRequired", "RestartContainer");
            if (spec.at("restartPolicy").text().equals("Never") && !restart.equals("NotRequired")) {
                policies.invalid(restart, "must be 'NotRequired' when `restartPolicy` is 'Never'");
            }
        }
    }

    private static void oneOf(Field shown, String text, String... allowed) {
        if (text.isEmpty()) {
            shown.missing();
        } else if (!List.of(allowed).contains(text)) {
            shown.notSupported(text, List.of(allowed));
        }
    }

    private void lifecycle(Field container) {
        for (String hook : List.of("postStart", "preStop")) {
            Field handler = container.at("lifecycle", hook);
            if (handler.given()) {
                handler(handler, List.of("exec", "httpGet", "tcpSocket", "sleep"));
            }
        }
        for (String name : PROBES) {
            Field probe = container.at(name);
            if (probe.given()) {
                probe(probe, name);
            }
        }
    }

    private void probe(Field probe, String name) {
        handler(probe, List.of("exec", "httpGet", "tcpSocket", "grpc"));
        for (String number : List.of(
                "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")) {
            probe.at(number).notNegative();
        }
        Field grace = probe.at("terminationGracePeriodSeconds");
        grace.positive();
        if (name.equals("readinessProbe")) {
            if (grace.given()) {
                grace.invalid("must not be set for readinessProbes");
            }
        } else if (probe.at("successThreshold").number() != 1) {
            probe.at("successThreshold").invalid(probe.at("successThreshold").number(), "must be 1");
        }
    }

    private void handler(Field handler, List<String> kinds) {
        List<String> given =
                kinds.stream().filter(kind -> handler.at(kind).given()).toList();
        if (given.isEmpty()) {
            handler.missing("must specify a handler type");
            return;
        }
        Field action = handler.at(given.getFirst());
        switch (given.getFirst()) {
            case "exec" -> {
                if (action.at("command").array().isEmpty()) {
                    action.at("command").missing();
                }
            }
            case "httpGet" -> httpGet(action);
            case "sleep" -> sleep(action);
            default -> FormatRules.portOrName(action.at("port"));
        }
        given.stream().skip(1).forEach(kind -> handler.at(kind).forbidden("may not specify more than 1 handler type"));
    }

    private static void httpGet(Field action) {
        action.at("path").require();
        FormatRules.portOrName(action.at("port"));
        action.at("scheme").oneOf("HTTP", "HTTPS");
        for (Field header : action.at("httpHeaders").items()) {
            String name = header.at("name").text();
            if (!name.matches("[-A-Za-z0-9]+")) {
                action.at("httpHeaders")
                        .invalid(
                                name,
                                "a valid HTTP header must consist of alphanumeric characters or '-' (e.g."
                                        + " 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')");
            }
        }
    }

    private void sleep(Field action) {
        Field grace = spec.at("terminationGracePeriodSeconds");
        long seconds = action.at("seconds").number();
        if (grace.given() && (seconds < 0 || seconds > grace.number())) {
            action.invalid(
                    seconds,
                    "must be non-negative and less than terminationGracePeriodSeconds (" + grace.number() + ")");
        }
    }
}
