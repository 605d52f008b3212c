package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stateful sets. */
record StatefulSetStrategy(KindFacts facts) implements KindStrategy {
    private static final List<String> MUTABLE = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = PodTemplates.applyDefaults(tree);
        Trees.fillText(spec, "podManagementPolicy", "OrderedReady");
        Map<String, @Nullable Object> update = Trees.grow(spec, "updateStrategy");
        Trees.fillText(update, "type", "RollingUpdate");
        if (Json.string(update, "type").equals("RollingUpdate")) {
            Trees.fill(Trees.grow(update, "rollingUpdate"), "partition", 0L);
        }
        Map<String, @Nullable Object> retention = Trees.grow(spec, "persistentVolumeClaimRetentionPolicy");
        Trees.fillText(retention, "whenDeleted", "Retain");
        Trees.fillText(retention, "whenScaled", "Retain");
        Trees.fill(spec, "replicas", 1L);
        Trees.fill(spec, "revisionHistoryLimit", 10L);
        Trees.each(
                spec,
                claim -> {
                    Trees.fillText(claim, "kind", "PersistentVolumeClaim");
                    Trees.fillText(claim, "apiVersion", "v1");
                    Trees.with(claim, PersistentVolumeClaimStrategy::applySpecDefaults, "spec");
                    Trees.fillText(Trees.grow(claim, "status"), "phase", "Pending");
                },
                "volumeClaimTemplates");
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        PodTemplates.validate(
                tree,
                Trees.list(tree, "spec", "volumeClaimTemplates").stream()
                        .map(claim -> Json.string(claim, "metadata", "name"))
                        .collect(Collectors.toSet()),
                errors);
        errors.notNegative("spec.minReadySeconds", Json.at(tree, "spec", "minReadySeconds"));
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        Map<String, @Nullable Object> is = Json.copyObject(Trees.object(tree, "spec"));
        Map<String, @Nullable Object> was = Json.copyObject(Trees.object(old, "spec"));
        is.keySet().removeAll(MUTABLE);
        was.keySet().removeAll(MUTABLE);
        if (!is.equals(was)) {
            errors.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                            + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                            + " 'minReadySeconds' are forbidden");
        }
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return PodTemplates.ready(tree);
    }
}
