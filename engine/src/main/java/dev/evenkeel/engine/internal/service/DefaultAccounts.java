package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a service account {@code default} in every namespace that is not being deleted. */
public final class DefaultAccounts implements WriteContext.Services {
    private static final String ID = "serviceaccounts";
    private static final String NAME = "default";
    private static final String MANAGER = "kube-controller-manager";

    private final SerialQueue queue;
    private final Verbs verbs;

    /** Creates the service of a partition. */
    public DefaultAccounts(SerialQueue queue, Verbs verbs) {
        this.queue = queue;
        this.verbs = verbs;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        boolean namespace = key.namespace().isEmpty() && key.collection().endsWith("/" + Namespaces.ID);
        if (namespace && current != null && previous == null) {
            queue.add(() -> create(key.name()));
        } else if (current == null
                && key.name().equals(NAME)
                && key.collection().endsWith("/" + ID)) {
            queue.add(() -> create(key.namespace()));
        }
    }

    /** Creates the accounts that the store lacks, before changes are reported. */
    public void resume() {
        WriteContext cluster = verbs.cluster();
        List<String> namespaces = new ArrayList<>();
        cluster.each(
                cluster.collection(Namespaces.ID),
                "",
                entry -> namespaces.add(entry.key().name()));
        namespaces.forEach(this::create);
    }

    private void create(String namespace) {
        WriteContext cluster = verbs.cluster();
        Target target =
                cluster.types().get().kind("v1", "ServiceAccount").orElseThrow().withName(namespace, NAME);
        if (cluster.read(target) != null || !verbs.leadership().held()) {
            return;
        }
        JsonObject account = JsonObject.of("apiVersion", "v1", "kind", "ServiceAccount")
                .set("metadata", JsonObject.of("name", NAME, "namespace", namespace));
        try {
            WriteOptions options = WriteOptions.of(MANAGER);
            verbs.fenced(fence -> verbs.creating().create(target, account, List.of(), options.withFence(fence)));
        } catch (AlreadyExistsException | NotFoundException | ForbiddenException e) {
            // Another engine was faster, or the namespace is gone, or it is being deleted.
        }
    }
}
