package dev.evenkeel.server.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.internal.http.Query;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsReaderTest {
    private static JsonObject tree(String json) {
        return Json.parseObject(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "{'kind':'Pod','apiVersion':'v1'} | no kind \"Pod\" is registered for version \"v1\" in scheme \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\"",
                "{'gracePeriodSeconds':'1'} | json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
                "{'gracePeriodSeconds':1.5} | json: cannot unmarshal number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
                "{'propagationPolicy':1} | json: cannot unmarshal number into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation",
                "{'orphanDependents':'true'} | json: cannot unmarshal string into Go struct field DeleteOptions.orphanDependents of type bool",
                "{'dryRun':'All'} | json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string",
                "{'dryRun':[1]} | json: cannot unmarshal number into Go struct field DeleteOptions.dryRun of type string",
                "{'preconditions':[]} | json: cannot unmarshal array into Go struct field DeleteOptions.preconditions of type v1.Preconditions",
                "{'preconditions':{'uid':1}} | json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID",
                "{'preconditions':{'resourceVersion':true}} | json: cannot unmarshal bool into Go struct field Preconditions.preconditions.resourceVersion of type string"
            })
    void optionsOfOtherTypesAreRefused(String body, String error) {
        assertThatThrownBy(() -> OptionsReader.deletion(tree(body)))
                .isInstanceOf(BadRequestException.class)
                .hasMessage(error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resourceVersionMatch=Foo&continue=x | resourceVersionMatch is forbidden unless resourceVersion is"
                        + " provided, resourceVersionMatch is forbidden when continue is provided, Unsupported value",
                "resourceVersionMatch=Exact&resourceVersion=0&sendInitialEvents=true | is forbidden for"
                        + " resourceVersion \"0\", sendInitialEvents is forbidden for list"
            })
    void allErrorsOfAListAreGiven(String query, String errors) {
        assertThatThrownBy(() -> OptionsReader.list(Query.parse(query))).satisfies(refusal -> inOrder(refusal, errors));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "continue=x | is forbidden when continue is provided",
                "sendInitialEvents=true&resourceVersionMatch=Exact&continue=x | requires setting, Unsupported value,"
                        + " is forbidden when continue is provided",
                "resourceVersionMatch=NotOlderThan&resourceVersion=5&continue=x | unless sendInitialEvents is"
                        + " provided, is forbidden when continue is provided"
            })
    void allErrorsOfAWatchAreGiven(String query, String errors) {
        assertThatThrownBy(() -> OptionsReader.watch(Query.parse(query)))
                .satisfies(refusal -> inOrder(refusal, errors));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orphanDependents=true&propagationPolicy=x&dryRun=y | cannot be both set, Unsupported value: \"x\","
                        + " Unsupported value: [\"y\"]",
                "propagationPolicy= | Unsupported value: \"\""
            })
    void allErrorsOfADeleteAreGiven(String query, String errors) {
        assertThatThrownBy(() -> OptionsReader.deletion(Query.parse(query)))
                .satisfies(refusal -> inOrder(refusal, errors));
    }

    private static void inOrder(Throwable refusal, String texts) {
        assertThat(refusal.getMessage()).containsSubsequence(texts.split(", *", -1));
    }

    @Test
    void optionsAreReadBeforeTheyAreChecked() {
        for (String unreadable : List.of("labelSelector=a%3D(", "fieldSelector=a", "limit=x", "timeoutSeconds=x")) {
            Query query = Query.parse("resourceVersionMatch=Foo&" + unreadable);
            assertThatThrownBy(() -> OptionsReader.list(query)).isInstanceOf(BadRequestException.class);
            assertThatThrownBy(() -> OptionsReader.watch(query)).isInstanceOf(BadRequestException.class);
        }
    }

    @Test
    void anEmptyPreconditionIsOne() {
        assertThat(OptionsReader.deletion(tree("{'preconditions':{'uid':''}}")).uid())
                .contains("");
    }

    @Test
    void nullMeansUnset() {
        assertThat(OptionsReader.deletion(tree("{'preconditions':null,'dryRun':null,'gracePeriodSeconds':null}"))
                        .dryRun())
                .isFalse();
    }
}
