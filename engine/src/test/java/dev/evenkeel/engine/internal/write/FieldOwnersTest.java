package dev.evenkeel.engine.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ownership of fields through the verbs, where the package apply cannot be tested alone. */
class FieldOwnersTest {
    private static final String V1 = "autoscaling/v1/horizontalpodautoscalers";
    private static final String V2 = "autoscaling/v2/horizontalpodautoscalers";

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Engine engine = Requests.direct().clock(() -> now).build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void ownersInVersionsOfAnotherShapeKeepWhatWasNotChanged() {
        api.with(WriteOptions.of("old"))
                .create(
                        V1,
                        "default",
                        "{'metadata':{'name':'a'},'spec':{'maxReplicas':3,'targetCPUUtilizationPercentage':50,"
                                + "'scaleTargetRef':{'kind':'Deployment','name':'d','apiVersion':'apps/v1'}}}");
        JsonObject changed = api.with(WriteOptions.of("new"))
                .patch(V2, "default", "a", Patch.Type.MERGE, "{'spec':{'maxReplicas':4}}");

        assertThat(owners(changed))
                .containsExactlyInAnyOrder(
                        "old autoscaling/v1 {\"f:spec\":{\"f:minReplicas\":{},\"f:scaleTargetRef\":{},"
                                + "\"f:targetCPUUtilizationPercentage\":{}}}",
                        "new autoscaling/v2 {\"f:spec\":{\"f:maxReplicas\":{}}}");

        changed = api.with(WriteOptions.of("new"))
                .patch(
                        V2,
                        "default",
                        "a",
                        Patch.Type.MERGE,
                        "{'spec':{'metrics':[{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization',"
                                + "'averageUtilization':60}}}]}}");
        assertThat(owners(changed))
                .containsExactlyInAnyOrder(
                        "old autoscaling/v1 {\"f:spec\":{\"f:minReplicas\":{},\"f:scaleTargetRef\":{}}}",
                        "new autoscaling/v2 {\"f:spec\":{\"f:maxReplicas\":{},\"f:metrics\":{}}}");
    }

    @Test
    void aRefusedApplyOrDryRunLeavesNoTrace() {
        String one = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'1'}}";
        String two = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'2'}}";
        JsonObject before =
                api.with(WriteOptions.of("one")).patch("v1/configmaps", "default", "a", Patch.Type.APPLY, one);

        assertThatThrownBy(() ->
                        api.with(WriteOptions.of("two")).patch("v1/configmaps", "default", "a", Patch.Type.APPLY, two))
                .isInstanceOf(ConflictException.class);
        JsonObject shown = api.with(WriteOptions.of("two").withForce(true).withDryRun(true))
                .patch("v1/configmaps", "default", "a", Patch.Type.APPLY, two);

        assertThat(shown.string("data", "k")).isEqualTo("2");
        assertThat(api.get("v1/configmaps", "default", "a")).isEqualTo(before);
    }

    @Test
    void applyingTheSameAgainWritesNothingWhateverTheTime() {
        // null and 1000m become something else before they are stored
        String one = "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','creationTimestamp':null},"
                + "'spec':{"
                + "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i','ports':[{'containerPort':80}],"
                + "'resources':{'limits':{'cpu':'1000m'}}}]}}}}";
        JsonObject before =
                api.with(WriteOptions.of("one")).patch("apps/v1/deployments", "default", "a", Patch.Type.APPLY, one);
        now = now.plusSeconds(60);
        JsonObject labelled = api.with(WriteOptions.of("two"))
                .patch(
                        "apps/v1/deployments",
                        "default",
                        "a",
                        Patch.Type.APPLY,
                        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'labels':{'l':'1'}}}");
        assertThat(labelled).isNotEqualTo(before);
        now = now.plusSeconds(60);

        assertThat(api.with(WriteOptions.of("one")).patch("apps/v1/deployments", "default", "a", Patch.Type.APPLY, one))
                .isEqualTo(labelled);
    }

    private static List<String> owners(JsonObject object) {
        return object.array("metadata", "managedFields").stream()
                .map(entry -> Json.string(entry, "manager") + " " + Json.string(entry, "apiVersion") + " "
                        + Json.text(Json.at(entry, "fieldsV1")))
                .toList();
    }
}
