package dev.evenkeel.engine.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Requester;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecoderTest {
    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "[1] | json: cannot unmarshal array into Go value of type struct { APIVersion string",
                "'x' | json: cannot unmarshal string into Go value of type struct { APIVersion string",
                "5 | json: cannot unmarshal number into Go value of type struct { APIVersion string",
                "true | json: cannot unmarshal bool into Go value of type struct { APIVersion string",
                "{'kind':5} | json: cannot unmarshal number into Go struct field .kind of type string",
                "{'apiVersion':{}} | json: cannot unmarshal object into Go struct field .apiVersion of type string",
            })
    void versionAndKindAreReadFirst(String body, String error) {
        assertThatThrownBy(() -> api.create("v1/configmaps", "default", body))
                .hasMessageStartingWith("the object provided is unrecognized (must be of type ConfigMap):"
                        + " couldn't get version/kind; json parse error: " + error);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "a/b/c | Deployment | the object provided is unrecognized (must be of type Deployment):"
                        + " unexpected GroupVersion string: a/b/c ({\"apiVersion\":\"a/b/c\",\"kind\":\" ...)",
                "apps/v1beta1 | Deployment | the API version in the data (apps/v1beta1) does not match the"
                        + " expected API version (apps/v1)",
                "extensions/v1beta1 | Deployment | the API version in the data (extensions/v1beta1) does not match"
                        + " the expected API version (apps/v1)",
                "apps/v2 | Deployment | Deployment in version \"v2\" cannot be handled as a Deployment:"
                        + " no kind \"Deployment\" is registered for version \"apps/v2\" in scheme"
                        + " \"pkg/api/legacyscheme/scheme.go:30\"",
                "v1 | Secret | Secret in version \"v1\" cannot be handled as a Deployment:"
                        + " converting (v1.Secret) to (apps.Deployment): unknown conversion",
            })
    void otherVersionsAndKindsAreRefused(String apiVersion, String kind, String error) {
        String body = "{'apiVersion':'" + apiVersion + "','kind':'" + kind + "'}";
        assertThatThrownBy(() -> api.create("apps/v1/deployments", "default", body))
                .hasMessage(error);
    }

    @Test
    void groupWithoutVersionStandsForTheExpectedOne() {
        assertThatThrownBy(() -> api.create("apps/v1/deployments", "default", "{'apiVersion':'apps/'}"))
                .hasMessageContaining("metadata.name: Required value");
        assertThat(api.create("v1/configmaps", "default", "{'apiVersion':'/','metadata':{'name':'a'}}")
                        .string("apiVersion"))
                .isEqualTo("v1");
    }

    @Test
    void numbersAreShownAsTheyWereWritten() {
        assertThatThrownBy(() -> api.create("apps/v1/deployments", "default", "{'spec':{'replicas':1e3}}"))
                .hasMessageEndingWith("json: cannot unmarshal number 1e3 into Go struct field"
                        + " DeploymentSpec.spec.replicas of type int32");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "1e3, 1e3",
                "1E3, 1E3",
                "1.50, 1500m",
                "1.5e3, 1500",
                "1e400, 10e399",
                "1e-6, 1e-3",
                "12345678901234567890.5, 12345678901234567890500m",
                "'1e400', 10e399",
                "1000, 1k",
            })
    void quantitiesAreReadFromTheTextOfNumbers(String written, String shown) {
        JsonObject created = api.create(
                "v1/resourcequotas",
                "default",
                "{'metadata':{'name':'q'},'spec':{'hard':{'requests.example.com/a':" + written + "}}}");
        assertThat(created.at("spec", "hard", "requests.example.com/a")).isEqualTo(shown);
    }

    @Test
    void quantitiesInYamlAreNumbersFirst() {
        JsonObject created = ((Reply.Shown) api.partition.create(
                        api.target("v1/resourcequotas", "default", ""),
                        Body.yaml("metadata: {name: q}\nspec: {hard: {cpu: 1e3, memory: 1e400}}"),
                        WriteOptions.of("test")))
                .document()
                .tree();
        assertThat(created.at("spec", "hard")).isEqualTo(Map.of("cpu", "1k", "memory", "10e399"));
    }

    @Test
    void numbersBeyondTheRangeAreRefusedWhereNothingElseReadsThem() {
        assertThatThrownBy(() -> api.create(
                        "v1/pods",
                        "default",
                        "{'metadata':{'name':'p'},'spec':{'terminationGracePeriodSeconds':1e400}}"))
                .hasMessageEndingWith("json: cannot unmarshal number 1e400 into Go struct field"
                        + " PodSpec.spec.terminationGracePeriodSeconds of type int64");
        assertThat(created("{'metadata':{'name':'a'},'foo':1e400}").warnings())
                .containsExactly("unknown field \"foo\"");
    }

    @Test
    void customResourcesAreReadInTheVersionThatTheyName() {
        api.create("apiextensions.k8s.io/v1/customresourcedefinitions", "", """
                {'metadata':{'name':'things.example.com'},'spec':{'group':'example.com','scope':'Namespaced',
                'names':{'plural':'things','singular':'thing','kind':'Thing','listKind':'ThingList'},
                'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object',
                'properties':{'spec':{'type':'object','properties':{'a':{'type':'string'}}}}}}}]}}""");
        String thing = "{'apiVersion':'example.com/v1','kind':'Thing','metadata':{'name':'t'},'spec':{'a':'x'}}";
        api.create("example.com/v1/things", "default", thing);

        assertThatThrownBy(() ->
                        api.create("example.com/v1/things", "default", thing.replace("'spec'", "'x':-1e400,'spec'")))
                .hasMessage("Thing in version \"v1\" cannot be handled as a Thing:"
                        + " json: cannot unmarshal number -1e400 into Go value of type float64");

        ApiException patched = catchThrowableOfType(
                ApiException.class,
                () -> api.patch(
                        "example.com/v1/things", "default", "t", Patch.Type.MERGE, "{'apiVersion':'example.com/v2'}"));
        assertThat(patched).hasMessageContaining("apiVersion: Invalid value: \"example.com/v2\"");
        assertThat(RefusalWarnings.of(patched)).containsExactly("unknown field \"spec\"");

        ApiException created = catchThrowableOfType(
                ApiException.class, () -> api.create("example.com/v1/things", "default", thing.replace("/v1", "/v2")));
        assertThat(created)
                .hasMessage("the API version in the data (example.com/v2) does not match the expected API version"
                        + " (example.com/v1)");
        assertThat(RefusalWarnings.of(created)).containsExactly("unknown field \"spec\"");
    }

    private Reply.Shown created(String body) {
        WriteOptions options = new WriteOptions(
                "test", false, WriteOptions.FieldValidation.WARN, false, Optional.empty(), Requester.IN_PROCESS);
        return (Reply.Shown) api.partition.create(
                api.target("v1/configmaps", "default", ""), Body.json(body.replace('\'', '"')), options);
    }

    @Test
    void unknownAndDuplicateFieldsAreListedInTheOrderOfTheBody() {
        Reply.Shown created =
                created("{'kind':'ConfigMap','kind':'ConfigMap','b':1,'metadata':{'name':'a','foo':1,'name':'a'},"
                        + "'b':{'c':1,'c':2},'data':{'x':'1','x':'2','x':'3'},"
                        + "'metadata':{'labels':{'k':'v'},'foo':2},'z':0}");
        assertThat(created.warnings())
                .containsExactly(
                        "duplicate field \"kind\"",
                        "unknown field \"b\"",
                        "unknown field \"metadata.foo\"",
                        "duplicate field \"metadata.name\"",
                        "duplicate field \"data.x\"",
                        "duplicate field \"metadata\"",
                        "unknown field \"z\"");
        JsonObject tree = created.document().tree();
        assertThat(tree.string("metadata", "name")).isEqualTo("a");
        assertThat(tree.at("metadata", "labels")).as("both are read into one").isEqualTo(Map.of("k", "v"));
        assertThat(tree.get("data")).isEqualTo(Map.of("x", "3"));
    }

    @Test
    void aFieldMayBeRepeatedWithAListOrNull() {
        Reply.Shown created = created("{'metadata':{'name':'a','finalizers':['a/b','a/b','c/d'],'finalizers':['e/f'],"
                + "'labels':{'x':'y','x':'z'},'labels':null},'data':{'k':'1'},'data':null,'immutable':true,"
                + "'immutable':null,'kind':null,'kind':'ConfigMap','kind':null}");
        assertThat(created.warnings())
                .containsExactly(
                        "duplicate field \"metadata.finalizers\"",
                        "duplicate field \"metadata.labels.x\"",
                        "duplicate field \"metadata.labels\"",
                        "duplicate field \"data\"",
                        "duplicate field \"immutable\"",
                        "duplicate field \"kind\"");
        JsonObject tree = created.document().tree();
        assertThat(tree.at("metadata", "finalizers")).isEqualTo(List.of("e/f"));
        assertThat(tree.object("metadata").has("labels")).isFalse();
        assertThat(tree.keySet()).doesNotContain("data", "immutable");
    }

    @Test
    void aRepeatedKeyInYamlIsNamedByItsLine() {
        assertThatThrownBy(() -> api.partition.create(
                        api.target("v1/configmaps", "default", ""),
                        Body.yaml("metadata: {name: a}\ndata: [1]\ndata: null\nx: []\nx: 1\n"),
                        new WriteOptions(
                                "test",
                                false,
                                WriteOptions.FieldValidation.STRICT,
                                false,
                                Optional.empty(),
                                Requester.IN_PROCESS)))
                .hasMessage("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error:"
                        + " yaml: unmarshal errors:\n  line 3: key \"data\" already set in map\n"
                        + "  line 5: key \"x\" already set in map, unknown field \"x\"");
    }

    @Test
    void onlyTheFirstProblemsAreListed() {
        StringBuilder body = new StringBuilder("{'metadata':{'name':'a'}");
        for (int i = 0; i < 150; i++) {
            body.append(",'f").append(i).append("':1");
        }
        assertThat(created(body.append('}').toString()).warnings()).hasSize(100).endsWith("unknown field \"f99\"");
    }
}
