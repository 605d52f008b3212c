package dev.evenkeel.engine.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SentEmptyTest {
    private static final String JOBS = "batch/v1/jobs";
    private static final String POLICIES = "networking.k8s.io/v1/networkpolicies";
    private static final String JOB =
            "{'metadata':{'name':'a'},'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}";
    private static final String POLICY =
            "{'metadata':{'name':'a'},'spec':{'podSelector':{},'policyTypes':['Ingress']%s}}";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private void merge(String patch) {
        api.patch(JOBS, "default", "a", Patch.Type.MERGE, "{'spec':{'template':{'spec':" + patch + "}}}");
    }

    @Test
    void errorsShowWhatWasSent() {
        api.create(JOBS, "default", JOB);
        assertThatThrownBy(() -> merge("{'volumes':[],'tolerations':null,'nodeSelector':{}}"))
                .hasMessageContaining("\"Volumes\":[],")
                .hasMessageContaining("\"Tolerations\":null,")
                .hasMessageContaining("\"NodeSelector\":{},");
        assertThatThrownBy(() -> merge("{'hostname':'x'}"))
                .hasMessageContaining("\"Volumes\":null,")
                .hasMessageContaining("\"NodeSelector\":null,");
        assertThatThrownBy(() -> api.patch(
                        JOBS,
                        "default",
                        "a",
                        Patch.Type.STRATEGIC,
                        "{'spec':{'template':{'spec':{'containers':[{'name':'c','$patch':'delete'}]}}}}"))
                .hasMessageContaining("\"Containers\":[],");
    }

    @Test
    void nothingEmptyIsStored() {
        JsonObject created =
                api.create(JOBS, "default", JOB.replace("'Never'", "'Never','volumes':[],'nodeSelector':{}"));
        assertThat(created.object("spec", "template", "spec")).doesNotContainKeys("volumes", "nodeSelector");
        assertThat(created.toString()).doesNotContain("f:volumes", "f:nodeSelector");
    }

    /** Upstream compares the specs of a few kinds so that empty and absent differ. */
    @Test
    void aGenerationOfSomeKindsCountsThem() {
        api.create(POLICIES, "default", POLICY.formatted(""));
        assertThat(generation(",'egress':null")).isEqualTo(1);
        assertThat(generation(",'egress':[]")).isEqualTo(2);
        assertThat(generation(",'egress':[]")).isEqualTo(3);
        assertThat(generation("")).isEqualTo(3);
        JsonObject stored = api.get(POLICIES, "default", "a");
        assertThat(stored.object("spec")).doesNotContainKey("egress");
    }

    private long generation(String more) {
        return api.update(POLICIES, "default", "a", POLICY.formatted(more)).integer("metadata", "generation");
    }

    @Test
    void aPlaceThatIsGoneStaysSo() {
        JsonObject tree = JsonObject.of("a", List.of(JsonObject.of("b", 1L)));
        new SentEmpty(List.of("a", 0, "c"), true).restore(tree);
        new SentEmpty(List.of("a", 0, "b"), true).restore(tree);
        new SentEmpty(List.of("a", 1, "c"), true).restore(tree);
        new SentEmpty(List.of("a", "x", "c"), false).restore(tree);
        new SentEmpty(List.of("m"), false).restore(tree);
        assertThat(tree)
                .isEqualTo(JsonObject.of("a", List.of(JsonObject.of("b", 1L).set("c", List.of())))
                        .set("m", new JsonObject()));
    }
}
