package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListTypesTest {
    private static void expect(String list, String value, String... errors) {
        List<FieldError> found = new ArrayList<>();
        ListTypes.of(Definitions.schema("{'properties':{'l':" + list + "}}"))
                .validate(Definitions.value("{'l':" + value + "}"), found::add);
        assertThat(Definitions.texts(found)).containsExactly(errors);
    }

    @Test
    void anItemOfASetIsReportedAtItsSecondOccurrence() {
        String set = "{'x-kubernetes-list-type':'set','items':{}}";
        expect(set, "['a','b']");
        expect(set, "['a','b','a','a']", "l[2]: Duplicate value: \"a\"");
        expect(set, "[{'x':1},{'x':1}]", "l[1]: Duplicate value: {\"x\":1}");
        expect(set, "[1,'1']");
    }

    @Test
    void theKeysOfAListMapAreReportedSorted() {
        String one = "{'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{}}";
        String two = "{'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['z','a'],'items':{}}";
        expect(one, "[{'k':'a'},{'k':'a','v':1}]", "l[1]: Duplicate value: {\"k\":\"a\"}");
        expect(one, "[{},{}]", "l[1]: Duplicate value: {}");
        expect(two, "[{'z':1,'a':2},{'z':1,'a':2}]", "l[1]: Duplicate value: {\"a\":2,\"z\":1}");
        expect(two, "[{'z':1,'a':2},{'z':1,'a':3}]");
        expect(one, "['x']", "l[0]: Invalid value: \"x\": must be an object for an array of list-type map");
    }

    @Test
    void listsWithinMapsAndListsAreChecked() {
        String set = "{'x-kubernetes-list-type':'set','items':{}}";
        expect("{'additionalProperties':" + set + "}", "{'a':[1,1]}", "l[a][1]: Duplicate value: 1");
        expect("{'items':" + set + "}", "[[],[1,1]]", "l[1][1]: Duplicate value: 1");
    }
}
