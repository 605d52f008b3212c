package dev.evenkeel.engine.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patches whose result cannot be decoded as an object of the kind. */
class PatchVerbTest {
    private static final String DEPLOYMENTS = "apps/v1/deployments";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @BeforeEach
    void create() {
        api.create(
                DEPLOYMENTS,
                "default",
                "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':"
                        + "{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "{'spec':{'replicas':'3'}} | unrecognized type: int32",
                "{'spec':{'replicas':1.5}} | cannot convert float64 to int32",
                "{'spec':{'paused':1}} | unrecognized type: bool",
                "{'spec':{'strategy':{'type':1}}} | cannot convert int64 to v1.DeploymentStrategyType",
                "{'spec':{'template':{'spec':{'nodeName':1.5}}}} | unrecognized type: string",
                "{'metadata':{'deletionTimestamp':5}} |"
                        + " json: cannot unmarshal number into Go value of type string",
                "{'spec':{'template':{'spec':{'nodeName':5}}}} | cannot convert int64 to string",
                "{'spec':{'template':{'spec':{'nodeName':true}}}} | unrecognized type: string",
                "{'spec':{'selector':'x'}} | cannot restore struct from: string",
                "{'spec':{'template':{'spec':{'nodeSelector':5}}}} | cannot restore map from int64",
                "{'metadata':{'labels':{'a':1}}} | cannot convert int64 to string",
                // the first field of the struct counts, not the first of the patch or of the object
                "{'spec':{'progressDeadlineSeconds':'x','paused':1}} | unrecognized type: bool",
                "{'spec':{'paused':1},'metadata':{'labels':{'a':1}}} | cannot convert int64 to string",
                "{'spec':{'template':{'metadata':{'creationTimestamp':'x'}},'selector':'x'}} |"
                        + " cannot restore struct from: string"
            })
    void strategicMergePatchesOfOtherTypesAreRefusedAsConversions(String patch, String error) {
        assertThatThrownBy(() -> api.patch(DEPLOYMENTS, "default", "d", Patch.Type.STRATEGIC, patch))
                .hasMessageStartingWith(" \"\" is invalid: patch: Invalid value: \"map[")
                .hasMessageEndingWith(": " + error);
    }

    @Test
    void mergePatchesOfOtherTypesAreRefusedAsJson() {
        assertThatThrownBy(() -> api.patch(DEPLOYMENTS, "default", "d", Patch.Type.MERGE, "{'spec':{'replicas':'3'}}"))
                .hasMessageEndingWith(
                        "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32");
    }

    @Test
    void strategicMergePatchesHaveNoSayInTheKind() {
        assertThat(api.patch(
                                DEPLOYMENTS,
                                "default",
                                "d",
                                Patch.Type.STRATEGIC,
                                "{'kind':'Secret','apiVersion':'v2','spec':{'replicas':7}}")
                        .at("spec", "replicas"))
                .isEqualTo(7L);
    }

    @Test
    void patchesCannotRemoveTheName() {
        assertThatThrownBy(() -> api.patch(DEPLOYMENTS, "default", "d", Patch.Type.MERGE, "{'metadata':null}"))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("the name of the object (d based on URL) was undeterminable: name must be provided");
    }
}
