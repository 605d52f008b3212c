package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** CSI storage capacities. */
record CsiStorageCapacityStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        root.at("storageClassName").obeys(Names::subdomain);
        if (root.at("nodeTopology").given()) {
            Selectors.validate(root.at("nodeTopology"));
        }
        FormatRules.notNegative(root.at("capacity"));
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "nodeTopology");
        root.immutable(old, "storageClassName");
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        Field topology = Field.of(tree, new ArrayList<>()).at("nodeTopology");
        Stream<String> expressions = topology.at("matchExpressions").items().stream()
                .map(expression -> expression.at("key"))
                .filter(key -> PodWarnings.NODE_LABELS.containsKey(key.text()))
                .map(key -> key.path() + ": " + key.text() + " is " + PodWarnings.NODE_LABELS.get(key.text()));
        Field labels = topology.at("matchLabels");
        Stream<String> plain = labels.object().keySet().stream()
                .filter(PodWarnings.NODE_LABELS::containsKey)
                .map(label -> labels.path() + "." + label + ": " + PodWarnings.NODE_LABELS.get(label));
        return Stream.concat(expressions, plain).toList();
    }
}
