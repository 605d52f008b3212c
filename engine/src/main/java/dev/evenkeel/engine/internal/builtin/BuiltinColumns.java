package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cells that tables show for built-in kinds, in the order of the type's columns.
 *
 * <p>Objects must be in the form in which they are answered, normalised and defaulted. Cells are JSON values; what a kind
 * does not have is shown as upstream shows it ({@code <none>}, {@code <unset>}, {@code <unknown>}, empty).
 */
public final class BuiltinColumns {
    private static final String NONE = "<none>";
    private static final String UNSET = "<unset>";
    private static final String UNKNOWN = "<unknown>";

    private BuiltinColumns() {}

    /**
     * The cells of an object.
     *
     * @param id the resource, such as {@code deployments.apps}
     * @param tree the object, not changed
     * @param now against which ages count
     */
    public static List<@Nullable Object> cells(String id, Map<String, @Nullable Object> tree, Instant now) {
        return cellsOf(id, tree, now);
    }

    /** A switch rather than a map of functions: nothing to be made before the first table. */
    private static List<@Nullable Object> cellsOf(String id, Map<String, @Nullable Object> o, Instant now) {
        return switch (id) {
            case "namespaces" -> row(name(o), text(o, "status", "phase"), age(o, now));
            case "configmaps" -> row(name(o), size(o, "data") + size(o, "binaryData"), age(o, now));
            case "secrets" -> row(name(o), text(o, "type"), size(o, "data"), age(o, now));
            case "serviceaccounts" -> row(name(o), age(o, now));
            case "pods" -> PodColumns.cells(o, now);
            case "podtemplates" -> {
                List<@Nullable Object> containers = Trees.list(o, "template", "spec", "containers");
                yield row(
                        name(o),
                        join(containers, "name"),
                        join(containers, "image"),
                        labels(Trees.object(o, "template", "metadata", "labels")));
            }
            case "services" -> ServiceColumns.service(o, now);
            case "endpoints" -> ServiceColumns.endpoints(o, now);
            case "endpointslices.discovery.k8s.io" -> ServiceColumns.endpointSlice(o, now);
            case "ingresses.networking.k8s.io" -> ServiceColumns.ingress(o, now);
            case "nodes" -> NodeColumns.cells(o, now);
            case "events" -> event(o, now);
            case "events.events.k8s.io" -> {
                Map<String, @Nullable Object> core = Json.copyObject(o);
                EventConversion.toCore(core);
                yield event(core, now);
            }
            case "componentstatuses" -> componentStatus(o);
            case "resourcequotas" -> quota(o, now);
            case "persistentvolumes" -> volume(o, now);
            case "persistentvolumeclaims" -> claim(o, now);
            case "replicationcontrollers" -> replicas(o, now, labels(Trees.object(o, "spec", "selector")));
            case "replicasets.apps" -> replicas(o, now, selector(o, "spec", "selector"));
            case "deployments.apps" ->
                row(
                        name(o),
                        number(o, "status", "readyReplicas") + "/" + number(o, "spec", "replicas"),
                        number(o, "status", "updatedReplicas"),
                        number(o, "status", "availableReplicas"),
                        age(o, now),
                        containers(o, "name"),
                        containers(o, "image"),
                        selector(o, "spec", "selector"));
            case "statefulsets.apps" ->
                row(
                        name(o),
                        number(o, "status", "readyReplicas") + "/" + number(o, "spec", "replicas"),
                        age(o, now),
                        containers(o, "name"),
                        containers(o, "image"));
            case "daemonsets.apps" ->
                row(
                        name(o),
                        number(o, "status", "desiredNumberScheduled"),
                        number(o, "status", "currentNumberScheduled"),
                        number(o, "status", "numberReady"),
                        number(o, "status", "updatedNumberScheduled"),
                        number(o, "status", "numberAvailable"),
                        labels(Trees.object(o, "spec", "template", "spec", "nodeSelector")),
                        age(o, now),
                        containers(o, "name"),
                        containers(o, "image"),
                        selector(o, "spec", "selector"));
            case "controllerrevisions.apps" -> revision(o, now);
            case "jobs.batch" -> JobColumns.job(o, now);
            case "cronjobs.batch" -> JobColumns.cronJob(o, now);
            case "horizontalpodautoscalers.autoscaling" -> AutoscalerColumns.cells(o, now);
            case "leases.coordination.k8s.io" -> row(name(o), text(o, "spec", "holderIdentity"), age(o, now));
            case "ingressclasses.networking.k8s.io" -> ingressClass(o, now);
            case "networkpolicies.networking.k8s.io" -> row(name(o), selector(o, "spec", "podSelector"), age(o, now));
            case "ipaddresses.networking.k8s.io" -> row(name(o), parent(o), age(o, now));
            case "servicecidrs.networking.k8s.io" -> row(name(o), words(Trees.list(o, "spec", "cidrs")), age(o, now));
            case "runtimeclasses.node.k8s.io" -> row(name(o), text(o, "handler"), age(o, now));
            case "poddisruptionbudgets.policy" ->
                row(
                        name(o),
                        orElse(Json.at(o, "spec", "minAvailable"), "N/A"),
                        orElse(Json.at(o, "spec", "maxUnavailable"), "N/A"),
                        number(o, "status", "disruptionsAllowed"),
                        age(o, now));
            case "rolebindings.rbac.authorization.k8s.io" -> binding(o, now);
            case "clusterrolebindings.rbac.authorization.k8s.io" -> binding(o, now);
            case "deviceclasses.resource.k8s.io" -> row(name(o), age(o, now));
            case "resourceclaims.resource.k8s.io" -> row(name(o), claimState(o), age(o, now));
            case "resourceclaimtemplates.resource.k8s.io" -> row(name(o), age(o, now));
            case "resourceslices.resource.k8s.io" ->
                row(
                        name(o),
                        text(o, "spec", "nodeName"),
                        text(o, "spec", "driver"),
                        text(o, "spec", "pool", "name"),
                        age(o, now));
            case "priorityclasses.scheduling.k8s.io" ->
                row(
                        name(o),
                        number(o, "value"),
                        Trees.isTrue(o, "globalDefault"),
                        age(o, now),
                        orElse(Json.at(o, "preemptionPolicy"), ""));
            case "csidrivers.storage.k8s.io" -> csiDriver(o, now);
            case "csinodes.storage.k8s.io" ->
                row(name(o), (long) Trees.list(o, "spec", "drivers").size(), age(o, now));
            case "storageclasses.storage.k8s.io" -> storageClass(o, now);
            case "volumeattachments.storage.k8s.io" ->
                row(
                        name(o),
                        text(o, "spec", "attacher"),
                        text(o, "spec", "source", "persistentVolumeName"),
                        text(o, "spec", "nodeName"),
                        Trees.isTrue(o, "status", "attached"),
                        age(o, now));
            case "volumeattributesclasses.storage.k8s.io" ->
                row(defaultName(o, "storageclass.kubernetes.io/is-default-class"), text(o, "driverName"), age(o, now));
            case "mutatingwebhookconfigurations.admissionregistration.k8s.io" ->
                row(name(o), (long) Trees.list(o, "webhooks").size(), age(o, now));
            case "validatingwebhookconfigurations.admissionregistration.k8s.io" ->
                row(name(o), (long) Trees.list(o, "webhooks").size(), age(o, now));
            case "validatingadmissionpolicies.admissionregistration.k8s.io" -> policy(o, now, "validations");
            case "mutatingadmissionpolicies.admissionregistration.k8s.io" -> policy(o, now, "mutations");
            case "validatingadmissionpolicybindings.admissionregistration.k8s.io" -> policyBinding(o, now);
            case "mutatingadmissionpolicybindings.admissionregistration.k8s.io" -> policyBinding(o, now);
            case "apiservices.apiregistration.k8s.io" -> apiService(o, now);
            case "certificatesigningrequests.certificates.k8s.io" -> signingRequest(o, now);
            case "flowschemas.flowcontrol.apiserver.k8s.io" -> flowSchema(o, now);
            case "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io" -> priorityLevel(o, now);
            default -> row(name(o), text(o, "metadata", "creationTimestamp"));
        };
    }

    /** The conditions of an object's row; most have none. */
    public static List<@Nullable Object> conditions(String id, Map<String, @Nullable Object> tree) {
        return id.equals("pods") ? PodColumns.conditions(tree) : List.of();
    }

    static List<@Nullable Object> row(@Nullable Object... cells) {
        return new ArrayList<>(Arrays.asList(cells));
    }

    static String name(@Nullable Object tree) {
        return Json.string(tree, "metadata", "name");
    }

    static String age(@Nullable Object tree, Instant now) {
        return Times.since(tree, now, "metadata", "creationTimestamp");
    }

    static String text(@Nullable Object tree, String... path) {
        return Json.string(tree, path);
    }

    static long number(@Nullable Object tree, String... path) {
        return Json.integer(tree, path);
    }

    static String orElse(@Nullable Object value, String absent) {
        return value == null ? absent : String.valueOf(value);
    }

    private static long size(@Nullable Object tree, String field) {
        return Trees.object(tree, field).size();
    }

    static String join(List<@Nullable Object> list, String field) {
        return String.join(
                ",", list.stream().map(item -> Json.string(item, field)).toList());
    }

    static String words(List<@Nullable Object> list) {
        return String.join(",", list.stream().map(String::valueOf).toList());
    }

    static String containers(@Nullable Object workload, String field) {
        return join(Trees.list(workload, "spec", "template", "spec", "containers"), field);
    }

    static String labels(Map<String, @Nullable Object> labels) {
        return labels.isEmpty()
                ? NONE
                : String.join(
                        ",",
                        labels.entrySet().stream()
                                .map(label -> label.getKey() + "=" + label.getValue())
                                .sorted()
                                .toList());
    }

    /** A label selector as text; {@code <none>} when it selects everything. */
    static String selector(@Nullable Object tree, String... path) {
        if (!Trees.has(tree, path)) {
            return NONE;
        }
        String text = Selectors.text(Trees.object(tree, path));
        return text.isEmpty() ? NONE : text;
    }

    private static List<@Nullable Object> replicas(Map<String, @Nullable Object> o, Instant now, String selector) {
        return row(
                name(o),
                number(o, "spec", "replicas"),
                number(o, "status", "replicas"),
                number(o, "status", "readyReplicas"),
                age(o, now),
                containers(o, "name"),
                containers(o, "image"),
                selector);
    }

    private static List<@Nullable Object> event(Map<String, @Nullable Object> o, Instant now) {
        String first = Times.since(o, now, Trees.has(o, "firstTimestamp") ? "firstTimestamp" : "eventTime");
        String last = Trees.has(o, "series")
                ? Times.since(o, now, "series", "lastObservedTime")
                : Trees.has(o, "lastTimestamp") ? Times.since(o, now, "lastTimestamp") : first;
        long count = Trees.has(o, "series")
                ? number(o, "series", "count")
                : number(o, "count") == 0 ? 1 : number(o, "count");
        String kind = text(o, "involvedObject", "kind").toLowerCase(Locale.ROOT);
        String target = text(o, "involvedObject", "name");
        String component = text(o, "source", "component");
        String host = text(o, "source", "host");
        if (component.isEmpty()) {
            component = text(o, "reportingComponent");
            host = host.isEmpty() ? text(o, "reportingInstance") : host;
        }
        return row(
                last,
                text(o, "type"),
                text(o, "reason"),
                target.isEmpty() ? kind : kind + "/" + target,
                text(o, "involvedObject", "fieldPath"),
                host.isEmpty() ? component : component + ", " + host,
                text(o, "message").strip(),
                first,
                count,
                name(o));
    }

    private static List<@Nullable Object> componentStatus(Map<String, @Nullable Object> o) {
        String status = "Unknown";
        String message = "";
        String error = "";
        for (Object condition : Trees.list(o, "conditions")) {
            if (Json.string(condition, "type").equals("Healthy")) {
                status = Json.string(condition, "status").equals("True") ? "Healthy" : "Unhealthy";
                message = Json.string(condition, "message");
                error = Json.string(condition, "error");
            }
        }
        return row(name(o), status, message, error);
    }

    private static List<@Nullable Object> quota(Map<String, @Nullable Object> o, Instant now) {
        List<String> requests = new ArrayList<>();
        List<String> limits = new ArrayList<>();
        Map<String, @Nullable Object> hard = Trees.object(o, "status", "hard");
        hard.keySet().stream().sorted().forEach(resource -> {
            String used = orElse(Json.at(o, "status", "used", resource), "0");
            String entry = resource + ": " + used + "/" + hard.get(resource);
            (resource.startsWith("limits") ? limits : requests).add(entry);
        });
        return row(name(o), String.join(", ", requests), String.join(", ", limits), age(o, now));
    }

    static String accessModes(List<@Nullable Object> modes) {
        List<String> brief = new ArrayList<>();
        for (String[] mode : new String[][] {
            {"ReadWriteOnce", "RWO"}, {"ReadOnlyMany", "ROX"}, {"ReadWriteMany", "RWX"}, {"ReadWriteOncePod", "RWOP"}
        }) {
            if (modes.contains(mode[0])) {
                brief.add(mode[1]);
            }
        }
        return String.join(",", brief);
    }

    private static List<@Nullable Object> volume(Map<String, @Nullable Object> o, Instant now) {
        String claim = Trees.has(o, "spec", "claimRef")
                ? text(o, "spec", "claimRef", "namespace") + "/" + text(o, "spec", "claimRef", "name")
                : "";
        String phase = Trees.has(o, "metadata", "deletionTimestamp") ? "Terminating" : text(o, "status", "phase");
        return row(
                name(o),
                orElse(Json.at(o, "spec", "capacity", "storage"), "0"),
                accessModes(Trees.list(o, "spec", "accessModes")),
                text(o, "spec", "persistentVolumeReclaimPolicy"),
                phase,
                claim,
                storageClassName(o),
                orElse(Json.at(o, "spec", "volumeAttributesClassName"), UNSET),
                text(o, "status", "reason"),
                age(o, now),
                orElse(Json.at(o, "spec", "volumeMode"), UNSET));
    }

    private static String storageClassName(@Nullable Object o) {
        Object beta = Json.at(o, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
        return beta == null ? text(o, "spec", "storageClassName") : String.valueOf(beta);
    }

    private static List<@Nullable Object> claim(Map<String, @Nullable Object> o, Instant now) {
        boolean bound = !text(o, "spec", "volumeName").isEmpty();
        String phase = Trees.has(o, "metadata", "deletionTimestamp") ? "Terminating" : text(o, "status", "phase");
        return row(
                name(o),
                phase,
                text(o, "spec", "volumeName"),
                bound ? orElse(Json.at(o, "status", "capacity", "storage"), "0") : "",
                bound ? accessModes(Trees.list(o, "status", "accessModes")) : "",
                storageClassName(o),
                orElse(Json.at(o, "spec", "volumeAttributesClassName"), UNSET),
                age(o, now),
                orElse(Json.at(o, "spec", "volumeMode"), UNSET));
    }

    private static List<@Nullable Object> revision(Map<String, @Nullable Object> o, Instant now) {
        String controller = NONE;
        for (Object owner : Trees.list(o, "metadata", "ownerReferences")) {
            if (Trees.isTrue(owner, "controller")) {
                String version = Json.string(owner, "apiVersion");
                int slash = version.indexOf('/');
                String kind = Json.string(owner, "kind").toLowerCase(Locale.ROOT);
                controller = (slash < 0 ? kind : kind + "." + version.substring(0, slash)) + "/"
                        + Json.string(owner, "name");
            }
        }
        return row(name(o), controller, number(o, "revision"), age(o, now));
    }

    private static List<@Nullable Object> ingressClass(Map<String, @Nullable Object> o, Instant now) {
        String parameters = NONE;
        if (Trees.has(o, "spec", "parameters")) {
            String group = text(o, "spec", "parameters", "apiGroup");
            parameters = text(o, "spec", "parameters", "kind") + (group.isEmpty() ? "" : "." + group) + "/"
                    + text(o, "spec", "parameters", "name");
        }
        return row(name(o), text(o, "spec", "controller"), parameters, age(o, now));
    }

    private static String parent(@Nullable Object o) {
        String group = text(o, "spec", "parentRef", "group");
        String resource = text(o, "spec", "parentRef", "resource");
        String namespace = text(o, "spec", "parentRef", "namespace");
        return (group.isEmpty() ? resource : resource + "." + group) + "/"
                + (namespace.isEmpty() ? "" : namespace + "/") + text(o, "spec", "parentRef", "name");
    }

    private static List<@Nullable Object> binding(Map<String, @Nullable Object> o, Instant now) {
        List<String> users = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        List<String> accounts = new ArrayList<>();
        for (Object subject : Trees.list(o, "subjects")) {
            String subjectName = Json.string(subject, "name");
            switch (Json.string(subject, "kind")) {
                case "User" -> users.add(subjectName);
                case "Group" -> groups.add(subjectName);
                case "ServiceAccount" -> accounts.add(Json.string(subject, "namespace") + "/" + subjectName);
                default -> {}
            }
        }
        return row(
                name(o),
                text(o, "roleRef", "kind") + "/" + text(o, "roleRef", "name"),
                age(o, now),
                String.join(", ", users),
                String.join(", ", groups),
                String.join(", ", accounts));
    }

    private static String claimState(@Nullable Object o) {
        List<String> states = new ArrayList<>();
        if (Trees.has(o, "metadata", "deletionTimestamp")) {
            states.add("deleted");
        }
        if (!Trees.has(o, "status", "allocation")) {
            if (states.isEmpty()) {
                states.add("pending");
            }
        } else {
            states.add("allocated");
            states.add(Trees.list(o, "status", "reservedFor").isEmpty() ? "" : "reserved");
        }
        states.removeIf(String::isEmpty);
        return String.join(",", states);
    }

    private static List<@Nullable Object> csiDriver(Map<String, @Nullable Object> o, Instant now) {
        List<@Nullable Object> modes = Trees.list(o, "spec", "volumeLifecycleModes");
        List<@Nullable Object> tokens = Trees.list(o, "spec", "tokenRequests");
        return row(
                name(o),
                !Boolean.FALSE.equals(Json.at(o, "spec", "attachRequired")),
                Trees.isTrue(o, "spec", "podInfoOnMount"),
                Trees.isTrue(o, "spec", "storageCapacity"),
                tokens.isEmpty() ? UNSET : join(tokens, "audience"),
                Trees.isTrue(o, "spec", "requiresRepublish"),
                modes.isEmpty() ? NONE : words(modes),
                age(o, now));
    }

    private static String defaultName(@Nullable Object o, String annotation) {
        boolean isDefault = text(o, "metadata", "annotations", annotation).equals("true")
                || text(o, "metadata", "annotations", annotation.replace(".kubernetes", ".beta.kubernetes"))
                        .equals("true");
        return isDefault ? name(o) + " (default)" : name(o);
    }

    private static List<@Nullable Object> storageClass(Map<String, @Nullable Object> o, Instant now) {
        return row(
                defaultName(o, "storageclass.kubernetes.io/is-default-class"),
                text(o, "provisioner"),
                orElse(Json.at(o, "reclaimPolicy"), "Delete"),
                orElse(Json.at(o, "volumeBindingMode"), "Immediate"),
                Trees.isTrue(o, "allowVolumeExpansion"),
                age(o, now));
    }

    private static List<@Nullable Object> policy(Map<String, @Nullable Object> o, Instant now, String rules) {
        String version = text(o, "spec", "paramKind", "apiVersion");
        String kind = text(o, "spec", "paramKind", "kind");
        return row(
                name(o),
                (long) Trees.list(o, "spec", rules).size(),
                Trees.has(o, "spec", "paramKind") ? version + "/" + kind : UNSET,
                age(o, now));
    }

    private static List<@Nullable Object> policyBinding(Map<String, @Nullable Object> o, Instant now) {
        String param = UNSET;
        if (Trees.has(o, "spec", "paramRef")) {
            String paramName = text(o, "spec", "paramRef", "name");
            String namespace = text(o, "spec", "paramRef", "namespace");
            param = paramName.isEmpty()
                    ? selector(o, "spec", "paramRef", "selector")
                    : (namespace.isEmpty() ? "*" : namespace) + "/" + paramName;
        }
        return row(name(o), text(o, "spec", "policyName"), param, age(o, now));
    }

    private static List<@Nullable Object> apiService(Map<String, @Nullable Object> o, Instant now) {
        String service = Trees.has(o, "spec", "service")
                ? text(o, "spec", "service", "namespace") + "/" + text(o, "spec", "service", "name")
                : "Local";
        String available = "Unknown";
        for (Object condition : Trees.list(o, "status", "conditions")) {
            if (Json.string(condition, "type").equals("Available")) {
                available = Json.string(condition, "status");
                if (!available.equals("True")) {
                    available += " (" + Json.string(condition, "reason") + ")";
                }
            }
        }
        return row(name(o), service, available, age(o, now));
    }

    private static List<@Nullable Object> signingRequest(Map<String, @Nullable Object> o, Instant now) {
        List<String> states = new ArrayList<>();
        for (String type : List.of("Approved", "Denied", "Failed")) {
            for (Object condition : Trees.list(o, "status", "conditions")) {
                if (Json.string(condition, "type").equals(type)) {
                    states.add(type);
                    break;
                }
            }
        }
        if (states.isEmpty()) {
            states.add("Pending");
        }
        if (!text(o, "status", "certificate").isEmpty()) {
            states.add("Issued");
        }
        Object expiration = Json.at(o, "spec", "expirationSeconds");
        return row(
                name(o),
                age(o, now),
                text(o, "spec", "signerName"),
                text(o, "spec", "username"),
                expiration instanceof Long seconds ? Ages.of(java.time.Duration.ofSeconds(seconds)) : NONE,
                String.join(",", states));
    }

    private static List<@Nullable Object> flowSchema(Map<String, @Nullable Object> o, Instant now) {
        String missing = "?";
        for (Object condition : Trees.list(o, "status", "conditions")) {
            if (Json.string(condition, "type").equals("Dangling")) {
                missing = Json.string(condition, "status");
            }
        }
        return row(
                name(o),
                text(o, "spec", "priorityLevelConfiguration", "name"),
                number(o, "spec", "matchingPrecedence"),
                orElse(Json.at(o, "spec", "distinguisherMethod", "type"), NONE),
                age(o, now),
                missing);
    }

    private static List<@Nullable Object> priorityLevel(Map<String, @Nullable Object> o, Instant now) {
        Object shares = Json.at(o, "spec", "limited", "nominalConcurrencyShares");
        Map<String, @Nullable Object> queuing = Trees.object(o, "spec", "limited", "limitResponse", "queuing");
        return row(
                name(o),
                text(o, "spec", "type"),
                shares == null ? NONE : shares,
                queuing.getOrDefault("queues", NONE),
                queuing.getOrDefault("handSize", NONE),
                queuing.getOrDefault("queueLengthLimit", NONE),
                age(o, now));
    }

    static String none(String text) {
        return text.isEmpty() ? NONE : text;
    }

    static String unknown(String text) {
        return text.isEmpty() ? UNKNOWN : text;
    }

    static String unset(String text) {
        return text.isEmpty() ? UNSET : text;
    }
}
