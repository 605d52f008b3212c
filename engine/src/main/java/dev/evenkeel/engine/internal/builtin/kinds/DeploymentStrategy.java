package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Deployments, which may still name a revision to roll back to, in an annotation that upstream keeps in a field. */
record DeploymentStrategy(KindFacts facts) implements KindStrategy {
    private static final String ROLLBACK = "deprecated.deployment.rollback.to";
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]+");

    @Override
    public List<String> normalise(JsonObject tree, List<String> duplicates, Consumer<SentEmpty> empties) {
        List<String> problems = KindStrategy.super.normalise(tree, duplicates, empties);
        String revision = tree.string("metadata", "annotations", ROLLBACK);
        if (!revision.isEmpty()) {
            tree.withObject("metadata").withObject("annotations").put(ROLLBACK, Long.toString(number(revision)));
        }
        return problems;
    }

    private static long number(String revision) {
        boolean number = NUMBER.matcher(revision).matches();
        try {
            if (number) {
                return Long.parseLong(revision);
            }
        } catch (NumberFormatException e) {
            // too large
        }
        throw new MalformedObjectException("failed to parse annotation[" + ROLLBACK + "]=" + revision
                + " as int64: strconv.ParseInt: parsing " + Json.text(revision) + ": "
                + (number ? "value out of range" : "invalid syntax"));
    }

    @Override
    public JsonObject partial(JsonObject metadata) {
        return Trees.withoutAnnotation(metadata, ROLLBACK);
    }

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        spec.at("replicas").notNegative();
        PodTemplates.validateReplicated(root);
        strategy(spec.at("strategy"));
        spec.at("minReadySeconds").notNegative();
        spec.at("revisionHistoryLimit").notNegative();
        String revision = root.object().string("metadata", "annotations", ROLLBACK);
        if (!revision.isEmpty()) {
            spec.with("rollback", "").with("version", number(revision)).notNegative();
        }
        Field deadline = spec.at("progressDeadlineSeconds");
        deadline.notNegative();
        if (deadline.given() && deadline.number() <= spec.at("minReadySeconds").number()) {
            deadline.invalid("must be greater than minReadySeconds");
        }
    }

    private static void strategy(Field strategy) {
        Field rolling = strategy.at("rollingUpdate");
        switch (strategy.at("type").text()) {
            case "Recreate" -> {
                if (rolling.given()) {
                    rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
                }
            }
            case "RollingUpdate" -> {
                if (rolling.given()) {
                    rollingUpdate(rolling.at("maxUnavailable"), rolling.at("maxSurge"));
                }
            }
            default ->
                strategy.notSupportedText(
                        InternalForm.text("apps.v1.DeploymentStrategy", strategy.value()),
                        List.of("Recreate", "RollingUpdate"));
        }
    }

    private static void rollingUpdate(Field unavailable, Field surge) {
        PodTemplates.amount(unavailable);
        PodTemplates.amount(surge);
        if (PodTemplates.isNone(unavailable) && PodTemplates.isNone(surge)) {
            unavailable.invalid("may not be 0 when `maxSurge` is 0");
        }
        PodTemplates.atMostAll(unavailable);
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Selectors.immutable(root, old);
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return PodTemplates.namedWarnings(tree, old);
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        Field status = root.at("status");
        StatusCounts.notNegative(
                status,
                List.of(
                        "observedGeneration",
                        "replicas",
                        "updatedReplicas",
                        "readyReplicas",
                        "availableReplicas",
                        "terminatingReplicas",
                        "unavailableReplicas",
                        "collisionCount"));
        StatusCounts.within(status, List.of("updatedReplicas", "readyReplicas", "availableReplicas"));
        StatusCounts.availableAreReady(status);
        StatusCounts.collisionsGrow(status, old);
    }

    @Override
    public boolean countsAnnotations() {
        return true;
    }
}
