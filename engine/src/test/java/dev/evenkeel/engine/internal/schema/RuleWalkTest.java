package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.cel.Cel;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Evaluation of rules at their places, their errors, and the rules that a definition may not have. */
class RuleWalkTest {
    private static ObjectSchema schema(String spec) {
        ResourceType type = Crds.resourceType(crd(spec));
        return ObjectSchema.of(type, type.storageVersion(), Cel.RULES);
    }

    private static JsonObject crd(String spec) {
        return Definitions.crd("{'type':'object','properties':{'spec':" + spec + "}}");
    }

    private static List<String> create(String spec, String value) {
        return Definitions.texts(schema(spec).validate(Definitions.widget(value)));
    }

    private static List<String> update(String spec, String value, String old) {
        return Definitions.texts(schema(spec).validateUpdate(Definitions.widget(value), Definitions.widget(old)));
    }

    private static List<String> refused(String spec) {
        return Definitions.texts(Crds.validate(crd(spec), null, Cel.RULES));
    }

    private static String rules(String... rules) {
        return "'x-kubernetes-validations':[" + String.join(",", rules) + "]";
    }

    @Test
    void rulesAreFoundAtAnyDepth() {
        String limit = rules("{'rule':'self < 3','message':'less than 3'}");
        String spec =
                "{'type':'object','properties':{'m':{'type':'object','additionalProperties':{'type':'integer'," + limit
                        + "}},'l':{'type':'array','items':{'type':'object','properties':{'n':{'type':'integer'," + limit
                        + "}}}}}}";
        assertThat(create(spec, "{'l':[{'n':1},{'n':5}],'m':{'b':4,'a.b':3,'c':1}}"))
                .containsExactly(
                        "spec.l[1].n: Invalid value: 5: less than 3",
                        "spec.m[a.b]: Invalid value: 3: less than 3",
                        "spec.m[b]: Invalid value: 4: less than 3");
    }

    @Test
    void brokenRulesHaveReasonPathAndMessage() {
        String spec =
                "{'type':'object','properties':{'a':{'type':'integer'},'m':{'type':'object','additionalProperties':"
                        + "{'type':'integer'}}},"
                        + rules(
                                "{'rule':'false','reason':'FieldValueRequired','fieldPath':'.a','message':'one'}",
                                "{'rule':'false','reason':'FieldValueDuplicate'}",
                                "{'rule':'false','fieldPath':'.m.x','messageExpression':'string(1 + 1)'}",
                                "{'rule':'self.a == 1'}",
                                "{'rule':'self.m.all(k, self.m[k] > 1 / 0)','message':'m'}")
                        + "}";
        assertThat(create(spec, "{'m':{'z':1}}"))
                .containsExactly(
                        "spec.a: Required value: one",
                        "spec: Duplicate value",
                        "spec.m[x]: Invalid value: 2",
                        "spec: Invalid value: \"object\": no such key: a evaluating rule: self.a == 1",
                        "spec: Invalid value: \"object\": division by zero evaluating rule: m");
    }

    @Test
    void brokenRulesOfUnchangedPartsAreTolerated() {
        String spec = "{'type':'object','properties':{'a':{'type':'integer',"
                + rules("{'rule':'self > 5','message':'above 5'}") + "},'b':{'type':'integer'}}}";
        List<FieldError> tolerated = new ArrayList<>();
        assertThat(schema(spec)
                        .validateUpdate(
                                Definitions.widget("{'a':1,'b':2}"), Definitions.widget("{'a':1}"), tolerated::add))
                .isEmpty();
        assertThat(Definitions.texts(tolerated)).containsExactly("spec.a: Invalid value: 1: above 5");
    }

    @Test
    void transitionRulesWaitForACounterpart() {
        String fixed = rules("{'rule':'self == oldSelf','message':'fixed'}");
        String spec = "{'type':'object','properties':{'a':{'type':'string'," + fixed
                + "},'l':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':"
                + "{'type':'object','required':['k'],'properties':{'k':{'type':'string'},'v':{'type':'string'," + fixed
                + "}}}}}}";
        assertThat(create(spec, "{'a':'x'}")).isEmpty();
        assertThat(update(spec, "{'a':'x'}", "{}")).isEmpty();
        assertThat(update(spec, "{'a':'y'}", "{'a':'x'}")).containsExactly("spec.a: Invalid value: \"y\": fixed");
        assertThat(update(
                        spec,
                        "{'l':[{'k':'new','v':'1'},{'k':'2','v':'b'},{'k':'1','v':'a'}]}",
                        "{'l':[{'k':'1','v':'a'},{'k':'2','v':'a'}]}"))
                .containsExactly("spec.l[1].v: Invalid value: \"b\": fixed");
    }

    @Test
    void transitionRulesWithAnOptionalOldValueDoNotWait() {
        String spec = "{'type':'object','properties':{'a':{'type':'integer',"
                + rules("{'rule':'oldSelf.orValue(0) < self','optionalOldSelf':true,'message':'must grow'}") + "}}}";
        assertThat(create(spec, "{'a':0}")).containsExactly("spec.a: Invalid value: 0: must grow");
        assertThat(create(spec, "{'a':1}")).isEmpty();
        assertThat(update(spec, "{'a':1}", "{'a':1}")).containsExactly("spec.a: Invalid value: 1: must grow");
    }

    @Test
    void existingErrorsMayStay() {
        String spec = "{'type':'object','properties':{'a':{'type':'integer'," + rules("{'rule':'self < 3'}")
                + "},'b':{'type':'integer'},'l':{'type':'array','items':{'type':'integer',"
                + rules("{'rule':'self < 3'}") + "}}}}";
        assertThat(update(spec, "{'a':5,'b':1}", "{'a':5,'b':2}")).isEmpty();
        assertThat(update(spec, "{'a':6}", "{'a':5}")).hasSize(1);
        assertThat(update(spec, "{'l':[5],'b':1}", "{'l':[5],'b':2}"))
                .as("the list around it has not changed")
                .isEmpty();
        assertThat(update(spec, "{'l':[5,1]}", "{'l':[5]}"))
                .containsExactly("spec.l[0]: Invalid value: 5: failed rule: self < 3");
    }

    @Test
    void rulesSeeTheNameOfTheObjectButNotItsLabels() {
        JsonObject crd = Definitions.crd("{'type':'object',"
                + rules("{'rule':'self.metadata.name == `w` && self.kind == `Widget`'}")
                        .replace("`", "\\u0027") + "}");
        assertThat(Definitions.texts(Crds.validate(crd, null, Cel.RULES))).isEmpty();
        ResourceType type = Crds.resourceType(crd);
        ObjectSchema schema = ObjectSchema.of(type, type.storageVersion(), Cel.RULES);
        assertThat(schema.validate(Definitions.widget("{}"))).isEmpty();
        assertThat(refused("{'type':'object'," + rules("{'rule':'has(self.metadata)'}") + "}")
                        .toString())
                .contains("undefined field 'metadata'");
    }

    @Test
    void theBudgetOfAnObjectEndsItsValidation() {
        String numbers = "0" + ",1".repeat(1500);
        String spec =
                "{'type':'object','properties':{'l':{'type':'array','items':{'type':'integer'}},'z':{'type':'integer',"
                        + rules("{'rule':'false'}") + "}},"
                        + rules("{'rule':'self.l.all(a, self.l.all(b, a + b >= 0))'}") + "}";
        assertThat(create(spec, "{'l':[" + numbers + "],'z':1}"))
                .containsExactly(
                        "spec: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded': no "
                                + "further validation rules will be run due to call cost exceeds limit for rule: "
                                + "self.l.all(a, self.l.all(b, a + b >= 0))");
    }

    @Test
    void aMessageThatCostsTooMuchIsReportedAtTheFieldOfItsRule() {
        String numbers = "0" + ",1".repeat(1500);
        String message = "self.l.all(a, self.l.all(b, a + b >= 0)) ? ''x'' : ''y''".replace("''", "\\u0027");
        String spec = "{'type':'object','properties':{'l':{'type':'array','items':{'type':'integer'}}},"
                + rules(
                        "{'rule':'size(self.l) < 3','fieldPath':'.l','messageExpression':'" + message + "'}",
                        "{'rule':'false','message':'never evaluated'}")
                + "}";
        assertThat(create(spec, "{'l':[1]}")).containsExactly("spec: Invalid value: never evaluated");
        assertThat(create(spec, "{'l':[" + numbers + "]}"))
                .singleElement()
                .asString()
                .startsWith(
                        "spec.l: Invalid value: \"object\": no further validation rules will be run due to call cost"
                                + " exceeds limit for messageExpression: \"self.l.all(");
    }

    @Test
    void definitionsWithRulesThatCostTooMuchAreRefused() {
        String item =
                "'items':{'type':'string','maxLength':%d}," + rules("{'rule':'self.all(x, self.all(y, x == y))'}");
        assertThat(refused("{'type':'array','maxItems':100," + item.formatted(100) + "}"))
                .isEmpty();
        assertThat(refused("{'type':'array','maxItems':1000," + item.formatted(100) + "}"))
                .hasSize(1)
                .first()
                .asString()
                .contains(
                        "estimated rule cost exceeds budget by factor of 4.5x (try simplifying the rule, or adding maxItems");
    }

    @Test
    void anExistingSchemaMayStay() {
        String spec = "{'type':'array','maxItems':500,'items':{'type':'string','maxLength':40},"
                + rules("{'rule':'self.all(x, self.all(y, x == y && y == x && x + y == y + x))'}") + "}";
        assertThat(refused(spec)).isNotEmpty();
        JsonObject crd = crd(spec);
        crd.put("metadata", Definitions.value("{'name':'widgets.demo.example.com','resourceVersion':'1','uid':'1'}"));
        assertThat(Crds.validate(crd, crd.copy(), Cel.RULES))
                .noneSatisfy(error -> assertThat(error.text()).contains("estimated rule cost exceeds"));
    }

    @Test
    void oldValuesNeedPossibleCounterparts() {
        String path = "spec.validation.openAPIV3Schema.properties[spec]";
        assertThat(refused("{'type':'array','maxItems':5,'items':{'type':'string','maxLength':5,"
                        + rules("{'rule':'self == oldSelf'}") + "}}"))
                .containsExactly(path + ".items.x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\": "
                        + "oldSelf cannot be used on the uncorrelatable portion of the schema within " + path);
        assertThat(refused("{'type':'integer'," + rules("{'rule':'self > 1','optionalOldSelf':true}") + "}"))
                .containsExactly(
                        path + ".x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set "
                                + "if oldSelf is not used in rule");
    }
}
