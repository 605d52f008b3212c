package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The plugin RuntimeClass: gives new pods the overhead, the node selector and the tolerations of their runtime class. */
record RuntimeClasses(WriteContext cluster) implements Plugin {
    private static final String DIFFERS = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

    @Override
    public Set<String> types() {
        return Set.of("pods");
    }

    @Override
    public void mutate(Write write) {
        JsonObject spec = write.tree().withObject("spec");
        if (!Plugin.creates(write) || !spec.has("runtimeClassName")) {
            return;
        }
        JsonObject found = runtimeClass(write);
        if (found.has("overhead")) {
            ResourceAmounts overhead = ResourceAmounts.of(found, "overhead", "podFixed");
            if (spec.has("overhead") && !ResourceAmounts.of(spec, "overhead").equals(overhead)) {
                throw Plugin.refuse(write, DIFFERS);
            }
            spec.setUnlessEmpty("overhead", overhead.tree());
        }
        if (found.has("scheduling")) {
            schedule(write, spec, found.object("scheduling"));
        }
    }

    private JsonObject runtimeClass(Write write) {
        String name = write.tree().string("spec", "runtimeClassName");
        return cluster.object("runtimeclasses.node.k8s.io", "", name)
                .orElseThrow(() ->
                        Plugin.refuse(write, "pod rejected: RuntimeClass " + GoTypes.quoted(name) + " not found"));
    }

    private static void schedule(Write write, JsonObject spec, JsonObject scheduling) {
        JsonObject wanted = scheduling.object("nodeSelector");
        if (!wanted.isEmpty()) {
            JsonObject selector = spec.withObject("nodeSelector");
            for (Map.Entry<String, @Nullable Object> label : wanted.entrySet()) {
                Object present = selector.putIfAbsent(label.getKey(), label.getValue());
                if (present != null && !present.equals(label.getValue())) {
                    throw Plugin.refuse(
                            write,
                            "conflict: runtimeClass.scheduling.nodeSelector[" + label.getKey() + "] = "
                                    + label.getValue() + "; pod.spec.nodeSelector[" + label.getKey() + "] = "
                                    + present);
                }
            }
        }
        List<JsonObject> tolerations = new ArrayList<>(spec.objects("tolerations"));
        tolerations.addAll(scheduling.objects("tolerations"));
        spec.setUnlessEmpty("tolerations", merged(tolerations));
    }

    /** Returns the tolerations without those that another one covers. */
    private static List<@Nullable Object> merged(List<JsonObject> all) {
        List<@Nullable Object> merged = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            JsonObject each = all.get(i);
            boolean covered = merged.stream().anyMatch(kept -> covers((JsonObject) kept, each))
                    || all.subList(i + 1, all.size()).stream()
                            .anyMatch(later -> !later.equals(each) && covers(later, each));
            if (!covered) {
                merged.add(each.copy());
            }
        }
        return merged;
    }

    private static boolean covers(@Nullable JsonObject wide, JsonObject narrow) {
        if (wide == null) {
            return false;
        }
        if (wide.equals(narrow)) {
            return true;
        }
        String operator = wide.string("operator");
        String key = wide.string("key");
        String effect = wide.string("effect");
        if ((!key.equals(narrow.string("key")) && !(key.isEmpty() && operator.equals("Exists")))
                || (!effect.isEmpty() && !effect.equals(narrow.string("effect")))) {
            return false;
        }
        String seconds = "tolerationSeconds";
        if (effect.equals("NoExecute")
                && wide.has(seconds)
                && (!narrow.has(seconds) || narrow.integer(seconds) > wide.integer(seconds))) {
            return false;
        }
        return operator.equals("Exists")
                || (operator.equals(narrow.string("operator"))
                        && wide.string("value").equals(narrow.string("value")));
    }

    @Override
    public void validate(Write write) {
        if (!Plugin.creates(write)) {
            return;
        }
        JsonObject spec = write.tree().object("spec");
        boolean defined = spec.has("runtimeClassName") && runtimeClass(write).has("overhead");
        if (defined) {
            if (!ResourceAmounts.of(spec, "overhead")
                    .equals(ResourceAmounts.of(runtimeClass(write), "overhead", "podFixed"))) {
                throw Plugin.refuse(write, DIFFERS);
            }
        } else if (spec.has("overhead")) {
            throw Plugin.refuse(
                    write, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
        }
    }
}
