package dev.evenkeel.engine.internal.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.CompiledRule;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CelTest {
    private static String object(String properties) {
        return "{'type':'object','properties':{" + properties + "}}";
    }

    private static void holds(String schema, String self, String rule) {
        assertThat(Rules.outcome(schema, self, rule)).as(rule).isEqualTo("true");
    }

    @Test
    void fieldsAreUnderEscapedNames() {
        String schema = object("'a.b':{'type':'integer'},'a-b':{'type':'integer'},'a/b':{'type':'integer'},"
                + "'a__b':{'type':'integer'},'namespace':{'type':'integer'},'a_b':{'type':'integer'}");
        holds(
                schema,
                "{'a.b':1,'a-b':2,'a/b':3,'a__b':4,'namespace':5,'a_b':6}",
                "self.a__dot__b == 1 && self.a__dash__b == 2 && self.a__slash__b == 3 && self.a__underscores__b == 4 "
                        + "&& self.__namespace__ == 5 && self.a_b == 6");
        assertThat(FieldNames.escape("0a")).isEmpty();
        assertThat(FieldNames.escape("a$")).isEmpty();
        assertThat(FieldNames.escape("true")).contains("__true__");
    }

    @Test
    void valuesHaveTheTypesOfTheirSchema() {
        String schema = object("'i':{'type':'integer'},'n':{'type':'number'},'b':{'type':'boolean'},"
                + "'t':{'type':'string','format':'date-time'},'d':{'type':'string','format':'duration'},"
                + "'y':{'type':'string','format':'byte'},'day':{'type':'string','format':'date'},"
                + "'x':{'x-kubernetes-int-or-string':true},'m':{'type':'object','additionalProperties':{'type':'integer'}},"
                + "'l':{'type':'array','items':{'type':'string'}}");
        String self = "{'i':1,'n':2,'b':true,'t':'2024-01-02T03:04:05Z','d':'90s','y':'YWI=','day':'2024-01-02',"
                + "'x':'10%','m':{'a.b':1},'l':['k']}";
        holds(schema, self, "self.i / 2 == 0 && self.n / 4.0 == 0.5 && self.b");
        holds(schema, self, "self.t.getFullYear() == 2024 && self.day < self.t && self.d == duration('1m30s')");
        holds(schema, self, "self.y == b'ab' && self.m['a.b'] == 1 && 'a.b' in self.m && self.l[0] == 'k'");
        holds(schema, self, "type(self.x) == string && self.x.endsWith('%')");
        holds(schema, "{'x':5}", "type(self.x) == int && self.x > 4");
        assertThat(Rules.outcome(schema, "{'x':'a'}", "self.x > 4")).isEqualTo("no such overload");
        assertThat(Rules.compile(schema, "self.i / self.n > 1.0").error())
                .startsWith("compilation failed: ERROR: <input>:1:8: found no matching overload for '_/_'");
    }

    /** A rule of 14 KB had a message of 47 MB: a line of the expression for each of its errors. */
    @Test
    void noMoreThanAHundredErrorsAreShown() {
        String error = Rules.compile(object(""), "self.a" + " @".repeat(7_000)).error();
        assertThat(error).endsWith("\n1 more errors were truncated").hasSizeLessThan(2_000_000);
        assertThat(error.split("ERROR: <input>")).hasSize(101);

        assertThat(Rules.compile(object(""), "no.a == 1" + " && no.a == 1".repeat(149))
                        .error())
                .endsWith("\n50 more errors were truncated");
    }

    @Test
    void aLongLineIsNotShownWithItsError() {
        String spaces = " ".repeat(20_000);
        assertThat(Rules.compile(object(""), "no.a == 1" + spaces).error())
                .contains("ERROR: <input>:1:1: undeclared reference to 'no'")
                .doesNotContain("\n | ");
        assertThat(Rules.compile(object(""), "no.a == 1" + spaces.substring(10_000))
                        .error())
                .contains("\n | no.a == 1");
    }

    @Test
    void absentFieldsAndNullsAreAbsent() {
        String schema = object("'a':{'type':'integer','nullable':true},'l':{'type':'array','items':"
                + "{'type':'integer','nullable':true}}");
        holds(schema, "{}", "!has(self.a)");
        holds(schema, "{'a':null}", "!has(self.a)");
        holds(schema, "{'l':[null,1]}", "dyn(self.l[0]) == null && self.l[1] == 1");
        assertThat(Rules.outcome(schema, "{}", "self.a > 1")).isEqualTo("no such key: a");
    }

    @Test
    void equalityOfListsDependsOnTheirType() {
        String set = object("'a':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},"
                + "'b':{'type':'array','items':{'type':'string'}}");
        holds(set, "{'a':['x','y'],'b':['y','x']}", "self.a == ['y', 'x'] && self.b != ['x', 'y']");
        holds(set, "{'a':['x','y']}", "self.a + ['y', 'z'] == ['x', 'y', 'z'] && (self.a + ['y']).size() == 2");
        String map = object("'a':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],"
                + "'items':" + object("'k':{'type':'string'},'v':{'type':'integer'}") + "}");
        CompiledRule same = Rules.compile(map, "self.a == oldSelf.a");
        String self = "{'a':[{'k':'x','v':1},{'k':'y','v':2}]}";
        assertThat(Rules.outcome(same, self, Optional.of("{'a':[{'k':'y','v':2},{'k':'x','v':1}]}")))
                .isEqualTo("true");
        assertThat(Rules.outcome(same, self, Optional.of("{'a':[{'k':'y','v':2},{'k':'x','v':3}]}")))
                .isEqualTo("false");
        assertThat(Rules.outcome(
                        Rules.compile(map, "(self.a + oldSelf.a).map(e, e.v) == [3, 2]"),
                        self,
                        Optional.of("{'a':[{'k':'x','v':3}]}")))
                .isEqualTo("true");
    }

    @Test
    void aMessageMayBeComputed() {
        CompiledRule rule = Rules.compile(
                object("'a':{'type':'string'}"),
                JsonObject.of("rule", "self.a == 'x'", "messageExpression", "'got ' + self.a"));
        assertThat(Rules.outcome(rule, "{'a':'y'}", Optional.empty())).isEqualTo("got y");
        assertThat(Rules.outcome(rule, "{'a':'y\\nz'}", Optional.empty()))
                .as("one line, or the message instead")
                .isEqualTo("false");
        assertThat(Rules.compile(
                                object("'a':{'type':'string'}"),
                                JsonObject.of("rule", "true", "messageExpression", "1"))
                        .messageError())
                .isEqualTo("messageExpression must evaluate to a string");
    }

    @Test
    void errorsOfCompilationHaveAPosition() {
        assertThat(Rules.compile("{'type':'string'}", "self +").error())
                .startsWith("compilation failed: ERROR: <input>:1:7: ");
        assertThat(Rules.compile("{'type':'string'}", "self").error())
                .isEqualTo("cel expression must evaluate to a bool");
        assertThat(Rules.compile("{'type':'string'}", "self.matches('[')").error())
                .isEqualTo("compilation failed: ERROR: <input>:1:14: invalid matches argument\n | self.matches('[')\n"
                        + " | .............^");
        assertThat(Rules.compile("{'type':'string'}", "duration('1x') == duration('1s')")
                        .error())
                .contains("invalid duration argument");
        assertThat(Rules.compile("{'type':'string'}", "[1, 'a'].size() == 2").error())
                .contains("expected type 'int' but found 'string'");
        assertThat(Rules.compile("{'type':'string'}", "oldSelf == self").usesOldSelf())
                .isTrue();
    }

    @Test
    void optionalOldValues() {
        CompiledRule rule = Rules.compile(
                "{'type':'integer'}",
                JsonObject.of("rule", "!oldSelf.hasValue() || oldSelf.value() < self", "optionalOldSelf", true));
        assertThat(Rules.outcome(rule, "1", Optional.empty())).isEqualTo("true");
        assertThat(Rules.outcome(rule, "1", Optional.of("0"))).isEqualTo("true");
        assertThat(Rules.outcome(rule, "1", Optional.of("2"))).isEqualTo("false");
    }

    @Test
    void aRuleOfABillionIterationsIsStopped() {
        String numbers = IntStream.range(0, 1000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        String schema = "{'type':'array','items':{'type':'integer'}}";
        String rule = "self.all(a, self.all(b, self.all(c, a + b + c >= 0)))";
        assertThat(Rules.outcome(schema, "[" + numbers + "]", rule)).isEqualTo("RULE");
        RuleBudget little = new RuleBudget(1_000);
        assertThat(Rules.compile(schema, rule)
                        .evaluation()
                        .of(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), Optional.empty(), little))
                .isEqualTo(new CompiledRule.Outcome.Stopped(CompiledRule.Limit.OBJECT));
        assertThat(little.left()).isZero();
    }

    @Test
    void macrosThatCollectTakeLinearTime() {
        String numbers = IntStream.range(0, 20_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        holds(
                "{'type':'array','items':{'type':'integer'}}",
                "[" + numbers + "]",
                "self.map(x, x + 1).size() == 20000 && self.filter(x, x % 2 == 0).size() == 10000");
    }

    @Test
    void anyThreadMayEvaluate() throws Exception {
        CompiledRule rule = Rules.compile(
                "{'type':'array','items':{'type':'integer'}}",
                "self.map(x, x * x).filter(x, x > 10).sum() == self.size()");
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<String>> calls = IntStream.range(0, 200)
                    .<Callable<String>>mapToObj(
                            i -> () -> Rules.outcome(rule, i % 2 == 0 ? "[]" : "[4]", Optional.empty()))
                    .toList();
            int at = 0;
            for (var result : threads.invokeAll(calls)) {
                assertThat(result.get()).isEqualTo(at++ % 2 == 0 ? "true" : "false");
            }
        }
    }

    @Test
    void equalSchemasAreCompiledOnce() {
        assertThat(Rules.compile("{'type':'string'}", "self == 'once'"))
                .isSameAs(Rules.compile("{'type':'string'}", "self == 'once'"));
    }

    @Test
    void costsAreEstimatedAsUpstreamDoes() {
        assertThat(Rules.compile("{'type':'array','items':{'type':'array','items':{'type':'string'}}}", "true")
                        .cost())
                .isZero();
        String bounded = "{'type':'array','maxItems':10,'items':{'type':'string','maxLength':5}}";
        // range 1 + 10 * (condition 2 + step (x 1 + comparison 2 (20 bytes, a tenth each, of at most 1: 1)))
        assertThat(Rules.compile(bounded, "self.size() == 1").cost()).isLessThan(5);
        assertThat(Rules.compile(bounded, "self.all(x, x == 'a')").cost()).isBetween(40L, 80L);
        assertThat(Rules.compile("{'type':'array','items':{'type':'string'}}", "self.all(x, self.all(y, x == y))")
                        .cost())
                .isGreaterThan(1_000_000_000_000L);
    }
}
