package dev.evenkeel.server.internal.aggregation;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.service.RemoteApis.Api;
import dev.evenkeel.server.internal.http.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The OpenAPI documents of the servers of APIs.
 *
 * <p>They are read when a client requests those of this server, at most every ten seconds, and with the tag by which they
 * are known, so that a server sends a document once. A server that does not answer has none.
 */
final class RemoteOpenApi {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteOpenApi.class);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final int MOST_BYTES = 32 * 1024 * 1024;
    private static final int MOST_DOCUMENTS = 256;

    /** A document as a server sent it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Document(String etag, byte[] body, long readNanos) {
        boolean fresh() {
            return System.nanoTime() - readNanos < FRESH.toNanos();
        }
    }

    private final RemoteServers servers;
    private final Map<String, Document> known = new ConcurrentHashMap<>();

    RemoteOpenApi(RemoteServers servers) {
        this.servers = servers;
    }

    /** Returns the hashes of the documents of version 3, by their paths, such as {@code apis/metrics.k8s.io/v1beta1}. */
    Map<String, String> hashes(ResourceApi partition) {
        Map<String, String> hashes = new TreeMap<>();
        for (Api api : Aggregation.apis(partition)) {
            String path = "apis/" + api.group() + "/" + api.version();
            read(partition, api, "/openapi/v3")
                    .flatMap(RemoteOpenApi::tree)
                    .map(index -> index.object("paths").object(path).string("serverRelativeURL"))
                    .filter(url -> !url.isEmpty())
                    .ifPresent(url -> hashes.put(path, hash(url)));
        }
        return hashes;
    }

    private static String hash(String url) {
        int at = url.indexOf("hash=");
        return at < 0
                ? Digests.hex(url.getBytes(StandardCharsets.UTF_8))
                : url.substring(at + 5).replaceAll("&.*", "");
    }

    /** Returns a document of version 3; empty if its server does not send it. */
    Optional<byte[]> version3(ResourceApi partition, String path) {
        return Aggregation.apis(partition).stream()
                .filter(api -> path.equals("apis/" + api.group() + "/" + api.version()))
                .findFirst()
                .flatMap(api -> read(partition, api, "/openapi/v3/" + path))
                .map(Document::body);
    }

    /** Returns the documents of version 2 by their APIs and tags. */
    Map<String, Aggregation.Swagger> version2(ResourceApi partition) {
        Map<String, Aggregation.Swagger> all = new TreeMap<>();
        for (Api api : Aggregation.apis(partition)) {
            read(partition, api, "/openapi/v2")
                    .ifPresent(document -> all.put(
                            api.name() + " " + document.etag,
                            new Aggregation.Swagger(api, () -> tree(document).orElseGet(JsonObject::new))));
        }
        return all;
    }

    private static Optional<JsonObject> tree(Document document) {
        try {
            return Json.object(Json.parse(document.body, new JsonLimits(MOST_BYTES, 500, MOST_BYTES, 1000, 0)));
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    private Optional<Document> read(ResourceApi partition, Api api, String path) {
        if (!api.available()) {
            return Optional.empty();
        }
        String key = partition.name() + "/" + api + path;
        Document present = known.get(key);
        if (present != null && present.fresh()) {
            return Optional.of(present);
        }
        try {
            Document read = request(partition, api, path, present);
            if (known.size() >= MOST_DOCUMENTS) {
                known.clear(); // APIs that have changed are not read again
            }
            known.put(key, read);
            return Optional.of(read);
        } catch (IOException e) {
            LOG.debug("no OpenAPI document of {}", api.name(), e);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Document request(ResourceApi partition, Api api, String path, @Nullable Document present)
            throws IOException, InterruptedException {
        URI address = servers.address(partition, api);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(LONGEST)
                .header("Accept", "application/json");
        if (present != null) {
            request.header("If-None-Match", present.etag);
        }
        RemoteServers.identify(request, RemoteDiscovery.SELF);
        HttpResponse<InputStream> answer =
                servers.client(api, address).send(request.build(), BodyHandlers.ofInputStream());
        try (InputStream in = answer.body()) {
            if (answer.statusCode() == 304 && present != null) {
                return new Document(present.etag, present.body, System.nanoTime());
            }
            if (answer.statusCode() != 200) {
                throw new IOException("status " + answer.statusCode());
            }
            byte[] body = in.readNBytes(MOST_BYTES + 1);
            if (body.length > MOST_BYTES) {
                throw new IOException("more than " + MOST_BYTES + " bytes");
            }
            String etag = answer.headers().firstValue("ETag").orElseGet(() -> '"' + Digests.hex(body) + '"');
            return new Document(etag, body, System.nanoTime());
        }
    }
}
