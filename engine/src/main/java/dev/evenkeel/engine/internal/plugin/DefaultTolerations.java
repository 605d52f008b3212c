package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The plugin DefaultTolerationSeconds: pods stay on a node that fails for five minutes, unless they say otherwise. */
record DefaultTolerations() implements Plugin {
    private static final long SECONDS = 300;

    @Override
    public Set<String> types() {
        return Set.of("pods");
    }

    @Override
    public void mutate(Write write) {
        if (!write.target().subresource().isEmpty()) {
            return;
        }
        JsonObject spec = write.tree().withObject("spec");
        List<@Nullable Object> tolerations = new ArrayList<>(spec.array("tolerations"));
        for (String taint : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            if (tolerations.stream().noneMatch(toleration -> tolerates(toleration, taint))) {
                tolerations.add(JsonObject.of(
                        "key", taint, "operator", "Exists", "effect", "NoExecute", "tolerationSeconds", SECONDS));
            }
        }
        spec.put("tolerations", tolerations);
    }

    private static boolean tolerates(@Nullable Object toleration, String taint) {
        return List.of(taint, "").contains(Json.string(toleration, "key"))
                && List.of("NoExecute", "").contains(Json.string(toleration, "effect"));
    }
}
