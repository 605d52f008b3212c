package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.spi.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The API services of a partition that other servers serve, read again after each change of one of them. */
public final class RemoteApis implements WriteContext.Services {
    private static final int HTTPS = 443;

    private final WriteContext cluster;
    private final String collection;
    private volatile @Nullable Map<String, Api> known;

    /**
     * A version of a group that another server serves.
     *
     * @param name of the API service
     * @param namespace of the service in front of that server
     * @param service the name of the service
     * @param caBundle trusted authorities, PEM in Base64; empty for those of the system
     * @param insecure whether any certificate is accepted
     * @param available whether its condition is true
     * @param priority of the group in lists, highest first
     */
    public record Api(
            String name,
            String group,
            String version,
            String namespace,
            String service,
            int port,
            String caBundle,
            boolean insecure,
            boolean available,
            long priority) {
        static Api of(JsonObject tree) {
            JsonObject spec = tree.object("spec");
            JsonObject service = spec.object("service");
            return new Api(
                    tree.string("metadata", "name"),
                    spec.string("group"),
                    spec.string("version"),
                    service.string("namespace"),
                    service.string("name"),
                    service.has("port") ? (int) service.integer("port") : HTTPS,
                    spec.string("caBundle"),
                    spec.bool("insecureSkipTLSVerify"),
                    tree.objects("status", "conditions").stream()
                            .anyMatch(condition -> condition.string("type").equals("Available")
                                    && condition.string("status").equals("True")),
                    spec.integer("groupPriorityMinimum"));
        }
    }

    /** Creates the service of a partition. */
    public RemoteApis(WriteContext cluster) {
        this.cluster = cluster;
        collection = cluster.collection("apiservices.apiregistration.k8s.io");
    }

    /** Returns them by {@code group/version}. */
    public Map<String, Api> all() {
        Map<String, Api> present = known;
        return present == null ? read() : present;
    }

    /** Returns the names of their API services. */
    List<String> names() {
        return all().values().stream().map(Api::name).toList();
    }

    /** Returns the {@code group/version} of those that are not available, sorted. */
    List<String> unavailable() {
        return all().entrySet().stream()
                .filter(entry -> !entry.getValue().available())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private synchronized Map<String, Api> read() {
        Map<String, Api> read = new HashMap<>();
        cluster.each(collection, "", entry -> {
            JsonObject tree = StoredObject.tree(entry);
            if (tree.has("spec", "service")) {
                Api api = Api.of(tree);
                read.put(api.group() + "/" + api.version(), api);
            }
        });
        Map<String, Api> all = Map.copyOf(read);
        known = all;
        return all;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (key.collection().equals(collection)) {
            reset();
        }
    }

    /** Forgets them: changes may have been missed. */
    public synchronized void reset() {
        known = null;
    }
}
