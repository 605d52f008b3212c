package dev.evenkeel.engine.builtin;

import dev.evenkeel.engine.json.Json;
import dev.evenkeel.engine.type.Strategy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Custom resource definitions: what is stored before their own rules and conditions, which live with the schemas. */
final class DefinitionStrategy implements Strategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Defaults.customResourceDefinition(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        Map<String, @Nullable Object> status =
                Trees.of("acceptedNames", Trees.of("plural", "", "kind", ""), "storedVersions", Trees.items());
        status.put("conditions", null);
        Trees.each(
                tree,
                version -> {
                    if (Trees.isTrue(version, "storage")) {
                        status.put("storedVersions", Trees.items(Json.string(version, "name")));
                    }
                },
                "spec",
                "versions");
        if (Trees.list(status, "storedVersions").isEmpty()) {
            status.put("storedVersions", null);
        }
        tree.put("status", status);
    }
}
