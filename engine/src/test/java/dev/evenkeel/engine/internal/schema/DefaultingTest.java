package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DefaultingTest {
    private static void expect(String schema, String object, String filled) {
        JsonObject tree = Definitions.tree(object);
        Defaulting defaulting = Defaulting.of(Definitions.schema(schema));
        defaulting.apply(tree);
        assertThat(Json.text(tree)).isEqualTo(filled.replace('\'', '"'));
        defaulting.apply(tree);
        assertThat(Json.text(tree)).as("twice").isEqualTo(filled.replace('\'', '"'));
    }

    @Test
    void missingFieldsAndNullsGetTheirDefaults() {
        String schema = "{'properties':{'a':{'default':1},'b':{'default':2,'nullable':true}}}";
        expect(schema, "{}", "{'a':1,'b':2}");
        expect(schema, "{'a':null,'b':null}", "{'a':1,'b':null}");
        expect(schema, "{'a':5,'b':6}", "{'a':5,'b':6}");
    }

    @Test
    void defaultsWithinADefaultAreFilledInAndThoseBelowAMissingFieldAreNot() {
        expect(
                "{'properties':{'d':{'default':{},'properties':{'x':{'default':'dx'}}},"
                        + "'m':{'properties':{'y':{'default':'dy'}}}}}",
                "{}",
                "{'d':{'x':'dx'}}");
    }

    @Test
    void itemsAndValuesOfMapsGetTheirDefaults() {
        expect(
                "{'properties':{'l':{'items':{'properties':{'p':{'default':'TCP'}}}},"
                        + "'m':{'additionalProperties':{'properties':{'q':{'default':1}}}}}}",
                "{'l':[{},{'p':'UDP'}],'m':{'a':{},'b':{'q':2}}}",
                "{'l':[{'p':'TCP'},{'p':'UDP'}],'m':{'a':{'q':1},'b':{'q':2}}}");
    }

    @Test
    void eachObjectGetsACopyOfItsOwn() {
        Defaulting defaulting =
                Defaulting.of(Definitions.schema("{'properties':{'d':{'default':{'x':[]},'properties':{'x':{}}}}}"));
        JsonObject one = Definitions.tree("{}");
        JsonObject two = Definitions.tree("{}");
        defaulting.apply(one);
        one.object("d").put("x", "changed");
        defaulting.apply(two);
        assertThat(Json.text(two)).isEqualTo("{\"d\":{\"x\":[]}}");
    }

    @Test
    void defaultsThatExceedTheLargestDocumentAreRefusedBeforeTheyAreCopied() {
        Defaulting ofItems = Defaulting.of(Definitions.schema(
                "{'properties':{'l':{'items':{'properties':{'p':{'default':'" + "x".repeat(100_000) + "'}}}}}}"));
        JsonObject few = Definitions.tree("{'l':[" + "{},".repeat(29) + "{}]}");
        ofItems.apply(few);
        assertThat(Json.text(few)).hasSizeGreaterThan(3_000_000);
        JsonObject items = Definitions.tree("{'l':[" + "{},".repeat(20_000) + "{}]}");
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> ofItems.apply(items))
                .satisfies(e -> assertThat(e.code()).isEqualTo(413))
                .withMessageContaining("with its defaults, the object exceeds the limit");
        assertThat(items.objects("l").stream().filter(item -> !item.isEmpty())).hasSizeLessThan(32);

        Defaulting ofMaps = Defaulting.of(Definitions.schema(
                "{'properties':{'m':{'additionalProperties':{'default':{'a':[" + "{},".repeat(10_000) + "{}]}}}}}"));
        JsonObject nulls = Definitions.tree("{'m':{}}");
        for (int i = 0; i < 1_000; i++) {
            nulls.object("m").put("k" + i, null);
        }
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> ofMaps.apply(nulls));
    }

    @Test
    void valuesOtherThanObjectsAreNotChanged() {
        expect("{'properties':{'o':{'properties':{'x':{'default':1}}}}}", "{'o':'text'}", "{'o':'text'}");
    }

    @Test
    void aSchemaThatRefersToItselfEnds() {
        Schema[] self = new Schema[1];
        self[0] = Schema.builder(Schema.Type.OBJECT)
                .properties(() -> Map.of("next", self[0], "x", Definitions.schema("{'default':1}")))
                .build();
        JsonObject tree = Definitions.tree("{'next':{}}");
        Defaulting.of(self[0]).apply(tree);
        assertThat(tree).containsEntry("x", 1L);
    }
}
