package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.builtin.kinds.BootstrapObjects;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.ApplyVerb;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sets the conditions that kube-apiserver itself sets: whether the priority level of a flow schema is missing,
 * whether an API service can be reached, and that the range of service addresses is used.
 *
 * <p>Each object is looked at again when it changes, or when an object changes that the condition is about. A condition
 * that is as it should be is not written.
 */
public final class ServerConditions implements WriteContext.Services {
    private static final String SCHEMAS = "flowschemas.flowcontrol.apiserver.k8s.io";
    private static final String LEVELS = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";
    private static final String APIS = "apiservices.apiregistration.k8s.io";
    private static final String RANGES = "servicecidrs.networking.k8s.io";
    private static final String SERVICES = "services";
    private static final String SLICES = "endpointslices.discovery.k8s.io";
    private static final String SCHEMA_MANAGER = "api-priority-and-fairness-config-consumer-v1";
    private static final String RANGE_MANAGER = "kubernetes-service-cidr-controller";
    private static final String API_MANAGER = "kube-apiserver";
    private static final long HTTPS = 443;

    private final SerialQueue queue;
    private final Verbs verbs;
    private final ApplyVerb applying;
    private final Executor executor;
    private final RemoteApis remote;
    private volatile @Nullable Probe probe;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();

    /** The state of a condition. */
    private record State(boolean holds, String reason, String message) {}

    /** Finds out if the server of an API can be used. */
    @FunctionalInterface
    public interface Probe {
        /**
         * Sends a request to it, and returns what is wrong; empty when it can be used.
         *
         * @param name of the API service
         */
        Optional<String> problem(String name);
    }

    /**
     * Creates the service of a partition.
     *
     * @param executor runs probes, which wait for other servers
     * @param remote the API services of other servers
     */
    public ServerConditions(SerialQueue queue, Verbs verbs, ApplyVerb applying, Executor executor, RemoteApis remote) {
        this.queue = queue;
        this.verbs = verbs;
        this.applying = applying;
        this.executor = executor;
        this.remote = remote;
    }

    /** Sends requests to other servers from now on; until then nothing is said about those that seem to be there. */
    public void probe(Probe value) {
        probe = value;
        recheck();
    }

    /** Looks at the API services of other servers again: whether their servers can be used changes without an event. */
    public void recheck() {
        remote.names().forEach(name -> look(APIS, name));
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        switch (key.collection().substring(key.collection().indexOf('/') + 1)) {
            case SCHEMAS, APIS -> {
                if (current != null) {
                    look(key.collection().endsWith(SCHEMAS) ? SCHEMAS : APIS, key.name());
                }
            }
            case LEVELS -> {
                if (previous == null || current == null) {
                    each(SCHEMAS, name -> look(SCHEMAS, name));
                }
            }
            case RANGES -> {
                if (current != null && key.name().equals(BootstrapObjects.SERVICE_RANGE)) {
                    look(RANGES, key.name());
                }
            }
            case SERVICES, SLICES -> remote.names().forEach(name -> look(APIS, name));
            default -> {
                // no condition is about it
            }
        }
    }

    private void each(String id, Consumer<String> names) {
        verbs.cluster()
                .each(
                        verbs.cluster().collection(id),
                        "",
                        entry -> names.accept(entry.key().name()));
    }

    private void look(String id, String name) {
        if (verbs.leadership().held() && pending.add(id + "/" + name)) {
            queue.add(() -> {
                pending.remove(id + "/" + name);
                settle(id, name);
            });
        }
    }

    private void settle(String id, String name) {
        Optional<ResourceType> type = verbs.cluster().types().get().type(id);
        if (type.isEmpty()) {
            return;
        }
        Target target = Target.of(type.get(), type.get().storageVersion(), "", name);
        JsonObject object = read(target);
        if (object == null) {
            return;
        }
        if (id.equals(SCHEMAS)) {
            settle(target, object, "Dangling", dangling(object));
        } else if (id.equals(RANGES)) {
            JsonObject wanted = BootstrapObjects.serviceRange().object("spec");
            if (object.objects("status", "conditions").isEmpty()
                    && object.object("spec").equals(wanted)) {
                settle(target, object, "Ready", new State(true, "", "Kubernetes default Service CIDR is ready"));
            }
        } else {
            available(object).ifPresentOrElse(state -> settle(target, object, "Available", state), () -> ask(target));
        }
    }

    /** Asks the server of an API, and sets the condition unless another reason for one was found meanwhile. */
    private void ask(Target target) {
        Probe asked = probe;
        if (asked != null) {
            executor.execute(() -> {
                State state = asked.problem(target.name())
                        .map(problem -> new State(false, "FailedDiscoveryCheck", problem))
                        .orElseGet(() -> new State(true, "Passed", "all checks passed"));
                queue.add(() -> {
                    JsonObject object = read(target);
                    if (object != null && available(object).isEmpty()) {
                        settle(target, object, "Available", state);
                    }
                });
            });
        }
    }

    /** Returns the address of a ready endpoint of a service, or the name that it stands for; empty if there is none. */
    public Optional<URI> address(String namespace, String name, int port) {
        Optional<JsonObject> service = find(SERVICES, namespace, name).map(found -> found.object("spec"));
        if (service.isEmpty()) {
            return Optional.empty();
        }
        if (service.get().string("type").equals("ExternalName")) {
            return Optional.of(url(service.get().string("externalName"), port));
        }
        Optional<String> portName = service.get().objects("ports").stream()
                .filter(each -> each.integer("port") == port)
                .map(each -> each.string("name"))
                .findFirst();
        return portName.flatMap(wanted -> slices(namespace, name).stream()
                .flatMap(slice -> slice.objects("ports").stream()
                        .filter(each -> each.string("name").equals(wanted) && each.has("port"))
                        .flatMap(each -> slice.objects("endpoints").stream()
                                .filter(ServerConditions::isReady)
                                .flatMap(endpoint -> endpoint.strings("addresses").stream())
                                .map(address -> url(address, (int) each.integer("port")))))
                .findFirst());
    }

    private static boolean isReady(JsonObject endpoint) {
        return !Boolean.FALSE.equals(endpoint.at("conditions", "ready"));
    }

    private static URI url(String host, int port) {
        return URI.create("https://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port);
    }

    private @Nullable JsonObject read(Target target) {
        Store.Entry entry = verbs.cluster().read(target);
        return entry == null ? null : verbs.cluster().tree(entry, target);
    }

    private Optional<JsonObject> find(String id, String namespace, String name) {
        return verbs.cluster()
                .types()
                .get()
                .type(id)
                .map(type -> Target.of(type, type.storageVersion(), namespace, name))
                .flatMap(target -> Optional.ofNullable(read(target)));
    }

    private State dangling(JsonObject schema) {
        String level = schema.string("spec", "priorityLevelConfiguration", "name");
        String which = "This FlowSchema references the PriorityLevelConfiguration object named " + Json.text(level);
        return find(LEVELS, "", level).isPresent()
                ? new State(false, "Found", which + " and it exists")
                : new State(true, "NotFound", which + " but there is no such object");
    }

    /** Returns whether an API service is available; empty if that takes a request to it. */
    private Optional<State> available(JsonObject api) {
        if (!api.has("spec", "service")) {
            return Optional.of(new State(true, "Local", "Local APIServices are always available"));
        }
        String namespace = api.string("spec", "service", "namespace");
        String name = api.string("spec", "service", "name");
        String which = "service/" + name + " in " + Json.text(namespace);
        Optional<JsonObject> service = find(SERVICES, namespace, name);
        if (service.isEmpty()) {
            return Optional.of(new State(false, "ServiceNotFound", which + " is not present"));
        }
        if (!List.of("", "ClusterIP").contains(service.get().string("spec", "type"))) {
            return Optional.empty();
        }
        long port = api.object("spec", "service").has("port") ? api.integer("spec", "service", "port") : HTTPS;
        Optional<JsonObject> listening = service.get().objects("spec", "ports").stream()
                .filter(each -> each.integer("port") == port)
                .findFirst();
        if (listening.isEmpty()) {
            return Optional.of(new State(false, "ServicePortError", which + " is not listening on port " + port));
        }
        List<JsonObject> slices = slices(namespace, name);
        if (slices.isEmpty()) {
            return Optional.of(new State(false, "EndpointsNotFound", "cannot find endpointslices for " + which));
        }
        String portName = listening.get().string("name");
        boolean reached = slices.stream()
                .anyMatch(slice -> slice.objects("endpoints").stream().anyMatch(ServerConditions::isReady)
                        && slice.objects("ports").stream()
                                .anyMatch(each -> each.string("name").equals(portName)));
        return reached
                ? Optional.empty()
                : Optional.of(new State(
                        false,
                        "MissingEndpoints",
                        "endpointslices for " + which + " have no addresses with port name " + Json.text(portName)));
    }

    private List<JsonObject> slices(String namespace, String service) {
        List<JsonObject> found = new ArrayList<>();
        verbs.cluster()
                .types()
                .get()
                .type(SLICES)
                .ifPresent(type -> verbs.cluster().each(verbs.cluster().collection(type), namespace, entry -> {
                    if (service.equals(entry.value().labels().get("kubernetes.io/service-name"))) {
                        found.add(verbs.cluster()
                                .tree(
                                        entry,
                                        Target.of(
                                                type,
                                                type.storageVersion(),
                                                entry.key().namespace(),
                                                entry.key().name())));
                    }
                }));
        return found;
    }

    private void settle(Target target, JsonObject object, String type, State state) {
        JsonObject present = object.objects("status", "conditions").stream()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst()
                .orElseGet(JsonObject::new);
        String status = state.holds() ? "True" : "False";
        boolean same = present.string("status").equals(status);
        if (same
                && present.string("reason").equals(state.reason())
                && present.string("message").equals(state.message())) {
            return;
        }
        JsonObject condition = JsonObject.of(
                "type",
                type,
                "status",
                status,
                "lastTransitionTime",
                same ? present.get("lastTransitionTime") : verbs.cluster().now(),
                "message",
                state.message());
        condition.setUnlessEmpty("reason", state.reason());
        Target statusTarget = new Target(target.type(), target.version(), "", target.name(), "status");
        if (target.type().id().equals(SCHEMAS)) {
            apply(statusTarget, SCHEMA_MANAGER, condition);
        } else if (target.type().id().equals(RANGES)) {
            apply(statusTarget, RANGE_MANAGER, condition);
        } else {
            verbs.edit(statusTarget, API_MANAGER, live -> replace(live, condition));
        }
    }

    private void apply(Target target, String manager, JsonObject condition) {
        JsonObject wanted = JsonObject.of(
                        "apiVersion", target.apiVersion(), "kind", target.type().kind())
                .set("metadata", JsonObject.of("name", target.name()))
                .set("status", JsonObject.of("conditions", new ArrayList<@Nullable Object>(List.of(condition))));
        Body body = Body.of(wanted, 0);
        try {
            WriteOptions options = WriteOptions.of(manager).withForce(true);
            verbs.fenced(fence -> applying.apply(target, body, options.withFence(fence)));
        } catch (NotFoundException e) {
            // gone already
        }
    }

    private static void replace(JsonObject live, JsonObject condition) {
        List<@Nullable Object> conditions = new ArrayList<>(live.array("status", "conditions"));
        conditions.removeIf(each -> Json.string(each, "type").equals(condition.string("type")));
        conditions.add(condition);
        live.withObject("status").put("conditions", conditions);
    }
}
