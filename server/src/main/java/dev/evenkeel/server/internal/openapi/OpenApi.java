package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.server.internal.aggregation.Aggregation;
import dev.evenkeel.server.internal.discovery.Catalog;
import dev.evenkeel.server.internal.http.ApiPath;
import dev.evenkeel.server.internal.http.Digests;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /openapi/v2} and {@code /openapi/v3}.
 *
 * <p>Version 3 has a document for each version of a group, which clients fetch on demand and cache by its hash. The
 * hash is computed from the inputs of the document, so that the index, which every kubectl fetches, needs no document.
 * Version 2 is one document. Both are in JSON, and in protobuf for the clients that ask for it. Documents are created on first use and
 * cached until the types change.
 */
public final class OpenApi {
    /**
     * To be incremented when the same types result in other documents than before: clients cache documents across
     * servers.
     */
    private static final String GENERATION = "evenkeel-3";

    private static final String V2_PROTOBUF_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    private static final List<String> V2_TYPES =
            List.of(HttpExchange.JSON, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", V2_PROTOBUF_TYPE);

    private static final String V3_PROTOBUF_TYPE = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
    private static final List<String> V3_TYPES =
            List.of(HttpExchange.JSON, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", V3_PROTOBUF_TYPE);

    /** Enough for the documents of other servers, which may be as large. */
    private static final JsonLimits DOCUMENT = new JsonLimits(64 << 20, 500, 64 << 20, 1000, 50);

    /** The document of version 2 with the parts of other servers. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Merged(Set<String> parts, byte[] body, String hash) {}

    private final Optional<Aggregation> aggregation;
    private final boolean issuesTokens;

    /**
     * Creates the documents of a server.
     *
     * @param aggregation the APIs of other servers; empty where there are none
     * @param issuesTokens whether the server answers how its tokens can be checked
     */
    public OpenApi(Optional<Aggregation> aggregation, boolean issuesTokens) {
        this.aggregation = aggregation;
        this.issuesTokens = issuesTokens;
    }

    public void handle(HttpExchange call, ResourceApi partition) {
        // upstream answers any method
        List<String> segments = call.path().segments();
        String version = segments.size() < 2 ? "" : segments.get(1);
        if (version.equals("v2") && segments.size() == 2) {
            version2(call, partition);
        } else if (version.equals("v3") && segments.size() == 2) {
            index(call, partition);
        } else if (version.equals("v3")) {
            version3(call, partition, String.join("/", segments.subList(2, segments.size())));
        } else {
            throw Failures.noSuchPath();
        }
    }

    private void version2(HttpExchange call, ResourceApi partition) {
        Optional<String> accepted = accepted(call, V2_TYPES);
        if (accepted.isEmpty()) {
            notAcceptable(call);
            return;
        }
        boolean protobuf = !accepted.get().equals(HttpExchange.JSON);
        String name = protobuf ? "openapi/v2/protobuf" : "openapi/v2";
        Function<JsonObject, byte[]> encoder = protobuf ? SwaggerProtobuf::of : Json::write;
        Map<String, Aggregation.Swagger> parts =
                aggregation.map(all -> all.swaggers(partition)).orElse(Map.of());
        if (!parts.isEmpty()) {
            AtomicReference<@Nullable Merged> kept = partition.derived(name + "/merged", AtomicReference::new);
            Merged merged = kept.get();
            if (merged == null || !merged.parts.equals(parts.keySet())) {
                JsonObject tree = version2(Catalog.of(partition));
                parts.values().forEach(part -> SwaggerMerge.add(tree, part));
                byte[] whole = encoder.apply(tree);
                merged = new Merged(Set.copyOf(parts.keySet()), whole, Digests.hex(whole));
                kept.set(merged);
            }
            byte[] whole = merged.body;
            call.cached(protobuf ? V2_PROTOBUF_TYPE : HttpExchange.JSON, '"' + merged.hash + '"', () -> whole);
            return;
        }
        byte[] body = partition.derived(name, () -> encoder.apply(version2(Catalog.of(partition))));
        String hash = partition.derived(name + "/hash", () -> Digests.hex(body));
        call.cached(protobuf ? V2_PROTOBUF_TYPE : HttpExchange.JSON, '"' + hash + '"', () -> body);
    }

    /** Returns the first of the types that the first clause which covers one covers. */
    private static Optional<String> accepted(HttpExchange call, List<String> types) {
        String accept = call.accept().isBlank() ? "*/*" : call.accept();
        return MediaType.accept(accept).stream()
                .flatMap(clause -> types.stream()
                        .filter(type -> clause.covers(
                                type.substring(0, type.indexOf('/')), type.substring(type.indexOf('/') + 1))))
                .findFirst();
    }

    private static void notAcceptable(HttpExchange call) {
        call.transport().setHeader("Vary", "Accept");
        call.empty(406);
    }

    private JsonObject version2(Catalog catalog) {
        OpenApiSchemas schemas = new OpenApiSchemas(OpenApiSchemas.V2);
        catalog.versions().forEach(version -> version.resources().forEach(schemas::add));
        List<Route> routes = new ArrayList<>(general(catalog).values());
        catalog.versions().map(Routes::of).forEach(routes::addAll);
        SwaggerPaths paths = new SwaggerPaths(routes, schemas);
        return JsonObject.of("swagger", "2.0", "info", info())
                .set("paths", paths.paths())
                .set("definitions", schemas.definitions())
                .set("parameters", paths.parameters())
                .set("securityDefinitions", token())
                .set("security", List.of(JsonObject.of("BearerToken", List.of())));
    }

    /** Returns the operations that are about no version of a group, by the names of their documents. */
    private SortedMap<String, Route> general(Catalog catalog) {
        SortedMap<String, Route> routes = new TreeMap<>(Routes.roots(issuesTokens));
        catalog.groups().stream()
                .filter(group -> !group.name().isEmpty() && isBuiltIn(group.versions()))
                .forEach(group -> routes.put("apis/" + group.name(), Routes.group(group.name())));
        return routes;
    }

    private static boolean isBuiltIn(List<Catalog.GroupVersion> versions) {
        return versions.stream()
                .flatMap(version -> version.resources().stream())
                .anyMatch(Catalog.Resource::builtIn);
    }

    private static JsonObject info() {
        return JsonObject.of("title", "Kubernetes", "version", "1.36");
    }

    private static JsonObject token() {
        JsonObject token = JsonObject.of(
                "description",
                "Bearer Token authentication",
                "type",
                "apiKey",
                "name",
                "authorization",
                "in",
                "header");
        return JsonObject.of("BearerToken", token);
    }

    private void index(HttpExchange call, ResourceApi partition) {
        byte[] local = partition.derived("openapi/v3", () -> {
            JsonObject paths = new JsonObject();
            Catalog catalog = Catalog.of(partition);
            general(catalog)
                    .keySet()
                    .forEach(name -> paths.put(name, entry(call.path(), name, hash(GENERATION + "/" + name))));
            catalog.versions().forEach(version -> {
                String path = version.path();
                paths.put(path, entry(call.path(), path, hash(version)));
            });
            paths.sort(Comparator.naturalOrder());
            return Json.write(JsonObject.of("paths", paths));
        });
        byte[] body = local;
        Map<String, String> remote =
                aggregation.map(all -> all.openApiHashes(partition)).orElse(Map.of());
        if (!remote.isEmpty()) {
            JsonObject tree = Json.parseObject(local, JsonLimits.DEFAULT);
            JsonObject paths = tree.object("paths");
            remote.forEach((path, hash) -> paths.put(path, entry(call.path(), path, hash)));
            paths.sort(Comparator.naturalOrder());
            body = Json.write(tree);
        }
        // upstream's type for this document
        call.reply(200, HttpExchange.TEXT, body);
    }

    private static JsonObject entry(ApiPath request, String path, String hash) {
        return JsonObject.of("serverRelativeURL", url(request, path, hash));
    }

    /** Returns a URL within the same partition: it is relative to the server, not to the base of the client. */
    private static String url(ApiPath request, String path, String hash) {
        String partition = request.partition().equals("default") ? "" : "/partitions/" + request.partition();
        return partition + "/openapi/v3/" + path + "?hash=" + hash;
    }

    private void version3(HttpExchange call, ResourceApi partition, String path) {
        String remote = aggregation
                .map(all -> all.openApiHashes(partition).getOrDefault(path, ""))
                .orElse("");
        if (!remote.isEmpty()) {
            send(
                    call,
                    path,
                    remote,
                    () -> aggregation
                            .flatMap(all -> all.openApi(partition, path))
                            .orElseThrow(() -> Failures.of(
                                    503, "ServiceUnavailable", "the server of " + path + " does not answer")));
            return;
        }
        Catalog catalog = Catalog.of(partition);
        Optional<Catalog.GroupVersion> version =
                catalog.versions().filter(each -> each.path().equals(path)).findFirst();
        if (version.isPresent()) {
            String hash = partition.derived("openapi/v3/hash/" + path, () -> hash(version.get()));
            send(
                    call,
                    path,
                    hash,
                    () -> partition.derived("openapi/v3/" + path, () -> Json.write(version3(version.get()))));
            return;
        }
        Route general = general(catalog).get(path);
        if (general != null) {
            send(call, path, hash(GENERATION + "/" + path), () -> Json.write(version3(List.of(general))));
        } else {
            call.empty(404);
        }
    }

    private static void send(HttpExchange call, String path, String hash, Supplier<byte[]> document) {
        Optional<String> accepted = accepted(call, V3_TYPES);
        if (accepted.isEmpty()) {
            notAcceptable(call);
            return;
        }
        String wanted = call.query().first("hash");
        if (!wanted.isEmpty() && !wanted.equals(hash)) {
            call.transport().setHeader("Location", url(call.path(), path, hash));
            call.transport().setHeader("ETag", '"' + hash + '"');
            call.reply(301, HttpExchange.JSON, new byte[0]);
            return;
        }
        if (!wanted.isEmpty()) {
            call.transport().setHeader("Cache-Control", "public, immutable");
            call.transport().setHeader("Expires", "Fri, 31 Dec 2100 00:00:00 GMT");
        }
        if (accepted.get().equals(HttpExchange.JSON)) {
            call.cached(HttpExchange.JSON, '"' + hash + '"', document);
        } else { // other servers of the control plane, which ask once
            call.cached(
                    V3_PROTOBUF_TYPE,
                    '"' + hash + '"',
                    () -> OpenApiProtobuf.of(Json.parseObject(document.get(), DOCUMENT)));
        }
    }

    private static JsonObject version3(Catalog.GroupVersion version) {
        OpenApiSchemas schemas = new OpenApiSchemas(OpenApiSchemas.V3);
        version.resources().forEach(schemas::add);
        boolean builtIn = isBuiltIn(List.of(version));
        JsonObject info = builtIn ? info() : JsonObject.of("title", "Kubernetes CRD Swagger", "version", "v0.1.0");
        return version3(info, Routes.of(version), schemas, builtIn);
    }

    private static JsonObject version3(List<Route> routes) {
        return version3(info(), routes, new OpenApiSchemas(OpenApiSchemas.V3), true);
    }

    private static JsonObject version3(JsonObject info, List<Route> routes, OpenApiSchemas schemas, boolean token) {
        JsonObject document =
                JsonObject.of("openapi", "3.0.0", "info", info, "paths", OpenApiPaths.of(routes, schemas));
        JsonObject components = new JsonObject().setUnlessEmpty("schemas", schemas.definitions());
        return document.set("components", token ? components.set("securitySchemes", token()) : components);
    }

    /**
     * Hashes the properties that distinguish the documents of a version of a group: names, scopes, schemas as given.
     */
    private static String hash(Catalog.GroupVersion version) {
        StringBuilder text = new StringBuilder(GENERATION).append(version.text());
        for (Catalog.Resource resource : version.resources()) {
            text.append(resource.type().kind())
                    .append(resource.type().namespaced())
                    .append(resource.verbs())
                    .append(resource.subresources());
            if (resource.type().origin() != Origin.BUILT_IN) {
                text.append(Json.text(resource.version().schema().source()));
            }
        }
        return hash(text.toString());
    }

    private static String hash(String text) {
        return Digests.hex(text.getBytes(StandardCharsets.UTF_8));
    }
}
