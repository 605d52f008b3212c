package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stateful sets. */
record StatefulSetStrategy(KindFacts facts) implements KindStrategy {
    private static final List<String> MUTABLE = List.of(
            ("replicas ordinals template updateStrategy revisionHistoryLimit persistentVolumeClaimRetentionPolicy "
                            + "minReadySeconds")
                    .split(" ", -1));

    @Override
    public void validate(Field root) {
        PodTemplates.validate(
                root,
                root.object().objects("spec", "volumeClaimTemplates").stream()
                        .map(claim -> claim.string("metadata", "name"))
                        .collect(Collectors.toSet()));
        root.at("spec", "minReadySeconds").notNegative();
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
        return PodTemplates.warnings(tree, old);
    }
}
