package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets persistent volumes, claims and attributes classes that are marked for deletion go once they are not used: removes
 * the finalizer that they got when they were created.
 *
 * <p>A claim is used by the pods that mount it and are scheduled, a volume while it is bound, a class by the claims and
 * volumes that have it.
 */
public final class UseProtection implements WriteContext.Services {
    private static final String MANAGER = "kube-controller-manager";
    private static final String CLAIMS = "persistentvolumeclaims";
    private static final String VOLUMES = "persistentvolumes";
    private static final String CLASSES = "volumeattributesclasses.storage.k8s.io";
    private static final String PODS = "pods";
    private static final Map<String, String> FINALIZERS = Map.of(
            CLAIMS, "kubernetes.io/pvc-protection",
            VOLUMES, "kubernetes.io/pv-protection",
            CLASSES, "kubernetes.io/vac-protection");

    private final SerialQueue queue;
    private final Verbs verbs;
    private final Set<Store.Key> pending = ConcurrentHashMap.newKeySet();

    /** Creates the service of a partition. */
    public UseProtection(SerialQueue queue, Verbs verbs) {
        this.queue = queue;
        this.verbs = verbs;
    }

    private WriteContext cluster() {
        return verbs.cluster();
    }

    private static String id(Store.Key key) {
        return key.collection().substring(key.collection().indexOf('/') + 1);
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        String id = id(key);
        if (FINALIZERS.containsKey(id) && current != null && current.value().deleting()) {
            look(key);
        }
        if (id.equals(PODS) && current == null) {
            marked(CLAIMS, key.namespace()).forEach(this::look);
        } else if ((id.equals(CLAIMS) || id.equals(VOLUMES)) && previous != null) {
            marked(CLASSES, "").forEach(this::look);
        }
    }

    private List<Store.Key> marked(String id, String namespace) {
        List<Store.Key> marked = new ArrayList<>(0);
        cluster().each(cluster().collection(id), namespace, entry -> {
            if (entry.value().deleting()) {
                marked.add(entry.key());
            }
        });
        return marked;
    }

    /** Looks at all objects that are marked. */
    public void resume() {
        FINALIZERS.keySet().forEach(id -> marked(id, "").forEach(this::look));
    }

    private void look(Store.Key key) {
        if (verbs.leadership().held() && pending.add(key)) {
            queue.add(() -> {
                pending.remove(key);
                verbs.target(key).ifPresent(this::release);
            });
        }
    }

    private void release(Target target) {
        Store.Entry entry = cluster().read(target);
        String finalizer = FINALIZERS.getOrDefault(target.type().id(), "");
        if (entry == null || !entry.value().deleting()) {
            return;
        }
        JsonObject tree = cluster().tree(entry, target);
        if (tree.strings("metadata", "finalizers").contains(finalizer) && !isUsed(target, tree)) {
            verbs.edit(target, MANAGER, live -> Metadata.removeFinalizer(live.withObject("metadata"), finalizer));
        }
    }

    private boolean isUsed(Target target, JsonObject tree) {
        return switch (target.type().id()) {
            case CLAIMS ->
                cluster().objects(PODS, target.namespace()).stream().anyMatch(pod -> mounts(pod, target.name()));
            case VOLUMES -> tree.string("status", "phase").equals("Bound");
            default ->
                Stream.concat(cluster().objects(CLAIMS, "").stream(), cluster().objects(VOLUMES, "").stream())
                        .anyMatch(each -> has(each, target.name()));
        };
    }

    private static boolean mounts(JsonObject pod, String claim) {
        return !pod.string("spec", "nodeName").isEmpty()
                && pod.objects("spec", "volumes").stream()
                        .anyMatch(volume -> volume.string("persistentVolumeClaim", "claimName")
                                        .equals(claim)
                                || (volume.has("ephemeral")
                                        && claim.equals(pod.string("metadata", "name") + "-" + volume.string("name"))));
    }

    private static boolean has(JsonObject each, String attributes) {
        return each.string("spec", "volumeAttributesClassName").equals(attributes)
                || each.string("status", "currentVolumeAttributesClassName").equals(attributes)
                || each.string("status", "modifyVolumeStatus", "targetVolumeAttributesClassName")
                        .equals(attributes);
    }
}
