package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stateful sets. */
record StatefulSetStrategy(KindFacts facts) implements KindStrategy {
    private static final List<String> MUTABLE = List.of(
            ("replicas ordinals template updateStrategy revisionHistoryLimit persistentVolumeClaimRetentionPolicy "
                            + "minReadySeconds")
                    .split(" ", -1));

    /** Adds the settings of rolling updates only to an object that does not name a strategy. */
    @Override
    public void applyDefaults(JsonObject tree) {
        JsonObject strategy = tree.withObject("spec").withObject("updateStrategy");
        if (strategy.string("type").isEmpty() && !strategy.has("rollingUpdate")) {
            strategy.put("rollingUpdate", new JsonObject());
        }
        KindStrategy.super.applyDefaults(tree);
    }

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field management = spec.at("podManagementPolicy");
        if (management.require() && !List.of("OrderedReady", "Parallel").contains(management.text())) {
            management.invalid("must be 'OrderedReady' or 'Parallel'");
        }
        updateStrategy(spec.at("updateStrategy"));
        Field retention = spec.at("persistentVolumeClaimRetentionPolicy");
        if (retention.given()) {
            retention.at("whenDeleted").oneOf("Retain", "Delete");
            retention.at("whenScaled").oneOf("Retain", "Delete");
        }
        spec.at("replicas").notNegative();
        spec.at("minReadySeconds").notNegative();
        spec.at("ordinals", "start").notNegative();
        spec.at("serviceName").requireIfGiven(Names::label);
        PodTemplates.validate(root, "statefulset");
        Set<String> claims = root.object().objects("spec", "volumeClaimTemplates").stream()
                .map(claim -> claim.string("metadata", "name"))
                .collect(Collectors.toSet());
        if (PodTemplates.isSelectable(root)) {
            // upstream checks metadata twice
            PodTemplates.validateMetadata(spec.at("template"));
            PodTemplates.validateTemplate(spec.at("template"), claims);
        }
        PodTemplates.validateRestart(root);
        PodTemplates.validateDeadline(root, "StatefulSet");
    }

    private static void updateStrategy(Field strategy) {
        Field rolling = strategy.at("rollingUpdate");
        switch (strategy.at("type").text()) {
            case "" -> strategy.missing();
            case "OnDelete" -> {
                if (rolling.given()) {
                    rolling.invalidText(
                            StructText.of(rolling, "Partition", "partition", "MaxUnavailable", "maxUnavailable"),
                            "only allowed for updateStrategy 'RollingUpdate'");
                }
            }
            case "RollingUpdate" -> rolling.at("partition").notNegative();
            default ->
                strategy.invalidText(
                        InternalForm.text("apps.v1.StatefulSetUpdateStrategy", strategy.value()),
                        "must be 'RollingUpdate' or 'OnDelete'");
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        Field status = root.at("status");
        StatusCounts.notNegative(
                status,
                List.of(
                        "replicas",
                        "readyReplicas",
                        "currentReplicas",
                        "updatedReplicas",
                        "availableReplicas",
                        "observedGeneration",
                        "collisionCount"));
        StatusCounts.within(
                status, List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"));
        StatusCounts.availableAreReady(status, "status.readyReplicas");
        StatusCounts.collisionsGrow(status, old);
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        JsonObject is = root.object().object("spec").copy();
        JsonObject was = old.object("spec").copy();
        is.keySet().removeAll(MUTABLE);
        was.keySet().removeAll(MUTABLE);
        if (!is.equals(was)) {
            root.at("spec")
                    .forbidden("updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                            + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                            + " 'minReadySeconds' are forbidden");
        }
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>(PodTemplates.warnings(tree, old));
        List<JsonObject> claims = tree.objects("spec", "volumeClaimTemplates");
        for (int i = 0; i < claims.size(); i++) {
            // upstream leaves this name out of a new set, and writes it with a capital in one that changes
            String path = "spec.volumeClaimTemplates[" + i + "]" + (old == null ? "" : ".Spec");
            warnings.addAll(PodWarnings.claim(claims.get(i).object("spec"), path));
        }
        if (tree.integer("spec", "revisionHistoryLimit") < 0) {
            warnings.add("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is"
                    + " recommended");
        }
        return warnings;
    }
}
