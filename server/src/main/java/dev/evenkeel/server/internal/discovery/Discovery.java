package dev.evenkeel.server.internal.discovery;

import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.service.RemoteApis.Api;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.server.internal.aggregation.Aggregation;
import dev.evenkeel.server.internal.http.Digests;
import dev.evenkeel.server.internal.http.Encoding;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.MediaType;
import dev.evenkeel.server.internal.http.Representation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves discovery: the legacy documents, one for each group and version, and the aggregated ones, which list
 * everything at once and are cached by their ETag.
 *
 * <p>Documents are created on first use and cached until the types change, or what other servers serve.
 */
public final class Discovery {
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    /** A document and the tag by which clients know it. */
    @SuppressWarnings("ArrayRecordComponent") // never leaves this class
    private record Tagged(byte[] body, String etag) {}

    /** The document with what other servers serve, and what it was made of. */
    private record Remote(Map<String, Api> apis, long changes, Tagged document) {}

    private final Optional<Aggregation> aggregation;

    /**
     * Creates the documents of a server.
     *
     * @param aggregation the APIs of other servers; empty where there are none
     */
    public Discovery(Optional<Aggregation> aggregation) {
        this.aggregation = aggregation;
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
                Encoding encoding = Representation.negotiateDocument(call.accept());
                call.reply(200, core ? versions(call) : groupList(partition), encoding);
            }
            return;
        }
        Catalog catalog = Catalog.of(partition);
        String groupName = core ? "" : segments.get(1);
        if (!core && segments.size() == 2 && isRemote(partition, groupName)) {
            call.requireGet();
            JsonObject tree = JsonObject.of("kind", "APIGroup", "apiVersion", "v1");
            groups(partition).stream()
                    .filter(each -> each.string("name").equals(groupName))
                    .forEach(tree::putAll);
            call.reply(200, tree, Representation.negotiateDocument(call.accept()));
            return;
        }
        Catalog.Group group = catalog.groups().stream()
                .filter(g -> g.name().equals(groupName))
                .findFirst()
                .orElseThrow(() -> Failures.noSuchPath(partition, groupName));
        boolean wantsVersion = core || segments.size() == 3;
        Optional<Catalog.GroupVersion> version = group.versions().stream()
                .filter(v -> wantsVersion && v.version().equals(segments.getLast()))
                .findFirst();
        if (wantsVersion && version.isEmpty()) {
            throw Failures.noSuchPath(partition, groupName);
        }
        call.requireGet();
        Encoding encoding = Representation.negotiateDocument(call.accept());
        call.reply(200, version.map(Discovery::resourceList).orElseGet(() -> group(group)), encoding);
    }

    /** Returns true if a clause asks for the aggregated form; as upstream, others may even be preferred. */
    private static boolean aggregated(HttpExchange call) {
        return MediaType.accept(call.accept()).stream()
                .anyMatch(clause -> clause.covers("application", "json")
                        && clause.parameter("as").equals("APIGroupDiscoveryList")
                        && clause.parameter("g").equals("apidiscovery.k8s.io")
                        && clause.parameter("v").equals("v2"));
    }

    /** Returns whether another server serves a version of a group. */
    private boolean isRemote(ResourceApi partition, String group) {
        return aggregation.isPresent()
                && partition.remoteApis().values().stream()
                        .anyMatch(api -> api.group().equals(group));
    }

    private void sendAggregated(HttpExchange call, ResourceApi partition, boolean core) {
        Tagged document =
                !core && aggregation.isPresent() && !partition.remoteApis().isEmpty()
                        ? remote(partition, aggregation.get())
                        : partition.derived(
                                core ? "discovery/api" : "discovery/apis",
                                () -> tagged(aggregatedList(Catalog.of(partition), core)));
        call.transport().setHeader("Cache-Control", "public");
        call.cached(AGGREGATED, document.etag, () -> document.body);
    }

    private static Tagged remote(ResourceApi partition, Aggregation aggregation) {
        AtomicReference<@Nullable Remote> kept = partition.derived("discovery/remote", AtomicReference::new);
        Map<String, Api> apis = Map.copyOf(partition.remoteApis());
        long changes = aggregation.changes();
        Remote present = kept.get();
        if (present == null || present.changes != changes || !present.apis.equals(apis)) {
            present = new Remote(apis, changes, tagged(withRemote(partition, aggregation)));
            kept.set(present);
        }
        return present.document;
    }

    private static Tagged tagged(JsonObject tree) {
        byte[] body = Json.write(tree);
        return new Tagged(body, '"' + Digests.hex(body) + '"');
    }

    /**
     * Answers {@code /} with the served paths.
     *
     * @param health the paths of health checks
     */
    public void paths(HttpExchange call, ResourceApi partition, List<String> health) {
        Set<String> paths = new TreeSet<>(health);
        paths.addAll(List.of("/api", "/apis", "/metrics", "/metrics/slis", "/openapi/v2", "/openapi/v3", "/version"));
        for (Catalog.Group group : Catalog.of(partition).groups()) {
            String root = group.name().isEmpty() ? "/api" : "/apis/" + group.name();
            paths.add(root);
            group.versions().forEach(version -> paths.add(root + "/" + version.version()));
        }
        call.reply(200, JsonObject.of("paths", List.copyOf(paths)), Encoding.JSON);
    }

    private static JsonObject versions(HttpExchange call) {
        JsonObject address = JsonObject.of("clientCIDR", "0.0.0.0/0", "serverAddress", call.serverAddress());
        return JsonObject.of("kind", "APIVersions")
                .set("versions", List.of("v1"))
                .set("serverAddressByClientCIDRs", List.of(address));
    }

    private JsonObject groupList(ResourceApi partition) {
        return JsonObject.of("kind", "APIGroupList", "apiVersion", "v1", "groups", groups(partition));
    }

    /** Returns the groups of the partition, and those of other servers behind them. */
    private List<JsonObject> groups(ResourceApi partition) {
        List<JsonObject> groups = new ArrayList<>();
        Catalog.of(partition).groups().stream()
                .filter(group -> !group.name().isEmpty())
                .forEach(group -> groups.add(groupMembers(group)));
        if (aggregation.isPresent()) {
            for (Api api : Aggregation.apis(partition)) {
                JsonObject version =
                        JsonObject.of("groupVersion", api.group() + "/" + api.version(), "version", api.version());
                add(
                        groups,
                        group -> group.string("name").equals(api.group()),
                        () -> JsonObject.of("name", api.group())
                                .set("versions", new ArrayList<@Nullable Object>())
                                .set("preferredVersion", version),
                        version);
            }
        }
        return groups;
    }

    /** Returns the aggregated list with what other servers serve. */
    private static JsonObject withRemote(ResourceApi partition, Aggregation aggregation) {
        JsonObject list = aggregatedList(Catalog.of(partition), false);
        List<JsonObject> items = new ArrayList<>(list.objects("items"));
        for (Api api : Aggregation.apis(partition)) {
            add(
                    items,
                    group -> group.string("metadata", "name").equals(api.group()),
                    () -> JsonObject.of("metadata", JsonObject.of("name", api.group()))
                            .set("versions", new ArrayList<@Nullable Object>()),
                    aggregation.discovered(partition, api));
        }
        return list.set("items", items);
    }

    /** Adds a version to its group, in place of the same one, and the group if it is new. */
    private static void add(
            List<JsonObject> groups, Predicate<JsonObject> isGroup, Supplier<JsonObject> created, JsonObject version) {
        JsonObject group = groups.stream().filter(isGroup).findFirst().orElseGet(() -> {
            JsonObject added = created.get();
            groups.add(added);
            return added;
        });
        List<JsonObject> versions = new ArrayList<>(group.objects("versions"));
        versions.removeIf(each -> each.string("version").equals(version.string("version")));
        versions.add(version);
        group.put("versions", versions);
    }

    private static JsonObject group(Catalog.Group group) {
        JsonObject tree = JsonObject.of("kind", "APIGroup", "apiVersion", "v1");
        tree.putAll(groupMembers(group));
        return tree;
    }

    private static JsonObject groupMembers(Catalog.Group group) {
        List<JsonObject> versions =
                group.versions().stream().map(Discovery::groupVersion).toList();
        return JsonObject.of("name", group.name(), "versions", versions, "preferredVersion", versions.getFirst());
    }

    private static JsonObject groupVersion(Catalog.GroupVersion version) {
        return JsonObject.of("groupVersion", version.text(), "version", version.version());
    }

    private static JsonObject resourceList(Catalog.GroupVersion version) {
        List<JsonObject> resources = new ArrayList<>();
        for (Catalog.Resource resource : version.resources()) {
            resources.add(resource(resource));
            resource.subresources().forEach(subresource -> resources.add(subresource(resource, subresource)));
        }
        JsonObject tree = JsonObject.of("kind", "APIResourceList");
        if (!version.group().isEmpty()) {
            tree.put("apiVersion", "v1");
        }
        return tree.set("groupVersion", version.text()).set("resources", resources);
    }

    private static JsonObject resource(Catalog.Resource resource) {
        ResourceType type = resource.type();
        JsonObject tree = JsonObject.of("name", type.plural(), "singularName", type.singular())
                .set("namespaced", type.namespaced())
                .set("kind", type.kind())
                .set("verbs", resource.verbs());
        return withNames(tree, type).setUnlessEmpty("storageVersionHash", resource.storageHash());
    }

    private static JsonObject withNames(JsonObject tree, ResourceType type) {
        return tree.setUnlessEmpty("shortNames", type.shortNames()).setUnlessEmpty("categories", type.categories());
    }

    private static JsonObject subresource(Catalog.Resource resource, Catalog.Subresource subresource) {
        JsonObject tree = JsonObject.of("name", resource.type().plural() + "/" + subresource.name())
                .set("singularName", "")
                .set("namespaced", resource.type().namespaced());
        if (!subresource.version().isEmpty()) {
            tree.set("group", subresource.group()).set("version", subresource.version());
        }
        return tree.set("kind", subresource.kind()).set("verbs", subresource.verbs());
    }

    private static JsonObject aggregatedList(Catalog catalog, boolean core) {
        List<JsonObject> items = catalog.groups().stream()
                .filter(group -> group.name().isEmpty() == core)
                .map(Discovery::aggregatedGroup)
                .toList();
        return JsonObject.of("kind", "APIGroupDiscoveryList", "apiVersion", "apidiscovery.k8s.io/v2")
                .set("metadata", new JsonObject())
                .set("items", items);
    }

    private static JsonObject aggregatedGroup(Catalog.Group group) {
        JsonObject metadata = group.name().isEmpty() ? new JsonObject() : JsonObject.of("name", group.name());
        List<JsonObject> versions = new ArrayList<>();
        for (Catalog.GroupVersion version : group.versions()) {
            List<JsonObject> resources = version.resources().stream()
                    .map(resource -> aggregatedResource(version, resource))
                    .toList();
            versions.add(JsonObject.of("version", version.version(), "resources", resources, "freshness", "Current"));
        }
        return JsonObject.of("metadata", metadata, "versions", versions);
    }

    private static JsonObject aggregatedResource(Catalog.GroupVersion version, Catalog.Resource resource) {
        ResourceType type = resource.type();
        JsonObject tree = JsonObject.of("resource", type.plural())
                .set("responseKind", responseKind(version, resource, "", "", type.kind()))
                .set("scope", type.namespaced() ? "Namespaced" : "Cluster")
                .set("singularResource", type.singular())
                .set("verbs", resource.verbs());
        List<JsonObject> subresources = new ArrayList<>();
        for (Catalog.Subresource sub : resource.subresources()) {
            JsonObject kind = responseKind(version, resource, sub.group(), sub.version(), sub.kind());
            subresources.add(JsonObject.of("subresource", sub.name(), "responseKind", kind, "verbs", sub.verbs()));
        }
        return withNames(tree, type).setUnlessEmpty("subresources", subresources);
    }

    /** Built-in kinds leave group and version empty when they are those of the list; custom ones repeat them. */
    private static JsonObject responseKind(
            Catalog.GroupVersion list, Catalog.Resource resource, String group, String version, String kind) {
        boolean repeat = version.isEmpty() && !resource.builtIn();
        return JsonObject.of(
                "group", repeat ? list.group() : group, "version", repeat ? list.version() : version, "kind", kind);
    }
}
