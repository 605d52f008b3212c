package dev.evenkeel.server.internal;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Query;
import dev.evenkeel.server.internal.http.Representation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Answers requests for connections to pods, services and nodes, such as logs: with upstream's refusals as long as there is
 * nothing to connect to, then with 501, since no pod runs behind this server. Policies and webhooks for the operation
 * CONNECT decide first.
 */
final class Connections {
    private static final Map<String, Set<String>> SUBRESOURCES = Map.of(
            "pods", Set.of("attach", "exec", "log", "portforward", "proxy"),
            "services", Set.of("proxy"),
            "nodes", Set.of("proxy"));
    private static final String LOGS =
            "text/plain, application/json, application/yaml, application/vnd.kubernetes.protobuf";
    private static final List<String> STREAMS = List.of("stdin", "stdout", "stderr", "tty");
    private static final List<String> CONTAINERS = List.of("containers", "initContainers", "ephemeralContainers");

    private Connections() {}

    static boolean isConnection(Target target) {
        return target.type().origin() == Origin.BUILT_IN
                && !target.name().isEmpty()
                && SUBRESOURCES.getOrDefault(target.type().id(), Set.of()).contains(kind(target));
    }

    /** Returns the subresource without the path behind it. */
    private static String kind(Target target) {
        int slash = target.subresource().indexOf('/');
        return slash < 0 ? target.subresource() : target.subresource().substring(0, slash);
    }

    static void open(HttpExchange call, ResourceApi partition, Target target, Requester requester) {
        String kind = kind(target);
        String container = call.query().first("container");
        if (kind.equals("log")) {
            call.requireGet();
            Representation.requireAccepted(call.accept(), LOGS);
            checkLog(call.query(), target.name());
        } else {
            container = admit(call, partition, target, requester).string("container");
        }
        if (kind.equals("proxy")) {
            throw proxied(partition, target, call.user());
        }
        String name = target.name();
        Target object = Target.of(target.type(), target.version(), target.namespace(), name);
        JsonObject tree = partition.get(object, "", call.user()).tree();
        if (!kind.equals("portforward")) {
            checkContainer(container, tree, name);
        }
        String node = tree.string("spec", "nodeName");
        if (kind.equals("log") && node.isEmpty()) {
            call.reply(204, HttpExchange.TEXT, new byte[0]);
            return;
        }
        if (node.isEmpty()) {
            throw Refusal.badRequest("pod " + name + " does not have a host assigned");
        }
        var unused = Kubelet.of(partition, node, call.user());
        throw nothing(node);
    }

    /** Returns why a request is not forwarded to an object. */
    private static ApiException proxied(ResourceApi partition, Target target, User user) {
        ProxyAddress address = ProxyAddress.parse(target.name())
                .orElseThrow(() -> Refusal.badRequest("invalid "
                        + target.type().kind().toLowerCase(Locale.ROOT) + " request "
                        + Failures.quoted(target.name())));
        if (target.type().id().equals("services")) {
            JsonObject pod = new ProxiedService(partition, target, user).pod(address);
            return nothing(pod.string("spec", "nodeName"));
        }
        if (target.type().id().equals("nodes")) {
            Kubelet kubelet = Kubelet.of(partition, address.name(), user);
            boolean other = !address.port().isEmpty() && !address.port().equals(kubelet.port());
            return other && !ProxyAddress.isAllowedHost(kubelet.host()) ? notAllowed() : nothing(address.name());
        }
        Target object = Target.of(target.type(), target.version(), target.namespace(), address.name());
        JsonObject tree = partition.get(object, "", user).tree();
        return ProxyAddress.isAllowed(tree.string("status", "podIP"))
                ? nothing(tree.string("spec", "nodeName"))
                : notAllowed();
    }

    private static ApiException notAllowed() {
        return Refusal.badRequest("address not allowed");
    }

    /** Returns the options of a connection after the policies and webhooks for the operation CONNECT. */
    private static JsonObject admit(HttpExchange call, ResourceApi partition, Target target, Requester requester) {
        if (call.query().has("dryRun") && !call.query().first("dryRun").isEmpty()) {
            throw Refusal.badRequest("dryRun is not supported");
        }
        Target subresource =
                new Target(target.type(), target.version(), target.namespace(), target.name(), kind(target));
        WriteOptions defaults = WriteOptions.DEFAULT;
        WriteOptions options = new WriteOptions(
                defaults.fieldManager(), false, defaults.validation(), false, Optional.empty(), requester);
        PolicyAdmission.Admitted<JsonObject> admitted = partition.connect(subresource, options(call, target), options);
        call.warn(admitted.warnings());
        return admitted.value();
    }

    /** Returns the options that the query sets, as an object of their kind. */
    private static JsonObject options(HttpExchange call, Target target) {
        Query query = call.query();
        String kind = kind(target);
        JsonObject options = new JsonObject();
        switch (kind) {
            case "exec", "attach" -> {
                options.put("kind", kind.equals("exec") ? "PodExecOptions" : "PodAttachOptions");
                options.put("apiVersion", "v1");
                for (String flag : STREAMS) {
                    if (query.flag(flag)) {
                        options.put(flag, true);
                    }
                }
                options.setUnlessEmpty("container", query.first("container"));
                if (kind.equals("exec")) {
                    options.put("command", query.has("command") ? query.all("command") : null);
                }
            }
            case "portforward" -> {
                options.put("kind", "PodPortForwardOptions");
                options.put("apiVersion", "v1");
                if (query.has("ports")) {
                    options.put("ports", ports(query));
                }
            }
            default -> {
                String owner = target.type().kind();
                options.put("kind", owner + "ProxyOptions");
                options.put("apiVersion", "v1");
                options.setUnlessEmpty("path", path(call, target));
            }
        }
        return options;
    }

    private static List<Long> ports(Query query) {
        List<Long> ports = new ArrayList<>();
        for (String text : query.all("ports")) {
            for (String port : text.split(",", -1)) {
                try {
                    ports.add(Long.parseLong(port));
                } catch (NumberFormatException e) {
                    throw Refusal.badRequest("strconv.ParseInt: parsing " + Failures.quoted(port) + ": invalid syntax");
                }
            }
        }
        return ports;
    }

    /** Returns the path behind the subresource, with its slashes; the query sets it where there is none. */
    private static String path(HttpExchange call, Target target) {
        String subresource = target.subresource();
        int slash = subresource.indexOf('/');
        String path = slash < 0 ? "" : subresource.substring(slash);
        boolean ends = call.path().text().endsWith("/");
        return ends && !path.endsWith("/") ? path + "/" : path;
    }

    private static ApiException nothing(String node) {
        return ApiException.of(Status.of(
                501, "", "this server does not run pods: there is no kubelet on node " + Failures.quoted(node)));
    }

    private static void checkContainer(String wanted, JsonObject pod, String name) {
        if (wanted.isEmpty() && pod.objects("spec", "containers").size() > 1) {
            throw Refusal.badRequest("a container name must be specified for pod " + name + ", choose one of: ["
                    + names(pod, "containers") + "]"
                    + (pod.array("spec", "initContainers").isEmpty()
                            ? ""
                            : " or one of the init containers: [" + names(pod, "initContainers") + "]"));
        }
        boolean known = wanted.isEmpty()
                || CONTAINERS.stream()
                        .flatMap(kind -> pod.objects("spec", kind).stream())
                        .anyMatch(container -> container.string("name").equals(wanted));
        if (!known) {
            throw Refusal.badRequest("container " + wanted + " is not valid for pod " + name);
        }
    }

    private static String names(JsonObject pod, String kind) {
        return pod.objects("spec", kind).stream()
                .map(container -> container.string("name"))
                .collect(Collectors.joining(" "));
    }

    private static void checkLog(Query query, String pod) {
        List<FieldError> errors = new ArrayList<>();
        if (query.has("tailLines") && integer(query, "tailLines") < 0) {
            errors.add(
                    FieldError.invalid("tailLines", integer(query, "tailLines"), "must be greater than or equal to 0"));
        }
        if (query.has("limitBytes") && integer(query, "limitBytes") < 1) {
            errors.add(FieldError.invalid("limitBytes", integer(query, "limitBytes"), "must be greater than 0"));
        }
        if (query.has("sinceSeconds") && query.has("sinceTime")) {
            errors.add(FieldError.forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
        } else if (query.has("sinceSeconds") && integer(query, "sinceSeconds") < 1) {
            errors.add(FieldError.invalid("sinceSeconds", integer(query, "sinceSeconds"), "must be greater than 0"));
        }
        if (!errors.isEmpty()) {
            throw Refusal.invalid("", "PodLogOptions", pod, errors);
        }
    }

    private static long integer(Query query, String name) {
        String text = query.first(name);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            boolean number = text.matches("[-+]?[0-9]+");
            throw Refusal.badRequest("strconv.ParseInt: parsing " + Failures.quoted(text) + ": "
                    + (number ? "value out of range" : "invalid syntax"));
        }
    }
}
