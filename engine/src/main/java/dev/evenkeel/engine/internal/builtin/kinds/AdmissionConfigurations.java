package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;

/** Defaults that the configurations of webhooks and of admission policies share. */
final class AdmissionConfigurations {
    private AdmissionConfigurations() {}

    static void servicePort(JsonObject service) {
        service.putIfAbsent("port", 443L);
    }

    /** Applies the defaults of a webhook, or of the resources that a policy matches. */
    static void match(JsonObject match, List<String> rules) {
        for (String list : rules) {
            match.objects(list).forEach(rule -> rule.setIfEmpty("scope", "*"));
        }
        match.setIfEmpty("matchPolicy", "Equivalent");
        match.putIfAbsent("namespaceSelector", new JsonObject());
        match.putIfAbsent("objectSelector", new JsonObject());
    }

    static void matchResources(JsonObject match) {
        match(match, List.of("resourceRules", "excludeResourceRules"));
    }
}
