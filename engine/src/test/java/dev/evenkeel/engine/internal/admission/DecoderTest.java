package dev.evenkeel.engine.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
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

    @Test
    void customResourcesAreReadInTheVersionThatTheyName() {
        api.create("apiextensions.k8s.io/v1/customresourcedefinitions", "", """
                {'metadata':{'name':'things.example.com'},'spec':{'group':'example.com','scope':'Namespaced',
                'names':{'plural':'things','singular':'thing','kind':'Thing','listKind':'ThingList'},
                'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object',
                'properties':{'spec':{'type':'object','properties':{'a':{'type':'string'}}}}}}}]}}""");
        String thing = "{'apiVersion':'example.com/v1','kind':'Thing','metadata':{'name':'t'},'spec':{'a':'x'}}";
        api.create("example.com/v1/things", "default", thing);

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
}
