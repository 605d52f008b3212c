package dev.evenkeel.engine.internal.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.cel.PolicyExpressions.Inputs;
import dev.evenkeel.engine.internal.cel.PolicyExpressions.Result;
import dev.evenkeel.engine.internal.cel.PolicyExpressions.Variable;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyExpressionsTest {
    private static final AccessQuery.ResourceCheck ACCESS =
            AccessQuery.NONE.check("", "configmaps", "", "default", "x");
    private static final JsonObject OBJECT = JsonObject.of("data", JsonObject.of("a", "1", "b", "2"));
    private static final PolicyExpressions WITH_VARIABLES = PolicyExpressions.of(
            List.of(
                    new Variable("size", "size(object.data)"),
                    new Variable("twice", "variables.size * 2"),
                    new Variable("broken", "object.data.none")),
            false);

    private static Result value(PolicyExpressions expressions, String expression) {
        return expressions
                .evaluate(new Inputs(OBJECT, null, new JsonObject(), null, null, ACCESS), new RuleBudget())
                .value(expression);
    }

    @Test
    void variablesSeeThoseBeforeThem() {
        assertThat(value(WITH_VARIABLES, "'n ' + string(variables.twice)"))
                .isEqualTo(new Result.Known(Optional.of("n 4")));
    }

    @Test
    void aVariableFailsOnlyWhereItIsRead() {
        assertThat(value(WITH_VARIABLES, "true || variables.broken == 'x'"))
                .isEqualTo(new Result.Known(Optional.of(true)));
        assertThat(value(WITH_VARIABLES, "variables.broken == 'x'"))
                .isEqualTo(new Result.Failed("composited variable \"broken\" fails to evaluate: no such key: none"));
    }

    @Test
    void parametersAreDeclaredByPoliciesThatHaveThem() {
        assertThat(PolicyExpressions.of(List.of(), true).booleanError("params.x == 1"))
                .isEmpty();
        assertThat(PolicyExpressions.of(List.of(), false).booleanError("params.x == 1"))
                .startsWith("compilation failed: ERROR: <input>:1:1: undeclared reference to 'params'");
    }

    @Test
    void typesAreChecked() {
        PolicyExpressions expressions = PolicyExpressions.of(List.of(), false);
        assertThat(expressions.booleanError("1")).isEqualTo("must evaluate to bool but got int");
        assertThat(expressions.textError("1")).isEqualTo("must evaluate to string but got int");
        assertThat(expressions.textOrNullError("null")).isEmpty();
        assertThat(expressions.textOrNullError("1"))
                .isEqualTo("must evaluate to one of [string null_type] but got int");
    }
}
