package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Deployments. */
record DeploymentStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        spec.at("replicas").notNegative();
        PodTemplates.validate(root, "deployment");
        PodTemplates.validateTemplate(root, Set.of(), "ReplicaSet");
        Field type = spec.at("strategy", "type");
        type.oneOf("Recreate", "RollingUpdate");
        Field rolling = spec.at("strategy", "rollingUpdate");
        if (type.text().equals("Recreate") && rolling.given()) {
            rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
        }
        if (type.text().equals("RollingUpdate") && rolling.given()) {
            rollingUpdate(rolling);
        }
        spec.at("minReadySeconds").notNegative();
        spec.at("revisionHistoryLimit").notNegative();
        Field deadline = spec.at("progressDeadlineSeconds");
        deadline.notNegative();
        if (deadline.given() && deadline.number() <= spec.at("minReadySeconds").number()) {
            deadline.invalid("must be greater than minReadySeconds");
        }
    }

    private static void rollingUpdate(Field rolling) {
        boolean none = true;
        for (String name : List.of("maxUnavailable", "maxSurge")) {
            Field field = rolling.at(name);
            PodTemplates.percent(field, name.equals("maxUnavailable"));
            none &= field.value() instanceof Long number
                    ? number == 0
                    : field.text().equals("0%");
        }
        if (none) {
            rolling.at("maxUnavailable").invalid("may not be 0 when `maxSurge` is 0");
        }
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
                        "unavailableReplicas",
                        "collisionCount"));
        StatusCounts.within(status, List.of("updatedReplicas", "readyReplicas", "availableReplicas"));
        StatusCounts.availableAreReady(status);
    }

    @Override
    public boolean countsAnnotations() {
        return true;
    }
}
