package dev.evenkeel.server.internal.discovery;

import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.MediaType;
import dev.evenkeel.server.internal.http.Representation;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * Serves discovery: the legacy documents, one for each group and version, and the aggregated ones, which list
 * everything at once and are cached by their ETag.
 *
 * <p>Documents are created on first use and cached until the types change.
 */
public final class Discovery {
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    /** A document and the tag by which clients know it. */
    @SuppressWarnings("ArrayRecordComponent") // never leaves this class
    private record Tagged(byte[] body, String etag) {}

    private static Catalog catalog(ResourceApi partition) {
        return partition.derived(Catalog.class, () -> Catalog.of(partition.types()));
    }

    /** Answers a request for {@code /api}, {@code /apis} or a path below without a resource. */
    public void handle(HttpExchange call, ResourceApi partition) {
        List<String> segments = call.path().segments();
        boolean core = call.path().first().equals("api");
        // upstream answers any method at the roots
        if (segments.size() == 1) {
            if (aggregated(call)) {
                sendAggregated(call, partition, core);
            } else {
                Representation form = Representation.negotiate(call.accept(), false);
                call.reply(200, core ? versions(call) : groupList(catalog(partition)), form.yaml());
            }
            return;
        }
        Catalog catalog = catalog(partition);
        String groupName = core ? "" : segments.get(1);
        Catalog.Group group = catalog.groups().stream()
                .filter(g -> g.name().equals(groupName))
                .findFirst()
                .orElseThrow(() -> Failures.noSuchPath(partition, groupName));
        boolean wantsVersion = core || segments.size() == 3;
        String versionName = !wantsVersion ? "" : segments.getLast();
        Optional<Catalog.GroupVersion> version = group.versions().stream()
                .filter(v -> v.version().equals(versionName))
                .findFirst();
        if (wantsVersion && version.isEmpty()) {
            throw Failures.noSuchPath(partition, groupName);
        }
        if (!call.method().equals("GET")) {
            throw Failures.noSuchMethod();
        }
        Representation form = Representation.negotiate(call.accept(), false);
        call.reply(200, version.map(Discovery::resourceList).orElseGet(() -> group(group)), form.yaml());
    }

    /** Returns true if the aggregated form is the one that the client prefers among the available ones. */
    private static boolean aggregated(HttpExchange call) {
        if (call.accept().isEmpty()) {
            return false;
        }
        for (MediaType clause : MediaType.accept(call.accept())) {
            if (clause.covers("application", "json")) {
                String as = clause.parameter("as");
                if (as.isEmpty()) {
                    return false;
                }
                if (as.equals("APIGroupDiscoveryList")
                        && clause.parameter("g").equals("apidiscovery.k8s.io")
                        && clause.parameter("v").equals("v2")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void sendAggregated(HttpExchange call, ResourceApi partition, boolean core) {
        Tagged document = partition.derived(
                core ? "discovery/api" : "discovery/apis", () -> tagged(aggregatedList(catalog(partition), core)));
        var headers = call.response().getHeaders();
        headers.put(HttpHeader.CACHE_CONTROL, "public");
        headers.put(HttpHeader.ETAG, document.etag);
        headers.put(HttpHeader.VARY, "Accept");
        if (call.header("If-None-Match").equals(document.etag)) {
            call.notModified();
        } else {
            call.reply(200, AGGREGATED, document.body);
        }
    }

    private static Tagged tagged(JsonObject tree) {
        byte[] body = Json.write(tree);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-512").digest(body);
            return new Tagged(body, '"' + HexFormat.of().withUpperCase().formatHex(digest) + '"');
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-512", e);
        }
    }

    /** Answers {@code /} with the served paths. */
    public void paths(HttpExchange call, ResourceApi partition) {
        if (!call.method().equals("GET")) {
            throw Failures.noSuchMethod();
        }
        List<String> paths = new ArrayList<>(List.of(
                "/api",
                "/apis",
                "/healthz",
                "/healthz/ping",
                "/livez",
                "/livez/ping",
                "/metrics",
                "/openapi/v2",
                "/openapi/v3",
                "/readyz",
                "/readyz/ping",
                "/version"));
        for (Catalog.Group group : catalog(partition).groups()) {
            String root = group.name().isEmpty() ? "/api" : "/apis/" + group.name();
            paths.add(root);
            group.versions().forEach(version -> paths.add(root + "/" + version.version()));
        }
        JsonObject tree = new JsonObject();
        tree.put(
                "paths",
                new ArrayList<@Nullable Object>(
                        paths.stream().distinct().sorted().toList()));
        call.reply(200, tree, false);
    }

    private static JsonObject versions(HttpExchange call) {
        JsonObject address = new JsonObject();
        address.put("clientCIDR", "0.0.0.0/0");
        address.put("serverAddress", call.serverAddress());
        JsonObject tree = new JsonObject();
        tree.put("kind", "APIVersions");
        tree.put("versions", list("v1"));
        tree.put("serverAddressByClientCIDRs", list(address));
        return tree;
    }

    private static List<@Nullable Object> list(Object item) {
        List<@Nullable Object> list = new ArrayList<>(1);
        list.add(item);
        return list;
    }

    private static JsonObject groupList(Catalog catalog) {
        List<@Nullable Object> groups = new ArrayList<>();
        for (Catalog.Group group : catalog.groups()) {
            if (!group.name().isEmpty()) {
                JsonObject tree = group(group);
                tree.remove("kind");
                tree.remove("apiVersion");
                groups.add(tree);
            }
        }
        JsonObject tree = new JsonObject();
        tree.put("kind", "APIGroupList");
        tree.put("apiVersion", "v1");
        tree.put("groups", groups);
        return tree;
    }

    private static JsonObject group(Catalog.Group group) {
        List<@Nullable Object> versions = new ArrayList<>();
        group.versions().forEach(version -> versions.add(groupVersion(version)));
        JsonObject tree = new JsonObject();
        tree.put("kind", "APIGroup");
        tree.put("apiVersion", "v1");
        tree.put("name", group.name());
        tree.put("versions", versions);
        tree.put("preferredVersion", groupVersion(group.versions().getFirst()));
        return tree;
    }

    private static JsonObject groupVersion(Catalog.GroupVersion version) {
        JsonObject tree = new JsonObject();
        tree.put("groupVersion", version.text());
        tree.put("version", version.version());
        return tree;
    }

    private static JsonObject resourceList(Catalog.GroupVersion version) {
        List<@Nullable Object> resources = new ArrayList<>();
        for (Catalog.Resource resource : version.resources()) {
            resources.add(resource(resource));
            for (Catalog.Subresource subresource : resource.subresources()) {
                resources.add(subresource(resource, subresource));
            }
        }
        JsonObject tree = new JsonObject();
        tree.put("kind", "APIResourceList");
        if (!version.group().isEmpty()) {
            tree.put("apiVersion", "v1");
        }
        tree.put("groupVersion", version.text());
        tree.put("resources", resources);
        return tree;
    }

    private static JsonObject resource(Catalog.Resource resource) {
        JsonObject tree = new JsonObject();
        tree.put("name", resource.type().plural());
        tree.put("singularName", resource.type().singular());
        tree.put("namespaced", resource.type().namespaced());
        tree.put("kind", resource.type().kind());
        tree.put("verbs", new ArrayList<@Nullable Object>(resource.verbs()));
        putNames(tree, resource);
        if (!resource.storageHash().isEmpty()) {
            tree.put("storageVersionHash", resource.storageHash());
        }
        return tree;
    }

    private static void putNames(JsonObject tree, Catalog.Resource resource) {
        if (!resource.type().shortNames().isEmpty()) {
            tree.put(
                    "shortNames",
                    new ArrayList<@Nullable Object>(resource.type().shortNames()));
        }
        if (!resource.type().categories().isEmpty()) {
            tree.put(
                    "categories",
                    new ArrayList<@Nullable Object>(resource.type().categories()));
        }
    }

    private static JsonObject subresource(Catalog.Resource resource, Catalog.Subresource subresource) {
        JsonObject tree = new JsonObject();
        tree.put("name", resource.type().plural() + "/" + subresource.name());
        tree.put("singularName", "");
        tree.put("namespaced", resource.type().namespaced());
        if (!subresource.version().isEmpty()) {
            tree.put("group", subresource.group());
            tree.put("version", subresource.version());
        }
        tree.put("kind", subresource.kind());
        tree.put("verbs", new ArrayList<@Nullable Object>(subresource.verbs()));
        return tree;
    }

    private static JsonObject aggregatedList(Catalog catalog, boolean core) {
        List<@Nullable Object> items = new ArrayList<>();
        for (Catalog.Group group : catalog.groups()) {
            if (group.name().isEmpty() == core) {
                items.add(aggregatedGroup(group));
            }
        }
        JsonObject tree = new JsonObject();
        tree.put("kind", "APIGroupDiscoveryList");
        tree.put("apiVersion", "apidiscovery.k8s.io/v2");
        tree.put("metadata", new JsonObject());
        tree.put("items", items);
        return tree;
    }

    private static JsonObject aggregatedGroup(Catalog.Group group) {
        JsonObject metadata = new JsonObject();
        if (!group.name().isEmpty()) {
            metadata.put("name", group.name());
        }
        List<@Nullable Object> versions = new ArrayList<>();
        for (Catalog.GroupVersion version : group.versions()) {
            List<@Nullable Object> resources = new ArrayList<>();
            version.resources().forEach(resource -> resources.add(aggregatedResource(version, resource)));
            JsonObject tree = new JsonObject();
            tree.put("version", version.version());
            tree.put("resources", resources);
            tree.put("freshness", "Current");
            versions.add(tree);
        }
        JsonObject tree = new JsonObject();
        tree.put("metadata", metadata);
        tree.put("versions", versions);
        return tree;
    }

    private static JsonObject aggregatedResource(Catalog.GroupVersion version, Catalog.Resource resource) {
        JsonObject tree = new JsonObject();
        tree.put("resource", resource.type().plural());
        tree.put(
                "responseKind",
                responseKind(version, resource, "", "", resource.type().kind()));
        tree.put("scope", resource.type().namespaced() ? "Namespaced" : "Cluster");
        tree.put("singularResource", resource.type().singular());
        tree.put("verbs", new ArrayList<@Nullable Object>(resource.verbs()));
        putNames(tree, resource);
        if (!resource.subresources().isEmpty()) {
            List<@Nullable Object> subresources = new ArrayList<>();
            for (Catalog.Subresource subresource : resource.subresources()) {
                JsonObject item = new JsonObject();
                item.put("subresource", subresource.name());
                item.put(
                        "responseKind",
                        responseKind(
                                version, resource, subresource.group(), subresource.version(), subresource.kind()));
                item.put("verbs", new ArrayList<@Nullable Object>(subresource.verbs()));
                subresources.add(item);
            }
            tree.put("subresources", subresources);
        }
        return tree;
    }

    /** Built-in kinds leave group and version empty when they are those of the list; custom ones repeat them. */
    private static JsonObject responseKind(
            Catalog.GroupVersion list, Catalog.Resource resource, String group, String version, String kind) {
        boolean own = version.isEmpty();
        boolean repeat = own && !resource.builtIn();
        JsonObject tree = new JsonObject();
        tree.put("group", repeat ? list.group() : group);
        tree.put("version", repeat ? list.version() : version);
        tree.put("kind", kind);
        return tree;
    }
}
