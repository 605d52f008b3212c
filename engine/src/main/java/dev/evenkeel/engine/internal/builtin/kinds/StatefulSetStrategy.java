package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

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
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = PodTemplates.applyDefaults(tree);
        spec.setIfEmpty("podManagementPolicy", "OrderedReady");
        JsonObject update = spec.withObject("updateStrategy");
        update.setIfEmpty("type", "RollingUpdate");
        if (update.string("type").equals("RollingUpdate")) {
            update.withObject("rollingUpdate").putIfAbsent("partition", 0L);
        }
        JsonObject retention = spec.withObject("persistentVolumeClaimRetentionPolicy");
        retention.setIfEmpty("whenDeleted", "Retain");
        retention.setIfEmpty("whenScaled", "Retain");
        spec.putIfAbsent("replicas", 1L);
        spec.putIfAbsent("revisionHistoryLimit", 10L);
        spec.objects("volumeClaimTemplates").forEach(claim -> {
            claim.setIfEmpty("kind", "PersistentVolumeClaim");
            claim.setIfEmpty("apiVersion", "v1");
            claim.findObject("spec").ifPresent(PersistentVolumeClaimStrategy::applySpecDefaults);
            claim.withObject("status").setIfEmpty("phase", "Pending");
        });
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        PodTemplates.validate(
                tree,
                tree.array("spec", "volumeClaimTemplates").stream()
                        .map(claim -> Json.string(claim, "metadata", "name"))
                        .collect(Collectors.toSet()),
                errors);
        errors.notNegative("spec.minReadySeconds", tree.at("spec", "minReadySeconds"));
    }

    @Override
    public void validateUpdate(JsonObject tree, JsonObject old, FieldErrors errors) {
        JsonObject is = tree.object("spec").copy();
        JsonObject was = old.object("spec").copy();
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
    public Object cell(String column, JsonObject tree, Instant now) {
        return PodTemplates.ready(tree);
    }
}
