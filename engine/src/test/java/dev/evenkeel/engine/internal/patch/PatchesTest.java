package dev.evenkeel.engine.internal.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.RequestTooLargeException;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatchesTest {
    private final List<String> strictErrors = new ArrayList<>();

    private Patched patch(Patch.Type type, String live, String patch) {
        return Patches.apply(
                type, Trees.object(live), Trees.bytes(patch), Schema.ANY, JsonLimits.DEFAULT, strictErrors::add);
    }

    private Patched unchecked(Patch.Type type, String patch) {
        return Patches.apply(
                type,
                Trees.object("{'a':1}"),
                Trees.bytes(patch),
                Schema.ANY,
                JsonLimits.DEFAULT,
                strictErrors::add,
                false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "JSON | {'op':'add'} | json: cannot unmarshal object into Go value of type jsonpatch.Patch",
                "JSON | [1] | json: cannot unmarshal number into Go value of type jsonpatch.Operation",
                "JSON | [{'op': | unexpected end of JSON input",
                "MERGE | 'x' | Invalid JSON Patch",
                "MERGE | {'data': | Invalid JSON Patch",
                "MERGE | null | Invalid JSON Patch",
            })
    void bodiesWhoseFieldsAreNotCheckedAreReadByTheLibrary(Patch.Type type, String body, String message) {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> unchecked(type, body))
                .withMessage(message);
    }

    @Test
    void fieldsThatAreNotCheckedMayHaveWrongTypes() {
        for (String operation : List.of("[{'op':1}]", "[{'op':'add','path':[]}]")) {
            assertThat(catchThrowableOfType(ApiException.class, () -> unchecked(Patch.Type.JSON, operation))
                            .code())
                    .isEqualTo(422);
        }
        assertThat(unchecked(Patch.Type.MERGE, "[1]").tree()).isEqualTo(List.of(1L));
        assertThat(unchecked(Patch.Type.MERGE, "{'b':2}").tree()).isEqualTo(Trees.object("{'a':1,'b':2}"));
    }

    /** Recorded from kube-apiserver 1.36.2, save those that its source shows. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "JSON | {'op':'add'} | error decoding patch: json: cannot unmarshal object into Go value of type"
                        + " []handlers.jsonPatchOp",
                "JSON | [{'op': | error decoding patch: unexpected end of JSON input",
                "JSON | [1] | error decoding patch: json: cannot unmarshal number into Go value of type"
                        + " handlers.jsonPatchOp",
                "JSON | [{'op':1}] | error decoding patch: json: cannot unmarshal number into Go struct field"
                        + " jsonPatchOp.op of type string",
                "JSON | [{'op':'add','path':[]}] | error decoding patch: json: cannot unmarshal array into Go struct"
                        + " field jsonPatchOp.path of type string",
                "MERGE | [1] | error decoding patch: json: cannot unmarshal array into Go value of type"
                        + " map[string]interface {}",
                "MERGE | 'x' | error decoding patch: json: cannot unmarshal string into Go value of type"
                        + " map[string]interface {}",
                "MERGE | {'data': | error decoding patch: unexpected end of JSON input",
                "MERGE | `` | error decoding patch: unexpected end of JSON input",
                "MERGE | null | Invalid JSON Patch",
                "STRATEGIC | true | json: cannot unmarshal bool into Go value of type map[string]interface {}",
                "STRATEGIC | {'data': | unexpected end of JSON input",
            })
    void refusesBodiesOtherThanPatches(Patch.Type type, String body, String message) {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> patch(type, "{}", body))
                .withMessage(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo(400));
    }

    @Test
    void emptyPatchesAreApplied() {
        assertThat(patch(Patch.Type.JSON, "{'a':1}", "null").tree()).isEqualTo(Trees.tree("{'a':1}"));
        assertThat(patch(Patch.Type.JSON, "{'a':1}", "[]").tree()).isEqualTo(Trees.tree("{'a':1}"));
        assertThat(patch(Patch.Type.STRATEGIC, "{'a':1}", "null").tree()).isEqualTo(Trees.tree("{'a':1}"));
    }

    @Test
    void tooManyOperationsAreTooLarge() {
        String operation = "{'op':'test','path':'/b'}";
        assertThat(patch(
                                Patch.Type.JSON,
                                "{}",
                                Collections.nCopies(10_000, operation).toString())
                        .tree())
                .isEqualTo(Trees.tree("{}"));
        assertThatExceptionOfType(RequestTooLargeException.class)
                .isThrownBy(() -> patch(
                        Patch.Type.JSON,
                        "{}",
                        Collections.nCopies(10_001, operation).toString()))
                .withMessage("Request entity too large: The allowed maximum operations in a JSON patch is 10000, got"
                        + " 10001")
                .satisfies(e -> assertThat(e.code()).isEqualTo(413));
    }

    @Test
    void reportsErrorsOfStrictValidation() {
        patch(Patch.Type.JSON, "{}", "[{'op':'add','path':'/a','value':{'x':1,'x':2},'foo':1,'op':'add'}]");
        assertThat(strictErrors)
                .containsExactly(
                        "json patch duplicate field \"[0].value.x\"",
                        "json patch duplicate field \"[0].op\"",
                        "json patch unknown field \"[0].foo\"");
        strictErrors.clear();
        patch(Patch.Type.MERGE, "{}", "{'data':{'a':'1','a':'2'}}");
        assertThat(strictErrors).containsExactly("duplicate field \"data.a\"");
        strictErrors.clear();
        patch(Patch.Type.STRATEGIC, "{}", "{'data':{'a':'1','a':'2'}}");
        assertThat(strictErrors).containsExactly("duplicate field \"data.a\"");
    }

    @Test
    void theErrorOfAResultShowsIt() {
        ApiException refusal = patch(Patch.Type.MERGE, "{'b':''}", "{'a':3}").invalid("no");
        assertThat(refusal)
                .hasMessage(" \"\" is invalid: patch: Invalid value: \"{\\\"a\\\":3,\\\"b\\\":\\\"\\\"}\": no");
        assertThat(refusal.code()).isEqualTo(422);
        assertThat(refusal.reason()).isEqualTo("Invalid");
        assertThat(refusal.causes()).hasSize(1);
        assertThat(refusal.causes().getFirst().field()).isEqualTo("patch");
        assertThat(patch(Patch.Type.STRATEGIC, "{'b':1}", "{'spec':{'foo':1}}").invalid("no"))
                .hasMessage(" \"\" is invalid: patch: Invalid value: \"map[spec:map[foo:1]]\": no");
    }

    @Test
    void applyIsNotAPatchOfATree() {
        assertThatIllegalArgumentException().isThrownBy(() -> patch(Patch.Type.APPLY, "{}", "{}"));
    }

    @Test
    void depthIsLimited() {
        ApiException refusal = Objects.requireNonNull(
                catchThrowableOfType(ApiException.class, () -> patch(Patch.Type.MERGE, "{}", "{'a':".repeat(20_000))));
        assertThat(refusal.code()).isEqualTo(400);
        assertThat(refusal).hasMessage("error decoding patch: exceeded max depth");
    }
}
