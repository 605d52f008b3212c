package dev.evenkeel.engine.internal.builtin.kinds;

import com.google.re2j.Pattern;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.Set;

/** Rules of conditions that have the type which kinds share. */
final class ConditionRules {
    private static final int LONGEST_REASON = 1024;
    private static final int LONGEST_MESSAGE = 32 * 1024;
    private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");

    private ConditionRules() {}

    static void validate(Field conditions) {
        Set<String> types = new HashSet<>();
        for (Field condition : conditions.items()) {
            condition.at("type").distinct(types);
            condition.at("type").obeys(Names::qualified);
            condition.at("status").oneOf("False", "True", "Unknown");
            if (condition.at("observedGeneration").number() < 0) {
                condition.at("observedGeneration").invalid("must be greater than or equal to zero");
            }
            if (!condition.at("lastTransitionTime").given()) {
                condition.at("lastTransitionTime").missing("must be set");
            }
            reason(condition.at("reason"));
            if (Names.bytes(condition.at("message").text()) > LONGEST_MESSAGE) {
                condition.at("message").tooLong(LONGEST_MESSAGE);
            }
        }
    }

    /** Requires only that conditions have types that differ. */
    static void validateTypes(Field conditions) {
        Set<String> types = new HashSet<>();
        for (Field condition : conditions.items()) {
            condition.at("type").distinct(types);
            condition.at("type").require("must not be empty");
        }
    }

    private static void reason(Field reason) {
        if (!reason.require("must be set")) {
            return;
        }
        if (!REASON.matches(reason.text())) {
            reason.invalid("a condition reason must start with alphabetic character, optionally followed by a string of"
                    + " alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g."
                    + " 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex"
                    + " used for validation is '" + REASON.pattern() + "')");
        }
        if (Names.bytes(reason.text()) > LONGEST_REASON) {
            reason.tooLong(LONGEST_REASON);
        }
    }
}
