package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runtime classes. */
record RuntimeClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        root.at("handler").obeys(Names::label);
        ResourceRules.overhead(root, root.at("overhead", "podFixed"));
        Field scheduling = root.at("scheduling");
        scheduling.at("nodeSelector").labels();
        List<Field> tolerations = scheduling.at("tolerations").items();
        tolerations.forEach(SchedulingRules::toleration);
        Set<JsonObject> seen = new HashSet<>();
        for (Field toleration : tolerations) {
            JsonObject key = toleration.object().copy();
            key.remove("tolerationSeconds");
            if (!seen.add(key)) {
                toleration.duplicateText(StructText.ofTexts(
                        toleration,
                        "Key",
                        "key",
                        "Operator",
                        "operator",
                        "Value",
                        "value",
                        "Effect",
                        "effect",
                        "TolerationSeconds",
                        "tolerationSeconds"));
            }
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "handler");
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return tree.object("scheduling", "nodeSelector").keySet().stream()
                .filter(PodWarnings.NODE_LABELS::containsKey)
                .map(label -> "scheduling.nodeSelector: " + PodWarnings.NODE_LABELS.get(label))
                .toList();
    }
}
