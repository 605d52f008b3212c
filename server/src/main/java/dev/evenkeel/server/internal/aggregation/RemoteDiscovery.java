package dev.evenkeel.server.internal.aggregation;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.service.RemoteApis.Api;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks servers of APIs for their resources: as upstream, an API is available if its server answers that, and the answer
 * is what discovery shows of it.
 */
final class RemoteDiscovery {
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 8 * 1024 * 1024;
    static final User SELF = new User("system:kube-aggregator", "", List.of(User.MASTERS));

    private final RemoteServers servers;
    private final Map<String, JsonObject> known = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();

    RemoteDiscovery(RemoteServers servers) {
        this.servers = servers;
    }

    /** Asks a server, and returns what is wrong; empty when it has answered. */
    Optional<String> problem(ResourceApi partition, Api api) {
        String path = "/apis/" + api.group() + "/" + api.version();
        String url = "https://" + api.service() + "." + api.namespace() + ".svc:" + api.port() + path;
        try {
            URI address = servers.address(partition, api);
            url = address + path;
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(LONGEST).header("Accept", "application/json");
            RemoteServers.identify(request, SELF);
            HttpResponse<InputStream> answer =
                    servers.client(api, address).send(request.build(), BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                if (answer.statusCode() < 200 || answer.statusCode() >= 300) {
                    return failing(url, "bad status from " + url + ": " + answer.statusCode());
                }
                JsonObject list = list(body.readNBytes(MOST_BYTES));
                if (!list.equals(known.put(key(partition, api), list))) {
                    changes.incrementAndGet();
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return failing(url, "Get \"" + url + "\": " + Forwarder.reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failing(url, "interrupted");
        }
    }

    /** Returns a number that grows with each change of the resources. */
    long changes() {
        return changes.get();
    }

    private static Optional<String> failing(String url, String why) {
        return Optional.of("failing or missing response from " + url + ": " + why);
    }

    /** Returns the list of an answer; one without resources if it is something else. */
    private static JsonObject list(byte[] body) {
        try {
            return Json.object(Json.parse(body, JsonLimits.DEFAULT)).orElseGet(JsonObject::new);
        } catch (JsonException e) {
            return new JsonObject();
        }
    }

    private static String key(ResourceApi partition, Api api) {
        return partition.name() + "/" + api.name();
    }

    /** Returns a version of a group as aggregated discovery shows it. */
    JsonObject version(ResourceApi partition, Api api) {
        if (api.available() && !known.containsKey(key(partition, api))) {
            var unused = problem(partition, api); // another engine has asked the server, or this one before a restart
        }
        JsonObject list = known.getOrDefault(key(partition, api), new JsonObject());
        return JsonObject.of(
                "version",
                api.version(),
                "resources",
                resources(list, api),
                "freshness",
                api.available() ? "Current" : "Stale");
    }

    private static List<JsonObject> resources(JsonObject list, Api api) {
        List<JsonObject> resources = new ArrayList<>();
        for (JsonObject each : list.objects("resources")) {
            if (each.string("name").indexOf('/') < 0) {
                resources.add(resource(list, each, api));
            }
        }
        return resources;
    }

    private static JsonObject resource(JsonObject list, JsonObject listed, Api api) {
        String name = listed.string("name");
        List<JsonObject> subresources = list.objects("resources").stream()
                .filter(each -> each.string("name").startsWith(name + "/"))
                .map(each -> JsonObject.of(
                        "subresource",
                        each.string("name").substring(name.length() + 1),
                        "responseKind",
                        kind(each, api),
                        "verbs",
                        each.strings("verbs")))
                .toList();
        return JsonObject.of("resource", name)
                .set("responseKind", kind(listed, api))
                .set("scope", listed.bool("namespaced") ? "Namespaced" : "Cluster")
                .set("singularResource", listed.string("singularName"))
                .set("verbs", listed.strings("verbs"))
                .setUnlessEmpty("shortNames", listed.strings("shortNames"))
                .setUnlessEmpty("categories", listed.strings("categories"))
                .setUnlessEmpty("subresources", subresources);
    }

    private static JsonObject kind(JsonObject listed, Api api) {
        boolean other = !listed.string("version").isEmpty();
        return JsonObject.of(
                "group", other ? listed.string("group") : api.group(),
                "version", other ? listed.string("version") : api.version(),
                "kind", listed.string("kind"));
    }
}
