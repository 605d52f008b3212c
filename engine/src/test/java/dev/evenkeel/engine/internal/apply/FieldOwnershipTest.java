package dev.evenkeel.engine.internal.apply;

import static dev.evenkeel.engine.internal.apply.WidgetOwnership.widget;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldOwnershipTest {
    private final WidgetOwnership widget = new WidgetOwnership();

    @Test
    void creatorOwnsItsFieldsAndContainers() {
        widget.put("creator", "{'a':'1','map':[{'name':'p','v':'1'}],'gran':{'k':'1'},'whole':{'k':'1'},'n':null}");

        assertThat(widget.owned("creator"))
                .containsExactly(
                        ".spec",
                        ".spec.a",
                        ".spec.gran",
                        ".spec.map",
                        ".spec.n",
                        ".spec.whole",
                        ".spec.gran.k",
                        ".spec.map[name=\"p\"]",
                        ".spec.map[name=\"p\"].name",
                        ".spec.map[name=\"p\"].v");
    }

    @Test
    void applierOwnsLeavesAndItemsOnly() {
        widget.apply(
                "one", "{'a':'1','map':[{'name':'p','v':'1'}],'gran':{'k':'1'},'set':['x'],'nest':{'k':{'x':'1'}}}");

        assertThat(widget.owned("one"))
                .containsExactly(
                        ".spec.a",
                        ".spec.gran.k",
                        ".spec.map[name=\"p\"]",
                        ".spec.map[name=\"p\"].name",
                        ".spec.map[name=\"p\"].v",
                        ".spec.nest.k",
                        ".spec.nest.k.x",
                        ".spec.set[=\"x\"]");
    }

    @Test
    void updateOwnsChangedFieldsAndDropsRemovedOnes() {
        widget.apply("one", "{'a':'1','n':1,'gran':{'x':'1','y':'1'}}");
        widget.put("two", keepingEntries("{'a':'2','n':1,'gran':{'x':'1'}}"), "");

        assertThat(widget.owned("one")).containsExactly(".spec.n", ".spec.gran.x");
        assertThat(widget.owned("two")).containsExactly(".spec.a");
        assertThat(widget.managers()).containsExactly("one Apply", "two Update");
    }

    @Test
    void updateThatChangesNothingLeavesTheRecord() {
        widget.put("one", "{'a':'1','n':1}");
        List<@Nullable Object> before = widget.entries();
        widget.put("two", "{'a':'1','n':1}");

        assertThat(widget.entries()).isSameAs(before);
    }

    @Test
    void timeIsThatOfTheLastGain() {
        widget.put("one", "{'a':'1','n':1}").put("one", "{'a':'1'}");
        assertThat(Json.string(widget.entries().getFirst(), "time")).isEqualTo("2026-01-01T00:00:01Z");

        widget.put("one", "{'a':'2'}");
        assertThat(Json.string(widget.entries().getFirst(), "time")).isEqualTo("2026-01-01T00:00:03Z");
    }

    @Test
    void anUnchangedValueDoesNotChangeItsOwner() {
        widget.put("one", "{'a':'1','n':1}").put("two", "{'a':'1','n':1.0}");

        assertThat(widget.owned("two")).isEmpty();
    }

    @Test
    void elevenUpdatersAreFoldedIntoTen() {
        StringBuilder fields = new StringBuilder("'k0':'0'");
        for (int i = 1; i <= 12; i++) {
            fields.append(",'k").append(i).append("':'x'");
            widget.put("m" + i, "{'gran':{" + fields + "}}");
        }

        assertThat(widget.managers()).hasSize(10).first().isEqualTo("ancient-changes Update");
        assertThat(widget.owned("ancient-changes")).contains(".spec.gran.k0", ".spec.gran.k1", ".spec.gran.k3");
        assertThat(widget.managers()).doesNotContain("m1 Update", "m2 Update", "m3 Update");
    }

    @ParameterizedTest
    @CsvSource({"[]", "[{}]"})
    void recordIsClearedByNoneOrOneEmptyEntry(String entries) {
        widget.put("one", "{'a':'1'}").put("two", withEntries("{'a':'1'}", entries), "");
        assertThat(widget.entries()).isEmpty();

        widget.put("two", "{'a':'2'}");
        assertThat(widget.entries()).as("not tracked until applied").isEmpty();

        assertThatThrownBy(() -> widget.apply("three", "{'a':'3'}"))
                .isInstanceOf(ConflictException.class)
                .hasMessage("Apply failed with 1 conflict: conflict with \"before-first-apply\" using example.com/v1:"
                        + " .spec.a");
        widget.force("three", "{'a':'3'}");
        assertThat(widget.managers()).containsExactly("three Apply", "before-first-apply Update");
    }

    @Test
    void entriesOfARequestReplaceTheRecord() {
        widget.put("one", "{'a':'1'}");
        widget.put(
                "two",
                withEntries(
                        "{'a':'1'}",
                        "[{'manager':'m','operation':'Apply','apiVersion':'example.com/v1','fieldsType':'FieldsV1',"
                                + "'fieldsV1':{'f:spec':{'f:a':{}}}}]"),
                "");

        assertThat(widget.managers()).containsExactly("m Apply timeless");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'manager':'m','operation':'Bogus','apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{}}",
                "{'manager':'m','operation':'Update','fieldsType':'FieldsV1','fieldsV1':{}}",
                "{'manager':'m','operation':'Update','apiVersion':'v1','fieldsV1':{}}",
                "{'manager':'m','operation':'Update','apiVersion':'v1','fieldsType':'FieldsV2','fieldsV1':{}}",
                "{'manager':'m','operation':'Update','apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{'zz':{}}}"
            })
    void invalidEntriesOfARequestAreIgnored(String entry) {
        widget.put("one", "{'a':'1'}");
        List<@Nullable Object> before = widget.entries();
        widget.put("two", withEntries("{'a':'1'}", "[" + entry.replace("\"", "'") + "]"), "");

        assertThat(widget.entries()).isEqualTo(before);
    }

    @Test
    void subresourceKeepsTheRecordAndItsOwnEntries() {
        widget.put("one", "{'a':'1'}");
        JsonObject object = withEntries("{'a':'1'}", "[]");
        object.put("status", SchemaText.tree("{'x':'1'}"));
        widget.put("one", object, "status");

        assertThat(widget.managers()).containsExactly("one Update", "one Update");
        assertThat(widget.owned("one")).containsExactly(".spec", ".spec.a", ".status", ".status.x");
    }

    @Test
    void mainEndpointDoesNotRecordStatus() {
        JsonObject object = widget("{'a':'1'}");
        object.put("status", SchemaText.tree("{'x':'1'}"));
        widget.apply("one", object, false);

        assertThat(widget.owned("one")).containsExactly(".spec.a");
    }

    @Test
    void sameValueIsSharedAndADifferentOneConflicts() {
        widget.apply("one", "{'a':'1','n':1}").apply("two", "{'a':'1'}");
        assertThat(widget.owned("two")).containsExactly(".spec.a");
        assertThat(widget.managers()).as("no time, as nothing changed").contains("two Apply timeless");

        assertThatThrownBy(() -> widget.apply("three", "{'a':'9','n':9}"))
                .isInstanceOfSatisfying(ApiException.class, e -> {
                    assertThat(e.code()).isEqualTo(409);
                    assertThat(e.reason()).isEqualTo("Conflict");
                    assertThat(e.causes())
                            .containsExactly(
                                    new Status.Cause("FieldManagerConflict", "conflict with \"one\"", ".spec.a"),
                                    new Status.Cause("FieldManagerConflict", "conflict with \"one\"", ".spec.n"),
                                    new Status.Cause("FieldManagerConflict", "conflict with \"two\"", ".spec.a"));
                    assertThat(e)
                            .hasMessage("Apply failed with 3 conflicts: conflicts with \"one\":\n- .spec.a\n"
                                    + "- .spec.n\nconflicts with \"two\":\n- .spec.a");
                });

        widget.force("three", "{'a':'9','n':9}");
        assertThat(widget.managers()).containsExactly("three Apply");
    }

    @Test
    void droppedFieldsAreRemovedUnlessOwnedByAnotherManager() {
        widget.apply("one", "{'a':'1','n':1,'gran':{'x':'1','y':'1'},'set':['p','q'],'atom':['1']}");
        widget.apply("two", "{'n':1,'gran':{'y':'1'},'set':['q','r']}");
        widget.apply("one", "{}");

        assertThat(widget.spec()).isEqualTo("{'n':1,'gran':{'y':'1'},'set':['q','r']}");
    }

    @Test
    void droppedContainerStaysEmptyWhenAnotherOwnsIt() {
        widget.apply("one", "{'gran':{}}").apply("two", "{'gran':{'x':'1'}}").apply("two", "{}");

        assertThat(widget.spec()).isEqualTo("{'gran':{}}");
    }

    @Test
    void droppedItemKeepsFieldsOfOtherOwners() {
        widget.apply("one", "{'map':[{'name':'p','v':'1'},{'name':'q','v':'1'}]}");
        widget.apply("two", "{'map':[{'name':'p','w':'2'}]}");
        widget.apply("one", "{}");

        assertThat(widget.spec()).isEqualTo("{'map':[{'name':'p','w':'2'}]}");
    }

    @Test
    void fieldsOfAnUpdaterAreKeptWhenTheApplierDropsThem() {
        widget.apply("one", "{'a':'1','n':1}").put("two", keepingEntries("{'a':'2','n':1}"), "");
        widget.apply("one", "{'n':1}");

        assertThat(widget.spec()).isEqualTo("{'a':'2','n':1}");
    }

    @Test
    void applyingTheSameChangesNothing() {
        String spec = "{'a':'1','map':[{'name':'p'}],'free':{'x':[{'y':1}]},'ios':'50%'}";
        widget.apply("one", spec);
        assertThat(widget.changed()).isTrue();
        JsonObject before = widget.object();
        widget.apply("one", spec);

        assertThat(widget.changed()).isFalse();
        assertThat(widget.object()).isEqualTo(before);
    }

    @Test
    void configurationIsOnlyRead() {
        JsonObject patch = widget("{'gran':{'a':'1'},'map':[{'name':'p'}]}");
        JsonObject copy = patch.copy();
        widget.apply("one", patch, false);
        widget.object().object("spec", "gran").put("b", "2");

        assertThat(patch).isEqualTo(copy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "['a','b','c'] | ['c','a'] | ['b','c','a']",
                "['a','b','c'] | ['x','b'] | ['a','x','b','c']",
                "['a','b','c'] | ['b','x','a'] | ['b','c','x','a']",
                "['a','b','c'] | ['y'] | ['a','b','c','y']",
                "['a','b'] | ['b','a'] | ['b','a']",
                "['a','b'] | [] | ['a','b']"
            })
    void listsKeepTheOrderOfTheConfigurationBetweenExistingItems(String live, String config, String merged) {
        String quote = "'";
        widget.put("one", "{'set':" + live.replace("\"", quote) + "}");
        widget.apply("two", "{'set':" + config.replace("\"", quote) + "}");

        assertThat(widget.spec()).isEqualTo("{'set':" + merged + "}");
    }

    @Test
    void duplicatesAreToleratedInTheObjectAndReplacedByTheConfiguration() {
        widget.put("one", "{'map':[{'name':'p','v':'1'},{'name':'p','v':'2'},{'name':'q'}]}");
        assertThat(widget.owned("one")).contains(".spec.map[name=\"p\"]").doesNotContain(".spec.map[name=\"p\"].v");

        widget.force("two", "{'map':[{'name':'p','w':'3'}]}");
        assertThat(widget.spec()).isEqualTo("{'map':[{'name':'p','w':'3'},{'name':'q'}]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'zz':1} | .spec.zz: field not declared in schema",
                "{'n':'x','zz':1} | errors:#  .spec.n: expected numeric (int or float), got string#"
                        + "  .spec.zz: field not declared in schema",
                "{'n':{'a':1}} | .spec.n: expected numeric (int or float), got map[string]interface {}",
                "{'a':1} | .spec.a: expected string, got &value.valueUnstructured{Value:1}",
                "{'a':['x',null]} | .spec.a: expected string, got &value.valueUnstructured{Value:[]interface {}{\"x\","
                        + " interface {}(nil)}}",
                "{'flag':'x'} | .spec.flag: expected boolean, got &{x}",
                "{'gran':'x'} | .spec.gran: expected map, got &{x}",
                "{'gran':{'k':{'b':1,'a':2}}} | .spec.gran.k: expected string, got &value.valueUnstructured{Value:"
                        + "map[string]interface {}{\"a\":2, \"b\":1}}",
                "{'set':{'b':1,'a':true}} | .spec.set: expected list, got &{map[a:true b:1]}",
                "{'set':['a','a']} | .spec.set: duplicate entries for key [=\"a\"]",
                "{'set':[null]} | .spec.set: element 0: associative list without keys has an element that's an explicit"
                        + " null",
                "{'set':[{}]} | .spec.set: element 0: associative list without keys has an element that's a map type",
                "{'map':[1]} | .spec.map: element 0: associative list with keys may not have non-map elements",
                "{'map':[{'v':'x'}]} | .spec.map: element 0: associative list with keys has an element that omits all"
                        + " key fields [\"name\"] (and doesn't have default values for any key fields)",
                "{'ports':[{'port':1},{'port':1,'protocol':'TCP'}]} | .spec.ports: duplicate entries for key"
                        + " [port=1,protocol=\"TCP\"]",
                "{'plain':[{'k':'1'},{'k':1}]} | .spec.plain[1].k: expected string, got"
                        + " &value.valueUnstructured{Value:1}"
            })
    void configurationThatDoesNotFitTheSchemaIsRefused(String spec, String message) {
        assertThatThrownBy(() -> widget.apply("one", spec)).isInstanceOfSatisfying(ApiException.class, e -> {
            assertThat(e.code()).isEqualTo(500);
            assertThat(e.reason()).isEmpty();
            assertThat(e)
                    .hasMessage("failed to create typed patch object (/w; example.com/v1, Kind=Widget): "
                            + message.replace('#', '\n'));
        });
    }

    @Test
    void otherTypesAndOwnRecordsAreRefused() {
        assertThatThrownBy(() -> widget.apply("one", SchemaText.tree("{'apiVersion':'example.com/v1'}"), false))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("invalid object type: example.com/v1, Kind=");
        assertThatThrownBy(() -> widget.apply("one", withEntries("{}", "[]"), false))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("metadata.managedFields must be nil");
    }

    @Test
    void unknownPartsAreOwnedFieldByFieldAndListsAsAWhole() {
        widget.apply("one", "{'free':{'m':{'x':1},'l':[{'name':'p'}]}}");
        assertThat(widget.owned("one")).containsExactly(".spec.free.l", ".spec.free.m", ".spec.free.m.x");

        widget.apply("two", "{'free':{'m':{'y':1}}}");
        assertThatThrownBy(() -> widget.apply("two", "{'free':{'l':[]}}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"one\": .spec.free.l");
    }

    @Test
    void aValueMayChangeItsKindWhereTheSchemaAllowsIt() {
        widget.apply("one", "{'free':{'m':{'x':1}},'ios':1}").apply("one", "{'free':{'m':'text'},'ios':'1'}");
        assertThat(widget.spec()).isEqualTo("{'free':{'m':'text'},'ios':'1'}");

        widget.apply("one", "{'free':{'m':{'z':1}}}");
        assertThat(widget.spec()).isEqualTo("{'free':{'m':{'z':1}}}");
    }

    @Test
    void ownersInVersionsThatAreNotServedAreDropped() {
        Schema schema = SchemaText.object(
                "{'spec':{'type':'object','properties':{'a':{'type':'string'}," + "'b':{'type':'string'}}}}");
        widget.serve("example.com/v0", Optional.of(schema));
        JsonObject old = widget("{'a':'1','b':'1'}");
        old.put("apiVersion", "example.com/v0");
        widget.put("old", old, "").put("new", keepingEntries("{'a':'2','b':'1'}"), "");
        assertThat(widget.managers()).containsExactly("old Update example.com/v0", "new Update");
        assertThat(widget.owned("old")).containsExactly(".spec", ".spec.b");

        widget.serve("example.com/v0", Optional.empty());
        widget.put("new", keepingEntries("{'a':'2','b':'1'}"), "");
        assertThat(widget.managers()).containsExactly("new Update");
    }

    @Test
    void recordIsClearedWhenAnotherVersionDoesNotKnowTheFields() {
        widget.serve(
                "example.com/v0",
                Optional.of(SchemaText.object(
                        "{'spec':{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'string'}}}}")));
        widget.put("one", "{'a':'1'}");
        JsonObject other = keepingEntries("{'a':'1','b':'1'}");
        other.put("apiVersion", "example.com/v0");
        widget.put("two", other, "");

        assertThat(widget.entries()).isEmpty();
    }

    @Test
    void ownersInOtherVersionsLoseFieldsThatChangeThere() {
        Schema other = SchemaText.object(
                "{'spec':{'type':'object','properties':{'renamed':{'type':'string'}," + "'same':{'type':'string'}}}}");
        Schema here = SchemaText.object(
                "{'spec':{'type':'object','properties':{'name':{'type':'string'}," + "'same':{'type':'string'}}}}");
        FieldOwnership ownership = new FieldOwnership(
                "x/v1",
                "X",
                "",
                FieldOwnership.blank("x/v1", "X"),
                List.of(),
                version -> Optional.of(version.equals("x/v1") ? here : other),
                (object, version) -> SchemaText.tree(
                        Json.text(object).replace("\"name\"", "\"renamed\"").replace("v1", "v2")));
        JsonObject live = SchemaText.tree("{'apiVersion':'x/v1','kind':'X','metadata':{"
                + "'managedFields':[{'manager':'old','operation':'Update','apiVersion':'x/v2','fieldsType':'FieldsV1',"
                + "'fieldsV1':{'f:spec':{'f:renamed':{},'f:same':{}}}}]},'spec':{'name':'1','same':'1'}}");
        JsonObject object =
                SchemaText.tree("{'apiVersion':'x/v1','kind':'X','metadata':{},'spec':{'name':'2','same':'1'}}");

        List<@Nullable Object> entries = ownership.updated(Optional.of(live), object, "new", "1970-01-01T00:00:00Z");
        assertThat(Json.text(entries.getLast())).contains("old", "{\"f:spec\":{\"f:same\":{}}}");
        assertThat(Json.text(entries.getFirst())).contains("new", "{\"f:spec\":{\"f:name\":{}}}");
    }

    @Test
    void recordIsClearedWhenItemsAreIndistinguishable() {
        widget.put("one", "{'a':'1'}").put("two", keepingEntries("{'a':'1','map':[{'v':'1'}]}"), "");

        assertThat(widget.entries()).isEmpty();
    }

    @Test
    void applyingInAnotherVersionMovesTheApplierThere() {
        widget.serve(
                "example.com/v2",
                Optional.of(SchemaText.object("{'spec':{'type':'object','properties':{'a':{'type':'string'},"
                        + "'n':{'type':'integer'}}}}")));
        widget.apply("one", "{'a':'1','n':1}");
        JsonObject patch = widget("{'n':1}");
        patch.put("apiVersion", "example.com/v2");
        widget.object().put("apiVersion", "example.com/v2");
        widget.apply("one", patch, false);

        assertThat(widget.spec()).isEqualTo("{'n':1}");
        assertThat(widget.managers()).containsExactly("one Apply example.com/v2");
    }

    @Test
    void valuesThatBecameAtomicAreOwnedAsAWhole() {
        widget.apply("one", "{'gran':{'a':'1'},'set':['x']}").apply("two", "{'gran':{'b':'1'}}");
        widget.serve(
                WidgetOwnership.VERSION,
                Optional.of(SchemaText.object("{'spec':{'type':'object','properties':{"
                        + "'gran':{'type':'object','x-kubernetes-map-type':'atomic',"
                        + "'additionalProperties':{'type':'string'}},"
                        + "'set':{'type':'array','items':{'type':'string'}}}}}")));
        widget.apply("two", "{'gran':{'a':'1','b':'1'}}");

        assertThat(widget.owned("one")).containsExactly(".spec.gran", ".spec.set");
        assertThat(widget.owned("two")).containsExactly(".spec.gran");
        assertThatThrownBy(() -> widget.apply("two", "{'gran':{'b':'1'}}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"one\": .spec.gran");
    }

    @Test
    void kubectlTakesOverItsClientSideConfiguration() {
        JsonObject object = widget("{'a':'1','n':1}");
        JsonObject last = widget("{'a':'1'}");
        object.object("metadata")
                .put("annotations", SchemaText.tree("{'kubectl.kubernetes.io/last-applied-configuration':'x'}"));
        object.object("metadata", "annotations")
                .put("kubectl.kubernetes.io/last-applied-configuration", Json.text(last));
        widget.put("kubectl-client-side-apply", object, "");

        assertThatThrownBy(() -> widget.apply("kubectl", "{'a':'2','n':2}"))
                .hasMessage("Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using"
                        + " example.com/v1: .spec.n");
        assertThatThrownBy(() -> widget.apply("other", "{'a':'2'}")).isInstanceOf(ConflictException.class);

        widget.apply("kubectl", "{'a':'<2>'}");
        assertThat(widget.owned("kubectl")).containsExactly(".spec.a");
        assertThat(widget.object()
                        .string("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"))
                .isEqualTo("{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},"
                        + "\"spec\":{\"a\":\"\\u003c2\\u003e\"}}\n");
    }

    @Test
    void recordsAreComparedWithoutTimes() {
        widget.put("one", "{'a':'1'}");
        Object first = widget.entries();
        Object later = new ArrayList<>(new WidgetOwnership()
                .put("zero", "{}")
                .put("one", withEntries("{'a':'1'}", "[]"), "")
                .entries());
        Object again = Json.copy(first);
        Json.asObject(Json.asArray(again).getFirst()).put("time", "2027-01-01T00:00:00Z");

        assertThat(FieldOwnership.sameButTimes(first, again)).isTrue();
        assertThat(FieldOwnership.sameButTimes(first, later)).isFalse();
        assertThat(FieldOwnership.sameButTimes(null, List.of())).isTrue();
    }

    private JsonObject keepingEntries(String spec) {
        JsonObject object = widget(spec);
        object.object("metadata").put("managedFields", Json.copy(widget.entries()));
        return object;
    }

    private static JsonObject withEntries(String spec, String entries) {
        JsonObject object = widget(spec);
        object.object("metadata")
                .put("managedFields", SchemaText.tree("{'e':" + entries + "}").get("e"));
        return object;
    }
}
