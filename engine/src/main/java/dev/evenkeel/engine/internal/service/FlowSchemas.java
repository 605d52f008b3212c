package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.internal.access.FlowConfiguration;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flow schemas and priority levels of a partition, read again after each change of one of them. */
public final class FlowSchemas implements WriteContext.Services {
    private final WriteContext cluster;
    private final String schemas;
    private final String levels;
    private volatile @Nullable FlowConfiguration configuration;

    /** Creates the service of a partition. */
    public FlowSchemas(WriteContext cluster) {
        this.cluster = cluster;
        schemas = cluster.collection("flowschemas.flowcontrol.apiserver.k8s.io");
        levels = cluster.collection("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io");
    }

    /** Returns the present configuration. */
    public FlowConfiguration configuration() {
        FlowConfiguration known = configuration;
        return known == null ? read() : known;
    }

    private synchronized FlowConfiguration read() {
        FlowConfiguration read = FlowConfiguration.of(objects(schemas), objects(levels));
        configuration = read;
        return read;
    }

    private List<JsonObject> objects(String collection) {
        List<JsonObject> objects = new ArrayList<>();
        cluster.each(collection, "", entry -> objects.add(StoredObject.tree(entry)));
        return objects;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (key.collection().equals(schemas) || key.collection().equals(levels)) {
            reset();
        }
    }

    /** Forgets the configuration: changes may have been missed. */
    public synchronized void reset() {
        configuration = null;
    }
}
