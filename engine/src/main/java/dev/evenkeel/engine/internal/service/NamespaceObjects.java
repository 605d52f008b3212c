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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the objects that pods need in every namespace that is not being deleted: the service account {@code default},
 * and the config map {@code kube-root-ca.crt} with the certificate of the server.
 */
public final class NamespaceObjects implements WriteContext.Services {
    private static final String ACCOUNT = "default";
    private static final String CERTIFICATE = "kube-root-ca.crt";
    private static final String MANAGER = "kube-controller-manager";

    private final SerialQueue queue;
    private final Verbs verbs;
    private final Supplier<String> certificate;

    /**
     * Creates the service of a partition.
     *
     * @param certificate returns the certificate of the server's authority, in PEM; empty while there is none
     */
    public NamespaceObjects(SerialQueue queue, Verbs verbs, Supplier<String> certificate) {
        this.queue = queue;
        this.verbs = verbs;
        this.certificate = certificate;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        boolean namespace = key.namespace().isEmpty() && key.collection().endsWith("/" + Namespaces.ID);
        if (namespace && current != null && previous == null) {
            queue.add(() -> ensure(key.name()));
        } else if (current == null
                && key.name().equals(ACCOUNT)
                && key.collection().endsWith("/serviceaccounts")) {
            queue.add(() -> ensureAccount(key.namespace()));
        } else if (key.name().equals(CERTIFICATE)
                && previous != null
                && key.collection().endsWith("/configmaps")) {
            queue.add(() -> ensureCertificate(key.namespace()));
        }
    }

    /** Creates the objects that the store lacks, before changes are reported. */
    public void resume() {
        WriteContext cluster = verbs.cluster();
        List<String> namespaces = new ArrayList<>();
        cluster.each(
                cluster.collection(Namespaces.ID),
                "",
                entry -> namespaces.add(entry.key().name()));
        namespaces.forEach(this::ensure);
    }

    private void ensure(String namespace) {
        ensureAccount(namespace);
        ensureCertificate(namespace);
    }

    /** Creates the account of a namespace, unless it exists. */
    public void ensureAccount(String namespace) {
        Target target = target("ServiceAccount", namespace, ACCOUNT);
        if (verbs.cluster().read(target) == null) {
            create(target, object(target));
        }
    }

    private void ensureCertificate(String namespace) {
        String pem = certificate.get();
        if (pem.isEmpty()) {
            return;
        }
        Target target = target("ConfigMap", namespace, CERTIFICATE);
        JsonObject data = JsonObject.of("ca.crt", pem);
        Store.Entry present = verbs.cluster().read(target);
        if (present == null) {
            JsonObject map = object(target).set("data", data);
            String description =
                    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal"
                            + " endpoints such as the internal service IP or kubernetes.default.svc. No other usage is"
                            + " guaranteed across distributions of Kubernetes clusters.";
            map.withObject("metadata").put("annotations", JsonObject.of("kubernetes.io/description", description));
            create(target, map);
        } else if (verbs.leadership().held()
                && !verbs.cluster().tree(present, target).object("data").equals(data)) {
            verbs.edit(target, MANAGER, live -> live.put("data", data.copy()));
        }
    }

    private Target target(String kind, String namespace, String name) {
        return verbs.cluster().types().get().kind("v1", kind).orElseThrow().withName(namespace, name);
    }

    private static JsonObject object(Target target) {
        return JsonObject.of("apiVersion", "v1", "kind", target.type().kind())
                .set("metadata", JsonObject.of("name", target.name(), "namespace", target.namespace()));
    }

    private void create(Target target, JsonObject object) {
        if (!verbs.leadership().held()) {
            return;
        }
        try {
            WriteOptions options = WriteOptions.of(MANAGER);
            verbs.fenced(fence -> verbs.creating().create(target, object, List.of(), options.withFence(fence)));
        } catch (AlreadyExistsException | NotFoundException | ForbiddenException e) {
            // Another engine was faster, or the namespace is gone, or it is being deleted.
        }
    }
}
