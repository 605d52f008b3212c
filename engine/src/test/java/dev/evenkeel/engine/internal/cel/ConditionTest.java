package dev.evenkeel.engine.internal.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.cel.Condition.Result;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionTest {
    private static final JsonObject OBJECT = Json.asObject(Rules.value("""
            {'metadata':{'name':'a','namespace':'ns','labels':{'app.kubernetes.io/name':'x'}},
             'spec':{'replicas':3,'share':0.5,'on':true,'none':null,'ports':[{'port':80},{'port':443}],
                     'large':123456789012345678901234567890}}
            """));
    private static final JsonObject REQUEST = Json.asObject(Rules.value("""
            {'kind':{'group':'apps','version':'v1','kind':'Deployment'},'operation':'UPDATE','name':'a','namespace':'ns',
             'userInfo':{'username':'system:admin','groups':['system:masters']},'dryRun':false,
             'options':{'kind':'UpdateOptions'}}
            """));

    private static Result evaluate(String expression) {
        return Condition.of(expression).evaluate(OBJECT, null, REQUEST, new RuleBudget(Condition.BUDGET));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "object.spec.replicas == 3 && object.spec.replicas > 2.5 && object.spec.share == 0.5 && object.spec.on",
                "object.metadata.labels['app.kubernetes.io/name'] == 'x'",
                "object.metadata.namespace == request.namespace",
                "object.spec.ports.exists(p, p.port == 443) && object.spec.ports.size() == 2",
                "object.spec.none == null && !has(object.spec.missing) && has(object.spec.none)",
                "object.spec.?missing.orValue('x') == 'x'",
                "object.spec.large > 1.0e29",
                "oldObject == null",
                "request.operation in ['CREATE', 'UPDATE'] && request.kind.kind == 'Deployment'",
                "'system:masters' in request.userInfo.groups && !request.dryRun",
                "request.options.kind == 'UpdateOptions' && !has(request.subResource)",
                "object.metadata.name.matches('^[a-z]$') && quantity('1k').isGreaterThan(quantity('1'))",
            })
    void holds(String expression) {
        assertThat(Condition.of(expression).error()).isEmpty();
        assertThat(evaluate(expression)).isEqualTo(new Result.Known(true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "object.spec.missing == 1 | no such key: missing",
                "object.spec.replicas.x == 1 | no such overload",
                "oldObject.metadata.name == 'a' | no such overload",
                "request.subResource == 'status' | no such key: subResource",
                "1 / (object.spec.replicas - 3) == 1 | division by zero",
            })
    void fails(String expression, String reason) {
        assertThat(evaluate(expression)).isEqualTo(new Result.Failed(reason));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "object.spec.on | must evaluate to bool but got dyn",
                "'a' | must evaluate to bool but got string",
                "[1] | must evaluate to bool but got list(int)",
                "request.uid == 'a' | undefined field 'uid'",
                "request.object == null | undefined field 'object'",
                "authorizer.group('').check('x') | found no matching overload for 'check'",
                "object. | ERROR: <input>:1:8:",
            })
    void doesNotCompile(String expression, String error) {
        assertThat(Condition.of(expression).error()).contains(error);
    }

    @Test
    void mayBeFalse() {
        assertThat(evaluate("object.spec.replicas == 4 || oldObject != null")).isEqualTo(new Result.Known(false));
    }

    @Test
    void aDecisiveOperandOutweighsAFailure() {
        assertThat(evaluate("object.spec.missing == 1 || true")).isEqualTo(new Result.Known(true));
    }

    @Test
    void costsAreBounded() {
        String nested = "[1,2,3,4,5,6,7,8,9,10]";
        String expensive = nested + ".all(a, " + nested + ".all(b, " + nested + ".all(c, " + nested + ".all(d, "
                + nested + ".all(e, " + nested + ".all(f, a + b + c + d + e + f > 0))))))";
        assertThat(evaluate(expensive)).isEqualTo(new Result.Failed("operation cancelled: actual cost limit exceeded"));

        RuleBudget budget = new RuleBudget(Condition.BUDGET);
        Condition condition = Condition.of(expensive);
        assertThat(condition.evaluate(OBJECT, null, REQUEST, budget)).isInstanceOf(Result.Failed.class);
        assertThat(condition.evaluate(OBJECT, null, REQUEST, budget)).isInstanceOf(Result.Failed.class);
        assertThat(condition.evaluate(OBJECT, null, REQUEST, budget)).isEqualTo(new Result.Exhausted());
    }
}
