package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults that the configurations of webhooks and of admission policies share. */
final class AdmissionConfigurations {
    private AdmissionConfigurations() {}

    static void servicePort(Map<String, @Nullable Object> service) {
        Trees.fill(service, "port", 443L);
    }

    /** Applies the defaults of a webhook, or of the resources that a policy matches. */
    static void match(Map<String, @Nullable Object> match, List<String> rules) {
        for (String list : rules) {
            Trees.each(match, rule -> Trees.fillText(rule, "scope", "*"), list);
        }
        Trees.fillText(match, "matchPolicy", "Equivalent");
        Trees.fill(match, "namespaceSelector", new LinkedHashMap<String, Object>());
        Trees.fill(match, "objectSelector", new LinkedHashMap<String, Object>());
    }

    static void matchResources(Map<String, @Nullable Object> match) {
        match(match, List.of("resourceRules", "excludeResourceRules"));
    }
}
