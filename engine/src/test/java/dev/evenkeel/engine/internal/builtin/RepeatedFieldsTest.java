package dev.evenkeel.engine.internal.builtin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RepeatedFieldsTest {
    private static final String CORE = "io.k8s.api.core.v1.";

    private static RepeatedFields.Read read(String type, String json) {
        return RepeatedFields.read(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.DEFAULT, CORE + type);
    }

    private static void reads(String type, String json, String expected, String... problems) {
        RepeatedFields.Read read = read(type, json);
        JsonObject tree = read.tree();
        BuiltinDecoder.normalize(tree, CORE + type);
        JsonObject wanted = BuiltinDecoderTest.tree(expected);
        BuiltinDecoder.normalize(wanted, CORE + type);
        assertThat(tree).as(json).isEqualTo(wanted);
        assertThat(read.problems()).as(json).containsExactly(problems);
    }

    @Test
    void itemsOfListsAreReadIntoThoseBefore() {
        reads(
                "PodSpec",
                "{'containers':[{'name':'a','image':'i','args':['1','2']},{'name':'b'}],"
                        + "'containers':[{'name':'c','args':['3']}]}",
                "{'containers':[{'name':'c','image':'i','args':['3']}]}",
                "duplicate field \"containers\"");
        reads(
                "PodSpec",
                "{'containers':[{'name':'a'}],'containers':[]}",
                "{'containers':[]}",
                "duplicate field \"containers\"");
    }

    @Test
    void nullEmptiesPointersListsAndMapsOnly() {
        String[] twice = {
            "duplicate field \"nodeName\"",
            "duplicate field \"priority\"",
            "duplicate field \"nodeSelector\"",
            "duplicate field \"tolerations\"",
            "duplicate field \"securityContext\""
        };
        reads(
                "PodSpec",
                "{'nodeName':'n','nodeName':null,'priority':1,'priority':null,'nodeSelector':{'a':'b'},"
                        + "'nodeSelector':null,'tolerations':[{'key':'k'}],'tolerations':null,"
                        + "'securityContext':{'runAsUser':1},'securityContext':null}",
                "{'nodeName':'n'}",
                twice);
        reads(
                "Pod",
                "{'metadata':{'name':'a'},'metadata':null,'spec':{'nodeName':'n'},'spec':null}",
                "{'metadata':{'name':'a'},'spec':{'nodeName':'n'}}",
                "duplicate field \"metadata\"",
                "duplicate field \"spec\"");
        reads(
                "ServicePort",
                "{'targetPort':'a','targetPort':null}",
                "{'targetPort':0}",
                "duplicate field \"targetPort\"");
    }

    @Test
    void mapsKeepTheirKeysWithNewValues() {
        reads(
                "ConfigMap",
                "{'data':{'a':'1','b':'2'},'data':{'a':'3','c':null}}",
                "{'data':{'a':'3','b':'2','c':''}}",
                "duplicate field \"data\"");
    }

    @Test
    void problemsOfReplacedValuesAreListedInTheOrderOfTheDocument() {
        reads(
                "PodSpec",
                "{'u':1,'containers':[{'name':'a','x':1},{'image':'i','image':'j'}],'u':[],"
                        + "'containers':[{'x':2,'name':'b','y':1,'name':null}],'containers':null,"
                        + "'nodeSelector':{'k':'v','k':null,'k':'w'}}",
                "{'nodeSelector':{'k':'w'}}",
                "unknown field \"u\"",
                "unknown field \"containers[0].x\"",
                "duplicate field \"containers[1].image\"",
                "duplicate field \"containers\"",
                "unknown field \"containers[0].y\"",
                "duplicate field \"containers[0].name\"",
                "duplicate field \"nodeSelector.k\"");
    }

    @Test
    void aValueOfAWrongTypeStays() {
        JsonObject tree = read("PodSpec", "{'priority':'x','priority':1,'containers':{},'containers':[]}")
                .tree();
        assertThatThrownBy(() -> BuiltinDecoder.normalize(tree, CORE + "PodSpec"))
                .hasMessage("json: cannot unmarshal string into Go struct field PodSpec.priority of type int32");
    }

    @Test
    @Timeout(20)
    void pathsOfLongKeysCostLittle() {
        String key = "k".repeat(40_000);
        String type = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
        String fields =
                IntStream.range(0, 60_000).mapToObj(i -> "'" + i + "':0").collect(Collectors.joining(","));
        String json = ("{'properties':{'" + key + "':").repeat(20) + "{" + fields + ",'title':'','title':''}"
                + "}}".repeat(20);
        List<String> problems = RepeatedFields.read(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.DEFAULT, type)
                .problems();
        assertThat(problems).hasSize(100).allMatch(problem -> problem.startsWith("unknown field \"properties.kk"));
    }
}
