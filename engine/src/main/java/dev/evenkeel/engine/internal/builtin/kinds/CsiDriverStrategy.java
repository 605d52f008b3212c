package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** CSI drivers. */
record CsiDriverStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field policy = spec.at("fsGroupPolicy");
        if (policy.given()) {
            policy.oneOf("File", "None", "ReadWriteOnceWithFSType");
        }
        Set<String> audiences = new HashSet<>();
        for (Field token : spec.at("tokenRequests").items()) {
            String audience = token.at("audience").text();
            if (!audiences.add(audience)) {
                token.at("audience").duplicate(audience);
                continue;
            }
            Field seconds = token.at("expirationSeconds");
            if (seconds.given() && seconds.number() < 600) {
                seconds.invalid("may not specify a duration less than 10 minutes");
            }
            if (seconds.number() > 1L << 32) {
                seconds.invalid("may not specify a duration larger than 2^32 seconds");
            }
        }
        for (Object mode : spec.at("volumeLifecycleModes").array()) {
            if (!List.of("Persistent", "Ephemeral").contains(mode)) {
                spec.at("volumeLifecycleModes").notSupported(mode, List.of("Persistent", "Ephemeral"));
            }
        }
        Field period = spec.at("nodeAllocatableUpdatePeriodSeconds");
        if (period.given() && period.number() < 10) {
            period.invalid("must be greater than or equal to 10 seconds");
        }
        Field secrets = spec.at("serviceAccountTokenInSecrets");
        if (secrets.given() && spec.at("tokenRequests").array().isEmpty()) {
            secrets.invalid("serviceAccountTokenInSecrets is set but no tokenRequests are specified");
        }
    }

    /** Counts generations from the first change of the specification on. */
    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        if (!tree.object("spec").equals(old.object("spec"))) {
            tree.withObject("metadata").put("generation", old.integer("metadata", "generation") + 1);
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field spec = root.at("spec");
        if (!Objects.equals(spec.at("attachRequired").value(), old.at("spec", "attachRequired"))) {
            spec.with("attachedRequired", spec.at("attachRequired").value()).invalid(Field.IMMUTABLE);
        }
        root.immutable(old, "spec", "volumeLifecycleModes");
    }

    /** The audiences of the tokens, of which one may be empty. */
    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        List<@Nullable Object> requests = tree.array("spec", "tokenRequests");
        return requests.isEmpty() ? "<unset>" : CellRule.join(requests, "audience");
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        boolean asks = (old == null || !tree.array("spec", "tokenRequests").equals(old.array("spec", "tokenRequests")))
                && !tree.array("spec", "tokenRequests").isEmpty()
                && !tree.has("spec", "serviceAccountTokenInSecrets");
        return asks
                ? List.of("spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to"
                        + " prevent possible logging of tokens in volume attributes")
                : List.of();
    }
}
