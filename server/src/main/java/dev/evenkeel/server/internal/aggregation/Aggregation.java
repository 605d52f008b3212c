package dev.evenkeel.server.internal.aggregation;

import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.service.RemoteApis.Api;
import dev.evenkeel.server.internal.Partitions;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of the API that other servers serve: an API service names a version of a group, and the service in front of
 * its servers.
 *
 * <p>Requests below {@code /apis/GROUP/VERSION} are authenticated, authorized and recorded here, and then {@linkplain
 * Forwarder forwarded}, while its condition {@code Available} holds. The engine sets that condition, and asks this
 * server to send the request that it takes; the answer also is what discovery shows.
 *
 * <p>An engine without such API services pays for a look into an empty map with each request.
 */
public final class Aggregation implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Aggregation.class);
    /** The time between two requests to each server. */
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final RemoteServers servers;
    private final Forwarder forwarder;
    private final RemoteDiscovery discovery;
    private final RemoteOpenApi openApi;
    private final Set<String> probed = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer;

    /**
     * Creates the aggregation of a server.
     *
     * @param anywhere whether servers of APIs may be on other machines
     * @param certificate by which this server authenticates itself to them; empty for none
     */
    public Aggregation(boolean anywhere, Optional<ServerCertificate> certificate) {
        servers = new RemoteServers(anywhere, certificate);
        forwarder = new Forwarder(servers);
        discovery = new RemoteDiscovery(servers);
        openApi = new RemoteOpenApi(servers);
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("evenkeel-api-services").daemon().factory());
    }

    /** Begins to ask the servers of APIs if they can be used. */
    public void start(Partitions partitions) {
        var unused = timer.scheduleWithFixedDelay(
                () -> {
                    try {
                        ask(partitions);
                    } catch (RuntimeException e) {
                        LOG.warn("the check of API services failed", e);
                    }
                },
                0,
                PERIOD.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void ask(Partitions partitions) {
        for (String name : partitions.names()) {
            partitions.find(name).map(ResourceApi::of).ifPresent(partition -> {
                if (probed.add(name)) {
                    partition.probeApis(
                            api -> named(partition, api).flatMap(found -> discovery.problem(partition, found)));
                } else {
                    partition.recheck();
                }
            });
        }
    }

    private static Optional<Api> named(ResourceApi partition, String name) {
        return partition.remoteApis().values().stream()
                .filter(api -> api.name().equals(name))
                .findFirst();
    }

    /** Returns the API of a request that another server answers. */
    public static Optional<Api> find(HttpExchange call, ResourceApi partition) {
        List<String> segments = call.path().segments();
        if (segments.size() < 3
                || !segments.getFirst().equals("apis")
                || partition.remoteApis().isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(partition.remoteApis().get(segments.get(1) + "/" + segments.get(2)));
    }

    /** Answers a request by the server of its API. */
    public void forward(HttpExchange call, ResourceApi partition, Api api) {
        forwarder.forward(call, partition, api);
    }

    /** Returns the APIs of other servers, in the order of discovery. */
    public static List<Api> apis(ResourceApi partition) {
        return partition.remoteApis().values().stream()
                .sorted(Comparator.comparingLong(Api::priority)
                        .reversed()
                        .thenComparing(Api::group)
                        .thenComparing(Api::version))
                .toList();
    }

    /** Returns a version of a group as aggregated discovery shows it. */
    public JsonObject discovered(ResourceApi partition, Api api) {
        return discovery.version(partition, api);
    }

    /** Returns a number that grows with each change of what {@link #discovered} returns for the same APIs. */
    public long changes() {
        return discovery.changes();
    }

    /**
     * An OpenAPI document of version 2.
     *
     * @param tree reads it
     */
    public record Swagger(Api api, Supplier<JsonObject> tree) {}

    /** Returns the hashes of the OpenAPI documents of version 3, by their paths. */
    public Map<String, String> openApiHashes(ResourceApi partition) {
        return partition.remoteApis().isEmpty() ? Map.of() : openApi.hashes(partition);
    }

    /** Returns an OpenAPI document of version 3; empty if its server does not send it. */
    public Optional<byte[]> openApi(ResourceApi partition, String path) {
        return openApi.version3(partition, path);
    }

    /** Returns the OpenAPI documents of version 2; the keys change with the documents. */
    public Map<String, Swagger> swaggers(ResourceApi partition) {
        return partition.remoteApis().isEmpty() ? Map.of() : openApi.version2(partition);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        servers.close();
    }
}
