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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        assertThat(expressions.booleanError("null")).isEqualTo("must evaluate to bool but got null_type");
        assertThat(expressions.messageError("1")).isEqualTo("must evaluate to string but got int");
        assertThat(expressions.textOrNullError("null")).isEmpty();
        assertThat(expressions.textOrNullError("1"))
                .isEqualTo("must evaluate to one of [string null_type] but got int");
    }

    @Test
    void theFirstVariableSeesNoOther() {
        PolicyExpressions expressions = PolicyExpressions.of(List.of(new Variable("a", "variables.b")), false);
        assertThat(expressions.variableError("a"))
                .startsWith("compilation failed: ERROR: <input>:1:10: undefined field 'b'");
        assertThat(PolicyExpressions.of(List.of(), false).booleanError("variables.b"))
                .startsWith("compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables'");
    }

    @Test
    void messagesCannotAskForPermissions() {
        PolicyExpressions expressions = PolicyExpressions.of(List.of(), false);
        String allowed = "authorizer.path('/x').check('get').allowed()";
        assertThat(expressions.booleanError(allowed)).isEmpty();
        assertThat(expressions.messageError("string(" + allowed + ")"))
                .startsWith("compilation failed: ERROR: <input>:1:8: undeclared reference to 'authorizer'");
    }

    @Test
    void askingForNothingFails() {
        PolicyExpressions expressions = PolicyExpressions.of(List.of(), false);
        assertThat(value(expressions, "authorizer.path(' ').check('get').allowed()"))
                .isEqualTo(new Result.Failed("path must not be empty"));
        assertThat(value(expressions, "authorizer.group('').resource('').check('get').allowed()"))
                .isEqualTo(new Result.Failed("resource must not be empty"));
        assertThat(value(expressions, "authorizer.serviceAccount('a', 'A').path('/').check('get').allowed()"))
                .isEqualTo(new Result.Failed("Invalid service account name"));
        assertThat(value(expressions, "authorizer.serviceAccount('A', 'a').path('/').check('get').allowed()"))
                .isEqualTo(new Result.Failed("Invalid service account namespace"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "object.all(1, true)       | 1:12: argument must be a simple name",
                "object.all(x.y, true)     | 1:13: argument must be a simple name",
                "object.map(1, true)       | 1:12: argument is not an identifier",
                "[1].filter(x.y, true)     | 1:13: argument is not an identifier",
                "9223372036854775808 == 1  | 1:1: invalid int literal",
                "0xfffffffffffffffff == 1  | 1:1: invalid int literal",
                "18446744073709551616u == 1u | 1:1: invalid uint literal",
                "duration('1s') + 1 == 2   | 1:16: found no matching overload for '_+_' applied to '(duration, int)'",
                "a ? 1 : 'x'               | 1:3: found no matching overload for '_?_:_' applied to '(!error!, int, string)'",
                "object.true               | 1:8: Syntax error: mismatched input 'true' expecting IDENTIFIER"
            })
    void errorsOfTheCompilerSayWhatUpstreamSays(String expression, String error) {
        assertThat(PolicyExpressions.of(List.of(), false).booleanError(expression))
                .contains("ERROR: <input>:" + error + "\n | ");
    }

    @Test
    void expectedTokensAreListed() {
        assertThat(PolicyExpressions.of(List.of(), false).booleanError("{a}"))
                .contains("1:3: Syntax error: mismatched input '}' expecting {'==', '!=', 'in', '<', '<=', '>=', '>', "
                        + "'&&', '||', '[', '.', '-', '?', ':', '+', '*', '/', '%'}\n");
    }

    @Test
    void quotedFieldsAreNotSupported() {
        assertThat(PolicyExpressions.of(List.of(), false).booleanError("object.`a-b` == 1"))
                .contains(": unsupported syntax: '`'\n | object.`a-b` == 1\n");
    }

    @Test
    void anUnknownTypeIsOneError() {
        assertThat(PolicyExpressions.of(List.of(), false).booleanError("Object{a: 1}"))
                .isEqualTo(
                        "compilation failed: ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')\n"
                                + " | Object{a: 1}\n | ......^");
    }

    @Test
    void deepExpressionsAreRefused() {
        assertThat(PolicyExpressions.of(List.of(), false).booleanError("(".repeat(200) + "true" + ")".repeat(200)))
                .isEmpty();
        assertThat(PolicyExpressions.of(List.of(), false).booleanError("(".repeat(300) + "true" + ")".repeat(300)))
                .isEqualTo("compilation failed: ERROR: <input>:-1:0: expression recursion limit exceeded: 250");
    }

    @Test
    void expressionsShareABudget() {
        PolicyExpressions.Evaluation evaluation = WITH_VARIABLES.evaluate(
                new Inputs(OBJECT, null, new JsonObject(), null, null, ACCESS), new RuleBudget(200));
        Result five = evaluation.value("[1, 2].all(x, x > 0) && variables.size == 2");
        assertThat(five).isEqualTo(new Result.Known(Optional.of(true)));
        Result rest = five;
        for (int i = 0; i < 100 && rest.equals(five); i++) {
            rest = evaluation.value("[1, 2].all(x, x > 0)");
        }
        assertThat(rest).isEqualTo(new Result.Exceeded());
    }

    @Test
    void oneExpressionMayNotCostMoreThanItsLimitHoweverMuchIsLeft() {
        String costly = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
                + ".all(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(b, '%s'.matches('%s') || true))"
                        .formatted("a".repeat(1_000), "b".repeat(1_000));
        PolicyExpressions.Evaluation evaluation = WITH_VARIABLES.evaluate(
                new Inputs(OBJECT, null, new JsonObject(), null, null, ACCESS), new RuleBudget(2_500_000));
        assertThat(evaluation.value(costly))
                .isEqualTo(new Result.Failed("operation cancelled: actual cost limit exceeded"));
        assertThat(evaluation.value(costly))
                .isEqualTo(new Result.Failed("operation cancelled: actual cost limit exceeded"));
        assertThat(evaluation.value(costly)).isEqualTo(new Result.Exceeded());
    }
}
