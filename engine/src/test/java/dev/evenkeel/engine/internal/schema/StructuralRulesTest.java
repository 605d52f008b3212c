package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StructuralRulesTest {
    private static void expect(String schema, String... errors) {
        assertThat(Definitions.texts(StructuralRules.check(Definitions.tree(schema), "s")))
                .containsExactly(errors);
    }

    private static void property(String schema, String... errors) {
        expect("{'type':'object','properties':{'a':" + schema + "}}", errors);
    }

    @Test
    void everyValueHasAType() {
        expect("{}", "s.type: Required value: must not be empty at the root");
        expect("{'type':'string'}", "s.type: Invalid value: \"string\": must be object at the root");
        property("{}", "s.properties[a].type: Required value: must not be empty for specified object fields");
        property(
                "{'type':'array','items':{}}",
                "s.properties[a].items.type: Required value: must not be empty for specified array items");
        property("{'type':'array'}", "s.properties[a].items: Required value: must be specified");
        property("{'x-kubernetes-int-or-string':true}");
        property("{'x-kubernetes-preserve-unknown-fields':true}");
    }

    @Test
    void combinationsOnlyLimit() {
        property(
                "{'type':'object','anyOf':[{'type':'object','default':{},'nullable':true,'title':'t','description':'d',"
                        + "'additionalProperties':{},'x-kubernetes-list-type':'set'}]}",
                "s.properties[a].anyOf[0].additionalProperties: Forbidden: must be undefined to be structural",
                "s.properties[a].anyOf[0].default: Forbidden: must be undefined to be structural",
                "s.properties[a].anyOf[0].description: Forbidden: must be empty to be structural",
                "s.properties[a].anyOf[0].nullable: Forbidden: must be false to be structural",
                "s.properties[a].anyOf[0].title: Forbidden: must be empty to be structural",
                "s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural",
                "s.properties[a].anyOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural");
        property(
                "{'type':'object','not':{'properties':{'metadata':{}}},'properties':{'metadata':{'type':'string'}}}",
                "s.properties[a].not.properties[metadata]: Forbidden: must not be specified in a nested context");
    }

    @Test
    void aCombinationLimitsOnlySpecifiedProperties() {
        expect(
                "{'type':'object','allOf':[{'properties':{'zz':{'minimum':1}}}],'not':{'items':{}}}",
                "s.items: Required value: because it is defined in s.not.items",
                "s.properties[zz]: Required value: because it is defined in s.allOf[0].properties[zz]");
    }

    @Test
    void intOrStringMayNameBothTypes() {
        String both = "[{'type':'integer'},{'type':'string'}]";
        property("{'x-kubernetes-int-or-string':true,'anyOf':" + both + "}");
        property("{'x-kubernetes-int-or-string':true,'allOf':[{'anyOf':" + both + "},{'maximum':1}]}");
        property(
                "{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'string'},{'type':'integer'}]}",
                "s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural",
                "s.properties[a].anyOf[1].type: Forbidden: must be empty to be structural");
    }

    @Test
    void metadataMayBeNarrowedByNameOnly() {
        String name = "{'type':'object','properties':{'name':{'type':'string','pattern':'^a'}}}";
        expect("{'type':'object','properties':{'metadata':" + name + ",'kind':{'type':'string'}}}");
        expect(
                "{'type':'object','properties':{'metadata':{'type':'object','required':['x']},'kind':{'type':'object'}}}",
                "s.properties[kind].type: Invalid value: \"object\": must be string",
                "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata "
                        + "is implicitly specified");
    }

    @Test
    void embeddedResources() {
        property(
                "{'x-kubernetes-embedded-resource':true}",
                "s.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true "
                        + "without x-kubernetes-preserve-unknown-fields",
                "s.properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is true");
        property("{'type':'object','x-kubernetes-embedded-resource':true,'x-kubernetes-preserve-unknown-fields':true}");
    }

    @Test
    void patternsAreRe2() {
        property(
                "{'type':'string','pattern':'('}",
                "s.properties[a].pattern: Invalid value: \"(\": must be a valid regular expression, but isn't: error parsing "
                        + "regexp: missing closing ): `(`");
        property("{'type':'string','anyOf':[{'pattern':'(?P<x>a)'}]}");
        property(
                "{'type':'string','pattern':'((((a{30}){30}){30}){30}){30}'}",
                "s.properties[a].pattern: Invalid value: \"((((a{30}){30}){30}){30}){30}\": must be a valid regular "
                        + "expression, but isn't: error parsing regexp: invalid repeat count: `{30}`");
    }

    @Test
    void unstructuredSchemas() {
        assertThat(StructuralRules.obstacle(Definitions.tree("{'properties':{'a':{'$ref':'#/x'}}}")))
                .isEqualTo("OpenAPIV3Schema '$ref' is not supported");
        assertThat(StructuralRules.obstacle(Definitions.tree("{'items':[{}]}")))
                .isEqualTo("OpenAPIV3Schema 'items' must be a schema, but is an array");
        assertThat(StructuralRules.obstacle(Definitions.tree("{'type':'object'}")))
                .isEmpty();
    }
}
