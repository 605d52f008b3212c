package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetadataCoercionTest {
    private final List<String> unknown = new ArrayList<>();

    private String coerced(String metadata) {
        JsonObject object = Definitions.tree("{'metadata':" + metadata + "}");
        MetadataCoercion.coerce(object, "metadata", unknown::add);
        return Json.text(object.get("metadata")).replace('"', '\'');
    }

    private void refused(String metadata, String message) {
        assertThatThrownBy(() -> coerced(metadata))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessage(message);
    }

    @Test
    void unknownFieldsAreRemovedAndReported() {
        assertThat(coerced("{'foo':1,'name':'a','ownerReferences':[{'x':1,'uid':'1'}]}"))
                .isEqualTo("{'name':'a','ownerReferences':[{'uid':'1','apiVersion':'','kind':'','name':''}]}");
        assertThat(unknown).containsExactly("metadata.foo", "metadata.ownerReferences[0].x");
    }

    @Test
    void emptyFieldsAreLeftOut() {
        assertThat(coerced("{'name':'a','labels':{},'finalizers':[],'uid':'','generation':0,'creationTimestamp':null,"
                        + "'deletionGracePeriodSeconds':0}"))
                .isEqualTo("{'name':'a','deletionGracePeriodSeconds':0}");
        assertThat(coerced("{'labels':{'a':null}}")).isEqualTo("{'labels':{'a':''}}");
        assertThat(unknown).isEmpty();
    }

    @Test
    void timesAreInUtcAndWholeSeconds() {
        assertThat(
                        coerced(
                                "{'creationTimestamp':'2026-01-01T01:00:00.5+01:00','deletionTimestamp':'2026-01-01T00:00:00Z'}"))
                .isEqualTo("{'creationTimestamp':'2026-01-01T00:00:00Z','deletionTimestamp':'2026-01-01T00:00:00Z'}");
        refused(
                "{'creationTimestamp':'x'}",
                "parsing time \"x\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"x\" as \"2006\"");
    }

    @Test
    void wrongTypesAreRefusedInTheWordsOfGo() {
        refused("'x'", "json: cannot unmarshal string into Go value of type v1.ObjectMeta");
        refused("{'name':1}", "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string");
        refused(
                "{'labels':{'a':1}}",
                "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string");
        refused(
                "{'labels':[]}",
                "json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string");
        refused(
                "{'generation':'1'}",
                "json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64");
        refused(
                "{'ownerReferences':{}}",
                "json: cannot unmarshal object into Go struct field ObjectMeta.ownerReferences of type []v1.OwnerReference");
        refused(
                "{'ownerReferences':[{'controller':'x'}]}",
                "json: cannot unmarshal string into Go struct field OwnerReference.ownerReferences.controller of type bool");
    }
}
