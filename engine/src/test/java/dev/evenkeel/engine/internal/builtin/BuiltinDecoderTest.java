package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuiltinDecoderTest {
    private static final String CORE = "io.k8s.api.core.v1.";

    static JsonObject tree(String json) {
        return Json.parseObject(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    private static void reads(String definition, String json, String expected) {
        JsonObject tree = tree(json);
        BuiltinDecoder.normalize(tree, definition);
        assertThat(tree).isEqualTo(tree(expected));
        BuiltinDecoder.normalize(tree, definition);
        assertThat(tree).as("a second time").isEqualTo(tree(expected));
    }

    private static void refuses(String definition, String json, String message) {
        assertThatThrownBy(() -> BuiltinDecoder.normalize(tree(json), definition))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessage(message);
    }

    @Test
    void nullsAndEmptyValuesVanish() {
        reads(
                CORE + "ConfigMap",
                "{'kind':'ConfigMap','metadata':{'name':'a','creationTimestamp':null,'labels':{},'finalizers':[]},"
                        + "'data':null,'binaryData':{},'immutable':false}",
                "{'kind':'ConfigMap','metadata':{'name':'a'},'immutable':false}");
    }

    @Test
    void emptyBytesAreNotNone() {
        String definition = "io.k8s.api.certificates.v1.CertificateSigningRequest";
        String request = "{'metadata':{},'spec':{'request':%s,'signerName':''},'status':{}}";
        reads(definition, "{'spec':{'request':''}}", request.formatted("''"));
        reads(definition, "{'spec':{'request':null}}", request.formatted("null"));
        reads(definition, "{'status':{'certificate':''}}", request.formatted("null"));
        for (String shown : List.of("''", "null")) {
            JsonObject tree = tree("{'kind':'CertificateSigningRequest','apiVersion':'certificates.k8s.io/v1',"
                    + request.formatted(shown).substring(1));
            assertThat(ProtobufFormat.decode(ProtobufFormat.open(ProtobufFormat.encode(tree)))
                            .at("spec", "request"))
                    .isEqualTo(tree.at("spec", "request"));
        }
    }

    @Test
    void fieldsThatAreAlwaysShownAppear() {
        reads(
                "io.k8s.api.apps.v1.Deployment",
                "{'spec':{'template':{'spec':{'containers':[{'name':'c','resources':null}]}}}}",
                "{'metadata':{},'spec':{'selector':null,'strategy':{},'template':{'metadata':{},'spec':"
                        + "{'containers':[{'name':'c','resources':{}}]}}},'status':{}}");
        reads(CORE + "Event", "{}", """
            {"metadata":{},"involvedObject":{},"source":{},"firstTimestamp":null,"lastTimestamp":null,
            "eventTime":null,"reportingComponent":"","reportingInstance":""}\
            """);
        reads("io.k8s.api.rbac.v1.Role", "{'rules':[]}", "{'metadata':{},'rules':null}");
    }

    @Test
    void valuesBecomeCanonical() {
        reads(
                CORE + "ResourceRequirements",
                "{'limits':{'cpu':'1000m','memory':1.5,'x':2,'y':null}}",
                "{'limits':{'cpu':'1','memory':'1500m','x':'2','y':'0'}}");
        reads(
                "io.k8s.api.coordination.v1.LeaseSpec",
                "{'acquireTime':'2026-01-02T03:04:05.000000+02:00','renewTime':'2026-01-02T03:04:05.123456Z'}",
                "{'acquireTime':'2026-01-02T01:04:05.000000Z','renewTime':'2026-01-02T03:04:05.123456Z'}");
        reads(
                "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
                "{'deletionTimestamp':'2026-01-02T03:04:05.999+01:00'}",
                "{'deletionTimestamp':'2026-01-02T02:04:05Z'}");
        reads(CORE + "Secret", "{'data':{'a':'YQ==\\n','b':null}}", "{'metadata':{},'data':{'a':'YQ==','b':''}}");
    }

    @Test
    void unknownFieldsAreListedInOrderAndDropped() {
        JsonObject tree = tree("{'metadata':{'name':'a','foo':1},'data':{'a':'1'},'bar':2,'Data':{}}");
        List<String> complaints = BuiltinDecoder.normalize(tree, CORE + "ConfigMap", Set.of("data.a"));
        assertThat(complaints)
                .containsExactly(
                        "unknown field \"metadata.foo\"",
                        "duplicate field \"data.a\"",
                        "unknown field \"bar\"",
                        "unknown field \"Data\"");
        assertThat(tree).isEqualTo(tree("{'metadata':{'name':'a'},'data':{'a':'1'}}"));
        assertThat(BuiltinDecoder.normalize(
                        tree("{'bar':2,'kind':'ConfigMap'}"), CORE + "ConfigMap", Set.of("bar", "kind")))
                .as("an unknown field is reported once")
                .containsExactly("unknown field \"bar\"", "duplicate field \"kind\"");
        assertThat(BuiltinDecoder.normalize(
                        tree("{'spec':{'containers':[{'name':'c','ports':[{'containerPort':1,'bar':2}]}]}}"),
                        CORE + "Pod"))
                .containsExactly("unknown field \"spec.containers[0].ports[0].bar\"");
    }

    @Test
    void wrongTypesNameEmbeddedStructs() {
        refuses(
                CORE + "Pod",
                "{'spec':{'volumes':[{'hostPath':'x'}]}}",
                "json: cannot unmarshal string into Go struct field Volume.spec.volumes.VolumeSource.hostPath of type"
                        + " v1.HostPathVolumeSource");
        refuses(
                "io.k8s.api.networking.v1.Ingress",
                "{'spec':{'rules':[{'http':{'paths':[{'path':1}]}}]}}",
                "json: cannot unmarshal number into Go struct field"
                        + " HTTPIngressPath.spec.rules.IngressRuleValue.http.paths.path of type string");
        refuses(
                "io.k8s.api.admissionregistration.v1.NamedRuleWithOperations",
                "{'apiGroups':'x'}",
                "json: cannot unmarshal string into Go struct field NamedRuleWithOperations.RuleWithOperations"
                        + ".Rule.apiGroups of type []string");
        assertThat(BuiltinDecoder.normalize(tree("{'spec':{'volumes':[{'hostPath':{'bar':1}}]}}"), CORE + "Pod"))
                .containsExactly("unknown field \"spec.volumes[0].hostPath.bar\"");
    }

    @Test
    void wrongTypesAreRefusedInGosWords() {
        refuses(
                CORE + "ConfigMap",
                "{'data':{'a':1}}",
                "json: cannot unmarshal number into Go struct field ConfigMap.data of type string");
        refuses(
                CORE + "ConfigMap",
                "{'metadata':'x'}",
                "json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta");
        refuses(
                CORE + "ConfigMap",
                "{'data':[]}",
                "json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string");
        refuses(
                CORE + "ConfigMap",
                "{'metadata':{'labels':['x']}}",
                "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type"
                        + " map[string]string");
        refuses(CORE + "ConfigMap", "{'binaryData':{'k':'%%'}}", "illegal base64 data at input byte 0");
        refuses(
                "io.k8s.api.apps.v1.Deployment",
                "{'spec':{'replicas':1.5}}",
                "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32");
        refuses(CORE + "ResourceRequirements", "{'limits':{'cpu':'abc'}}", Quantity.FORMAT_ERROR);
    }

    @Test
    void wrongTypesNameTheTypesOfTheFields() {
        refuses(
                CORE + "Pod",
                "{'spec':{'containers':[{'ports':[{'protocol':1}]}]}}",
                "json: cannot unmarshal number into Go struct field ContainerPort.spec.containers.ports.protocol"
                        + " of type v1.Protocol");
        refuses(
                CORE + "Endpoints",
                "{'subsets':1}",
                "json: cannot unmarshal number into Go struct field Endpoints.subsets of type []v1.EndpointSubset");
        refuses(
                CORE + "Service",
                "{'spec':{'ipFamilies':'IPv4'}}",
                "json: cannot unmarshal string into Go struct field ServiceSpec.spec.ipFamilies of type []v1.IPFamily");
        refuses(
                CORE + "Service",
                "{'spec':{'ipFamilies':[4]}}",
                "json: cannot unmarshal number into Go struct field ServiceSpec.spec.ipFamilies of type v1.IPFamily");
        refuses(
                "io.k8s.api.apps.v1.StatefulSet",
                "{'spec':{'volumeClaimTemplates':[{'kind':1.5}]}}",
                "json: cannot unmarshal number into Go struct field PersistentVolumeClaim"
                        + ".spec.volumeClaimTemplates.TypeMeta.kind of type string");
    }

    @Test
    void typesWithReadersOfTheirOwnEndTheDecoding() {
        refuses(
                CORE + "Pod",
                "{'metadata':{'name':5,'creationTimestamp':6}}",
                "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp"
                        + " of type string");
        refuses(
                CORE + "Service",
                "{'spec':{'ports':[{'targetPort':1.5}]}}",
                "json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.targetPort of type int32");
        refuses(
                CORE + "Pod",
                "{'metadata':{'name':5,'namespace':6}}",
                "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string");
    }

    @Test
    void bytesMayBeListsOfNumbers() {
        reads(CORE + "Secret", "{'data':{'a':[104,105]}}", "{'metadata':{},'data':{'a':'aGk='}}");
        refuses(
                CORE + "Secret",
                "{'data':{'a':[256]}}",
                "json: cannot unmarshal number 256 into Go struct field Secret.data of type uint8");
    }

    @Test
    void schemasOfOtherFormsAreRefused() {
        String props = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
        refuses(props, "{'type':1,'additionalProperties':'x'}", "boolean or JSON schema expected");
        refuses(
                props,
                "{'title':1,'items':[5]}",
                "json: cannot unmarshal number into Go struct field JSONSchemaProps.items of type v1.JSONSchemaProps");
        refuses(
                props,
                "{'title':1,'items':{'type':true}}",
                "json: cannot unmarshal bool into Go struct field JSONSchemaProps.items.type of type string");
    }

    @Test
    void schemasInDefinitionsKeepTheirFormsAndLoseUnknownFieldsSilently() {
        String props = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
        reads(
                props,
                "{'items':{'type':'object','bogus':1},'additionalProperties':true,'default':{'a':null},"
                        + "'enum':['a',1,null],'properties':{'p':{'type':'string','minLength':0}}}",
                "{'items':{'type':'object'},'additionalProperties':true,'default':{'a':null},"
                        + "'enum':['a',1,null],'properties':{'p':{'type':'string','minLength':0}}}");
        assertThat(BuiltinDecoder.normalize(tree("{'items':{'bogus':1},'bogus':2}"), props))
                .containsExactly("unknown field \"bogus\"");
    }
}
