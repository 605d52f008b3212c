package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValueRulesTest {
    private static void expect(String schema, String value, String... errors) {
        ValueRules rules = new ValueRules(Definitions.tree("{'properties':{'f':" + schema + "}}"));
        assertThat(Definitions.texts(rules.validate(Definitions.value("{'f':" + value + "}"), "")))
                .containsExactly(errors);
    }

    private static void expectUpdate(String schema, String old, String value, String... errors) {
        ValueRules rules = new ValueRules(Definitions.tree("{'properties':{'f':" + schema + "}}"));
        assertThat(Definitions.texts(rules.validateUpdate(
                        Definitions.value("{'f':" + value + "}"), Definitions.value("{'f':" + old + "}"), "")))
                .containsExactly(errors);
    }

    @Test
    void types() {
        expect("{'type':'integer'}", "1");
        expect("{'type':'integer'}", "1.0");
        expect("{'type':'number'}", "1");
        expect(
                "{'type':'string'}",
                "1",
                "f: Invalid value: \"integer\": f in body must be of type string: \"integer\"");
        expect("{'type':'object'}", "[]", "f: Invalid value: \"array\": f in body must be of type object: \"array\"");
        expect(
                "{'x-kubernetes-int-or-string':true}",
                "true",
                "f: Invalid value: \"boolean\": f in body must be of type integer,string: \"boolean\"");
        expect("{'type':'string'}", "null", "f: Invalid value: \"null\": f in body must be of type string: \"null\"");
        expect("{'type':'string','nullable':true}", "null");
    }

    @Test
    void wholeNumbers() {
        expect(
                "{'type':'integer','format':'int32'}",
                "3000000000",
                "<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in f");
        expect(
                "{'type':'integer'}",
                "1.5",
                "f: Invalid value: \"number\": f in body must be of type integer: \"number\"",
                "<nil>: Invalid value: \"\": Checked value must be of type integer (default format) in f");
        expect("{'type':'integer','format':'int64'}", "9223372036854775807");
    }

    @Test
    void rangesAndFactors() {
        expect("{'minimum':1}", "0", "f: Invalid value: 0: f in body should be greater than or equal to 1");
        expect("{'minimum':1,'exclusiveMinimum':true}", "1", "f: Invalid value: 1: f in body should be greater than 1");
        expect("{'maximum':1}", "1.01", "f: Invalid value: 1.01: f in body should be less than or equal to 1");
        expect("{'maximum':5,'exclusiveMaximum':true}", "5", "f: Invalid value: 5: f in body should be less than 5");
        expect("{'multipleOf':0.5}", "0.7", "f: Invalid value: 0.7: f in body should be a multiple of 0.5");
        expect("{'multipleOf':0.1}", "0.3");
        expect("{'multipleOf':3}", "9");
        expect(
                "{'maximum':2000000}",
                "2500000.5",
                "f: Invalid value: 2.5000005e+06: f in body should be less than or equal to 2e+06");
        expect(
                "{'maximum':2000000}",
                "2500000",
                "f: Invalid value: 2500000: f in body should be less than or equal to 2000000");
        expect("{'multipleOf':3}", "10", "f: Invalid value: 10: f in body should be a multiple of 3");
    }

    @Test
    void text() {
        expect("{'type':'string','maxLength':4}", "'abcde'", "f: Too long: may not be more than 4 bytes");
        expect("{'type':'string','maxLength':2}", "'äö'");
        expect("{'type':'string','maxLength':1}", "'😀'");
        expect(
                "{'type':'string','minLength':2}",
                "'😀'",
                "f: Invalid value: \"😀\": f in body should be at least 2 chars long");
        expect("{'type':'string','pattern':'^a+$'}", "'b'", "f: Invalid value: \"b\": f in body should match '^a+$'");
        expect("{'type':'string','pattern':'b'}", "'abc'");
        expect("{'enum':['x','y']}", "'z'", "f: Unsupported value: \"z\": supported values: \"x\", \"y\"");
        expect("{'enum':[1,2.5]}", "1.0");
    }

    @Test
    void aPatternThatBacktracksElsewhereIsLinearHere() {
        expect(
                "{'type':'string','pattern':'^(a+)+$'}",
                "'" + "a".repeat(20_000) + "b'",
                "f: Invalid value: \"" + "a".repeat(20_000) + "b\": f in body should match '^(a+)+$'");
    }

    @Test
    void sizes() {
        expect("{'minItems':1}", "[]", "f: Invalid value: 0: f in body should have at least 1 items");
        expect("{'maxItems':1}", "[1,2]", "f: Too many: 2: must have at most 1 item");
        expect("{'minProperties':1}", "{}", "f: Invalid value: 0: f in body should have at least 1 properties");
        expect("{'maxProperties':1}", "{'a':1,'b':2}", "f: Too many: 2: must have at most 1 item");
        expect("{'required':['q','r']}", "{'r':1}", "f.q: Required value");
    }

    @Test
    void closedAndOpenMaps() {
        expect(
                "{'additionalProperties':false,'properties':{'a':{}}}",
                "{'a':1,'b':2}",
                "f: Invalid value: \"b\": f.b in body is a forbidden property");
        expect(
                "{'additionalProperties':{'type':'string'}}",
                "{'k.x':1}",
                "f.k.x: Invalid value: \"integer\": f.k.x in body must be of type string: \"integer\"");
    }

    @Test
    void theBestFailedAlternativeIsShown() {
        String one = "{'type':'integer','oneOf':[{'minimum':10},{'maximum':3}]}";
        expect(one, "11");
        expect(
                one,
                "5",
                "<nil>: Invalid value: \"\": \"f\" must validate one and only one schema (oneOf). Found none valid",
                "f: Invalid value: 5: f in body should be greater than or equal to 10");
        expect(
                "{'oneOf':[{'minimum':1},{'minimum':2}]}",
                "5",
                "<nil>: Invalid value: \"\": \"f\" must validate one and only one schema (oneOf). Found 2 valid alternatives");
        expect(
                "{'anyOf':[{'required':['a']},{'properties':{'x':{'minimum':1}},'required':['b']}]}",
                "{'x':1}",
                "<nil>: Invalid value: \"\": \"f\" must validate at least one schema (anyOf)",
                "f.b: Required value");
        expect(
                "{'not':{'enum':['bad']}}",
                "'bad'",
                "<nil>: Invalid value: \"\": \"f\" must not validate the schema (not)");
        expect(
                "{'allOf':[{'minimum':3},{'minimum':1}]}",
                "2",
                "f: Invalid value: 2: f in body should be greater than or equal to 3",
                "<nil>: Invalid value: \"\": \"f\" must validate all the schemas (allOf)");
        expect(
                "{'allOf':[{'minimum':3}]}",
                "2",
                "f: Invalid value: 2: f in body should be greater than or equal to 3",
                "<nil>: Invalid value: \"\": \"f\" must validate all the schemas (allOf). None validated");
    }

    @Test
    void errorsComeInTheOrderOfTheNamesOfFields() {
        expect(
                "{'properties':{'b':{'minimum':1},'a':{'minimum':1},'c':{}}}",
                "{'b':0,'a':0}",
                "f.a: Invalid value: 0: f.a in body should be greater than or equal to 1",
                "f.b: Invalid value: 0: f.b in body should be greater than or equal to 1");
    }

    @Test
    void unchangedValuesAreNotReportedInAnUpdate() {
        String schema = "{'properties':{'a':{'maxLength':3},'b':{'maxLength':3}}}";
        expectUpdate(schema, "{'a':'toolong'}", "{'a':'toolong','b':'x'}");
        expectUpdate(schema, "{'a':'toolong'}", "{'a':'longer too'}", "f.a: Too long: may not be more than 3 bytes");
        expectUpdate("{'required':['q'],'properties':{'a':{}}}", "{'a':1}", "{'a':2}", "f.q: Required value");
        expectUpdate("{'required':['q'],'properties':{'a':{}}}", "{'a':1}", "{'a':1}");
    }

    @Test
    void itemsHaveCounterpartsOnlyInListMaps() {
        String items = "'items':{'properties':{'k':{},'v':{'maximum':1}}}}";
        String old = "[{'k':'a','v':5},{'k':'b','v':0}]";
        String moved = "[{'k':'b','v':1},{'k':'a','v':5}]";
        expectUpdate("{'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k']," + items, old, moved);
        expectUpdate(
                "{" + items, old, moved, "f[1].v: Invalid value: 5: f[1].v in body should be less than or equal to 1");
    }

    @Test
    void pathsInAPartOfAnObjectAreRelativeInMessagesOnly() {
        ValueRules rules = new ValueRules(Definitions.tree("{'properties':{'a':{'minimum':1}}}"));
        assertThat(Definitions.texts(rules.validate(Definitions.value("{'a':0}"), "status")))
                .containsExactly("status.a: Invalid value: 0: a in body should be greater than or equal to 1");
    }
}
