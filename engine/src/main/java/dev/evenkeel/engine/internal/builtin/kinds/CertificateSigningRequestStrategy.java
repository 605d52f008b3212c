package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.UserInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Certificate signing requests, which name their sender regardless of their content. */
record CertificateSigningRequestStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        JsonObject spec = tree.withObject("spec");
        spec.keySet().removeAll(List.of("extra", "username", "uid", "groups"));
        UserInfo.fields(spec, context.user());
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        if (column.equals("RequestedDuration")) {
            return tree.at("spec", "expirationSeconds") instanceof Long seconds
                    ? Ages.of(Duration.ofSeconds(seconds))
                    : "<none>";
        }
        List<String> states = new ArrayList<>(List.of("Approved", "Denied", "Failed"));
        states.removeIf(type -> Trees.condition(tree, type) == null);
        if (states.isEmpty()) {
            states.add("Pending");
        }
        if (!tree.string("status", "certificate").isEmpty()) {
            states.add("Issued");
        }
        return String.join(",", states);
    }
}
