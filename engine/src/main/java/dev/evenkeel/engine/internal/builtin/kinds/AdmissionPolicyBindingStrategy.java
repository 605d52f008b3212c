package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/** Bindings of validating and mutating admission policies. */
record AdmissionPolicyBindingStrategy(KindFacts facts) implements KindStrategy {
    private static final String EXCLUSIVE = "name and selector are mutually exclusive";

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        spec.at("policyName").require(Names::subdomain);
        if (spec.at("paramRef").given()) {
            parameters(spec.at("paramRef"));
        }
        if (spec.at("matchResources").given()) {
            AdmissionPolicyStrategy.constraints(spec.at("matchResources"));
        }
        if (facts.type().kind().startsWith("Validating")) {
            actions(spec.at("validationActions"));
        }
    }

    private static void parameters(Field reference) {
        Field name = reference.at("name");
        Field selector = reference.at("selector");
        if (!name.text().isEmpty()) {
            name.obeys(Names::pathSegment);
            if (selector.given()) {
                name.forbidden(EXCLUSIVE);
            }
        }
        if (selector.given()) {
            Selectors.validate(selector);
            if (!name.text().isEmpty()) {
                selector.forbidden(EXCLUSIVE);
            }
        } else if (name.text().isEmpty()) {
            reference.missing("one of name or selector must be specified");
        }
        Field action = reference.at("parameterNotFoundAction");
        if (action.require()) {
            action.oneOf("Deny", "Allow");
        }
    }

    private static void actions(Field actions) {
        if (actions.array().isEmpty()) {
            actions.missing("at least one validation action is required");
        }
        Set<String> seen = new HashSet<>();
        for (Field action : actions.items()) {
            action.oneOf("Audit", "Deny", "Warn");
            action.distinct(seen);
        }
        if (seen.contains("Deny") && seen.contains("Warn")) {
            actions.invalid("must not contain both Deny and Warn (repeating the same validation failure information in"
                    + " the API response and headers serves no purpose)");
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.paramRef(column, tree);
    }
}
