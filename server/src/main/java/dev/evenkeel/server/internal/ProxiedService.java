package dev.evenkeel.server.internal;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.internal.http.Failures;
import java.util.Optional;

/**
 * Finds the pod that a request to a service is forwarded to, by the Endpoints of the service's name. The service itself is
 * only read for the name of a port that is given by its number.
 */
final class ProxiedService {
    private final ResourceApi partition;
    private final Target service;
    private final User user;

    ProxiedService(ResourceApi partition, Target service, User user) {
        this.partition = partition;
        this.service = service;
        this.user = user;
    }

    /**
     * Returns a pod with an address among the endpoints.
     *
     * @throws ApiException with 404 if there is no Endpoints object, with 503 if none of its addresses belongs to a pod
     */
    JsonObject pod(ProxyAddress address) {
        String port = portName(address);
        JsonObject endpoints =
                find("endpoints", address.name()).orElseThrow(() -> Refusal.notFound(service.type(), address.name()));
        if (endpoints.array("subsets").isEmpty()) {
            throw noEndpoints(address.name());
        }
        return endpoints.objects("subsets").stream()
                .filter(subset -> subset.objects("ports").stream()
                        .anyMatch(each -> each.string("name").equals(port)))
                .flatMap(subset -> subset.objects("addresses").stream())
                .flatMap(each -> pod(each).stream())
                .findFirst()
                .orElseThrow(() -> noEndpoints(service.name()));
    }

    private String portName(ProxyAddress address) {
        long number;
        try {
            number = Long.parseLong(address.port());
        } catch (NumberFormatException e) {
            return address.port();
        }
        return find("services", address.name())
                .orElseThrow(() -> Refusal.notFound(service.type(), address.name()))
                .objects("spec", "ports")
                .stream()
                .filter(port -> port.integer("port") == number)
                .map(port -> port.string("name"))
                .findFirst()
                .orElseThrow(() -> unavailable(
                        "no service port " + number + " found for service " + Failures.quoted(address.name())));
    }

    /** Returns the pod of an address of endpoints; empty unless it has this address. */
    private Optional<JsonObject> pod(JsonObject address) {
        JsonObject owner = address.object("targetRef");
        if (!owner.string("namespace").equals(service.namespace())) {
            return Optional.empty();
        }
        return find("pods", owner.string("name"))
                .filter(pod -> pod.objects("status", "podIPs").stream()
                        .anyMatch(each -> each.string("ip").equals(address.string("ip"))));
    }

    private Optional<JsonObject> find(String plural, String name) {
        Target type = partition.resource("", "v1", plural).orElseThrow();
        Target target = Target.of(type.type(), type.version(), service.namespace(), name);
        try {
            return Optional.of(partition.get(target, "", user).tree());
        } catch (ApiException e) {
            if (e.status().code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static ApiException noEndpoints(String name) {
        return unavailable("no endpoints available for service " + Failures.quoted(name));
    }

    private static ApiException unavailable(String message) {
        return ApiException.of(Status.of(503, "ServiceUnavailable", message));
    }
}
