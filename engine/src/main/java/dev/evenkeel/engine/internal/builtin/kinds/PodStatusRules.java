package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules of the status of a pod that changes, in upstream's order. */
final class PodStatusRules {
    private static final int LONGEST_MESSAGE = 1_024;
    private static final Set<String> SYSTEM = Set.of("PodScheduled", "Ready", "Initialized");

    private final Field root;
    private final Field status;
    private final JsonObject old;

    PodStatusRules(Field root, JsonObject old) {
        this.root = root;
        this.status = root.at("status");
        this.old = old;
    }

    void validate() {
        for (Field condition : status.at("conditions").items()) {
            generation(condition);
            Field type = condition.at("type");
            if (!SYSTEM.contains(type.text())) {
                condition.with("Type", type.value()).obeys(Names::qualified);
            }
        }
        Field nominated = status.at("nominatedNodeName");
        if (!nominated.text().equals(old.string("status", "nominatedNodeName"))) {
            nominated.requireIfGiven(Names::subdomain);
            if (!nominated.text().isEmpty() && !old.string("spec", "nodeName").isEmpty()) {
                nominated.forbidden("may not be set on pods that are already bound to a node");
            }
        }
        generation(status);
        Field quality = status.at("qosClass");
        if (!Objects.equals(quality.value(), old.at("status", "qosClass"))) {
            quality.invalid(quality.text(), Field.IMMUTABLE);
        }
        restarts("containerStatuses", "containers");
        restarts("initContainerStatuses", "initContainers");
        restarts("ephemeralContainerStatuses", "ephemeralContainers");
        claims();
        if (status.at("extendedResourceClaimStatus").given()) {
            extendedClaim(status.at("extendedResourceClaimStatus"));
        }
        addresses("podIPs", "core.v1.PodIP");
        if (!status.at("hostIPs").array().isEmpty()) {
            Field first = status.at("hostIPs").items().getFirst().at("ip");
            if (!status.at("hostIP").text().equals(first.text())) {
                first.invalid("must be equal to `hostIP`");
            }
            addresses("hostIPs", "core.v1.HostIP");
        }
        List<String> kinds = List.of("containers", "initContainers", "ephemeralContainers");
        kinds.forEach(kind -> status.at(statuses(kind)).items().forEach(this::user));
        kinds.forEach(kind -> status.at(statuses(kind)).items().forEach(container -> health(container, kind)));
    }

    private static String statuses(String kind) {
        return kind.replaceFirst("s$", "Statuses");
    }

    private static void generation(Field part) {
        if (part.at("observedGeneration").number() < 0) {
            part.at("observedGeneration").invalid("must be a non-negative integer");
        }
    }

    private void claims() {
        Set<String> known = root.object().objects("spec", "resourceClaims").stream()
                .map(claim -> claim.string("name"))
                .collect(Collectors.toSet());
        Set<String> seen = new HashSet<>();
        for (Field claim : status.at("resourceClaimStatuses").items()) {
            Field name = claim.at("name");
            if (!known.contains(name.text())) {
                name.invalid(name.text(), "must match the name of an entry in `spec.resourceClaims`");
            }
            name.distinct(seen);
            Field made = claim.at("resourceClaimName");
            if (made.given()) {
                Names.subdomain(made.text()).forEach(detail -> name.invalid(made.text(), detail));
            }
        }
    }

    /** Checks the claim that a scheduler made for extended resources: it maps requests that containers have. */
    private void extendedClaim(Field claim) {
        Field mappings = claim.at("requestMappings");
        if (mappings.array().isEmpty()) {
            mappings.missing("at least one request mapping is required");
        }
        Set<List<String>> seen = new HashSet<>();
        List<String> keys = List.of("containerName", "resourceName", "requestName");
        for (Field mapping : mappings.items()) {
            mapped(mapping);
            Field request = mapping.at("requestName");
            // upstream leaves out the index
            claim.with("requestName", request.value()).obeys(Names::label);
            if (!seen.add(keys.stream().map(key -> mapping.at(key).text()).toList())) {
                keys.forEach(key -> mapping.at(key).duplicate(mapping.at(key).text()));
            }
        }
        claim.at("resourceClaimName").require(Names::subdomain);
    }

    private void mapped(Field mapping) {
        Field name = mapping.at("containerName");
        Field resource = mapping.at("resourceName");
        JsonObject container = Stream.of("containers", "initContainers")
                .flatMap(kind -> root.object().objects("spec", kind).stream())
                .filter(other -> other.string("name").equals(name.text()))
                .findFirst()
                .orElse(null);
        if (container == null) {
            name.invalid(
                    name.text(), "must match the name of an entry in spec.initContainers.name or spec.containers.name");
        } else if (!container.object("resources", "requests").containsKey(resource.text())) {
            resource.invalid(
                    resource.text(),
                    "must match the extended resource name of an entry in spec.initContainers.resources.requests or"
                            + " spec.containers.resources.requests");
        }
    }

    private void user(Field container) {
        Field linux = container.with("linux", container.at("user", "linux").value());
        if (!linux.given()) {
            return;
        }
        if (root.at("spec", "os", "name").text().equals("windows")) {
            linux.forbidden("cannot be set for a windows pod");
            return;
        }
        linux.at("uid").between(0, Integer.MAX_VALUE);
        linux.at("gid").between(0, Integer.MAX_VALUE);
        linux.at("supplementalGroups").items().forEach(group -> group.between(0, Integer.MAX_VALUE));
    }

    /** Checks the health of devices that a container has: they are those that it asked for. */
    private void health(Field container, String kind) {
        Field allocated = container.at("allocatedResourcesStatus");
        if (kind.equals("ephemeralContainers")) {
            if (!allocated.array().isEmpty()) {
                allocated.forbidden("must not be specified in container status");
            }
            return;
        }
        JsonObject resources = root.object().objects("spec", kind).stream()
                .filter(other ->
                        other.string("name").equals(container.at("name").text()))
                .findFirst()
                .map(other -> other.object("resources"))
                .orElse(null);
        for (Field resource : allocated.items()) {
            String name = resource.at("name").text();
            boolean claim = name.startsWith("claim:");
            if (resources != null
                    && !(claim
                                    ? claimed(resources)
                                    : resources.object("requests").keySet())
                            .contains(name)) {
                resource.at("name")
                        .invalid(
                                name,
                                claim
                                        ? "must match one of the container's resource claims in a format"
                                                + " 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
                                        : "must match one of the container's resource requests");
            }
            Set<String> seen = new HashSet<>();
            for (Field device : resource.at("resources").items()) {
                device.at("health").oneOf("Healthy", "Unhealthy", "Unknown");
                Field message = device.at("message");
                if (message.given()
                        && message.require("must be non-empty if specified")
                        && Names.bytes(message.text()) > LONGEST_MESSAGE) {
                    message.tooLong(LONGEST_MESSAGE);
                }
                device.at("resourceID").distinct(seen);
            }
        }
    }

    private static Set<String> claimed(JsonObject resources) {
        return resources.objects("claims").stream()
                .map(claim -> "claim:" + claim.string("name")
                        + (claim.string("request").isEmpty() ? "" : "/" + claim.string("request")))
                .collect(Collectors.toSet());
    }

    /** A container that has ended and is not started again stays so, unless another one can restart all. */
    private void restarts(String statuses, String containers) {
        if (!containers.equals("ephemeralContainers") && restartsAll()) {
            return;
        }
        List<JsonObject> former = old.objects("status", statuses);
        for (int i = 0; i < former.size(); i++) {
            JsonObject was = former.get(i);
            String name = was.string("name");
            if (!was.has("state", "terminated")
                    || startsAgain(containers, name, was.integer("state", "terminated", "exitCode"))) {
                continue;
            }
            boolean runsAgain = root.object().objects("status", statuses).stream()
                    .anyMatch(now -> now.string("name").equals(name) && !now.has("state", "terminated"));
            if (runsAgain) {
                status.at(statuses)
                        .with("[" + i + "]", null)
                        .at("state")
                        .forbidden("may not be transitioned to non-terminated state");
            }
        }
    }

    private boolean restartsAll() {
        return Stream.of("containers", "initContainers")
                .flatMap(kind -> old.objects("spec", kind).stream())
                .flatMap(container -> container.objects("restartPolicyRules").stream())
                .anyMatch(rule -> rule.string("action").equals("RestartAllContainers"));
    }

    /** Returns whether a container that ended is started again: by its own rules and policy, else by that of the pod. */
    private boolean startsAgain(String containers, String name, long exitCode) {
        if (containers.equals("ephemeralContainers")) {
            return false;
        }
        JsonObject container = old.objects("spec", containers).stream()
                .filter(other -> other.string("name").equals(name))
                .findFirst()
                .orElse(null);
        if (container == null) {
            return false;
        }
        boolean own = container.has("restartPolicy");
        if (own && container.objects("restartPolicyRules").stream().anyMatch(rule -> restarts(rule, exitCode))) {
            return true;
        }
        return switch ((own ? container : old.object("spec")).string("restartPolicy")) {
            case "Never" -> false;
            case "OnFailure" -> exitCode != 0;
            default -> true;
        };
    }

    private static boolean restarts(JsonObject rule, long exitCode) {
        boolean listed = rule.array("exitCodes", "values").contains(exitCode);
        return rule.string("action").equals("Restart")
                && listed == rule.string("exitCodes", "operator").equals("In");
    }

    private void addresses(String list, String type) {
        Field addresses = status.at(list);
        List<Field> items = addresses.items();
        for (Field item : items) {
            String ip = item.at("ip").text();
            FormatRules.ip(ip).forEach(detail -> item.invalid(ip, detail));
        }
        List<String> texts = items.stream().map(item -> item.at("ip").text()).toList();
        Optional<String> malformed =
                texts.stream().filter(ip -> !FormatRules.isIp(ip)).findFirst();
        if (items.size() > 1) {
            malformed.ifPresent(ip -> addresses.internal(
                    "failed to check for dual stack with error:invalid IP[" + texts.indexOf(ip) + "]: " + ip));
        }
        long six = texts.stream().filter(ip -> ip.contains(":")).count();
        if (items.size() > 2 || (items.size() == 2 && (six != 1 || malformed.isPresent()))) {
            addresses.invalidText(
                    items.stream()
                            .map(item -> InternalForm.text(type, item.value()))
                            .collect(Collectors.joining(",", "[", "]")),
                    "may specify no more than one IP for each IP family");
        }
    }
}
