package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The plugins DefaultStorageClass and DefaultIngressClass: a new object without a class gets the one that is annotated as
 * the default; the newest one if there are several.
 *
 * @param type the objects that have a class
 * @param classes the type of the classes
 * @param field of the class's name in the object's spec
 * @param legacy annotation that was used before the field
 * @param marks annotations of a default class
 */
record DefaultClasses(
        WriteContext cluster, String type, String classes, String field, String legacy, List<String> marks)
        implements Plugin {
    static DefaultClasses ofStorage(WriteContext cluster) {
        return new DefaultClasses(
                cluster,
                "persistentvolumeclaims",
                "storageclasses.storage.k8s.io",
                "storageClassName",
                "volume.beta.kubernetes.io/storage-class",
                List.of(
                        "storageclass.kubernetes.io/is-default-class",
                        "storageclass.beta.kubernetes.io/is-default-class"));
    }

    static DefaultClasses ofIngress(WriteContext cluster) {
        return new DefaultClasses(
                cluster,
                "ingresses.networking.k8s.io",
                "ingressclasses.networking.k8s.io",
                "ingressClassName",
                "kubernetes.io/ingress.class",
                List.of("ingressclass.kubernetes.io/is-default-class"));
    }

    @Override
    public Set<String> types() {
        return Set.of(type);
    }

    @Override
    public void mutate(Write write) {
        JsonObject tree = write.tree();
        if (!Plugin.creates(write)
                || tree.has("spec", field)
                || tree.object("metadata", "annotations").containsKey(legacy)) {
            return;
        }
        cluster.objects(classes, "").stream()
                .filter(this::isDefault)
                .min(Comparator.comparing((JsonObject each) -> each.string("metadata", "creationTimestamp"))
                        .reversed()
                        .thenComparing(each -> each.string("metadata", "name")))
                .ifPresent(found -> tree.withObject("spec").put(field, found.string("metadata", "name")));
    }

    private boolean isDefault(JsonObject each) {
        JsonObject annotations = each.object("metadata", "annotations");
        return marks.stream().anyMatch(mark -> "true".equals(annotations.get(mark)));
    }
}
