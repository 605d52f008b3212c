package dev.evenkeel.testing.internal.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.simulation.internal.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterStateTest {
    private static ClusterState state(String... objects) {
        return ClusterState.of(
                Arrays.stream(objects)
                        .map(json -> ClusterState.Found.of(
                                "things",
                                Json.parseObject(
                                        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT)))
                        .toList(),
                "",
                Set.of());
    }

    @Test
    void valuesThatDifferEachTimeDoNotCount() {
        ClusterState one = state("{'metadata':{'name':'a','uid':'u1','resourceVersion':'5','generation':1,"
                + "'creationTimestamp':'2030-01-01T00:00:00Z'},'status':{'since':'2030-01-01T00:00:01Z'}}");
        ClusterState other = state("{'metadata':{'name':'a','uid':'u2','resourceVersion':'9','generation':4,"
                + "'creationTimestamp':'2030-01-02T00:00:00Z'},'status':{'since':'2031-01-01T00:00:01.5Z'}}");

        assertThat(ClusterState.differences(one, other)).isEmpty();
        assertThat(one.objects()).isEqualTo(other.objects());
    }

    @Test
    void finalizersHaveNoOrder() {
        ClusterState one = state("{'metadata':{'name':'a','finalizers':['x/a','x/b']}}");
        ClusterState other = state("{'metadata':{'name':'a','finalizers':['x/b','x/a']}}");

        assertThat(ClusterState.differences(one, other)).isEmpty();
    }

    @Test
    void generatedNamesAreTheSame() {
        ClusterState one = state(
                "{'metadata':{'name':'a-x1','generateName':'a-','uid':'u1'}}",
                "{'metadata':{'name':'b'},'child':'a-x1'}");
        ClusterState other = state(
                "{'metadata':{'name':'a-y2','generateName':'a-','uid':'u3'}}",
                "{'metadata':{'name':'b'},'child':'a-y2'}");

        assertThat(ClusterState.differences(one, other)).isEmpty();
    }

    @Test
    void anObservedGenerationIsThePresentOneOrNot() {
        ClusterState one = state("{'metadata':{'name':'a','generation':2},'status':{'observedGeneration':2}}");
        ClusterState other = state("{'metadata':{'name':'a','generation':3},'status':{'observedGeneration':2}}");

        assertThat(ClusterState.differences(one, other))
                .containsExactly(
                        "things a differs:",
                        "    status.observedGeneration is not the present generation; without faults it is the present"
                                + " generation");
    }

    @Test
    void differencesHaveNames() {
        ClusterState one =
                state("{'metadata':{'name':'a'},'list':[{'type':'Ready','status':'True'},{'type':'Old'}],'gone':1}");
        ClusterState other =
                state("{'metadata':{'name':'a'},'list':[{'type':'Ready','status':'False'},{'type':'Old'}],'new':1}");

        assertThat(ClusterState.differences(one, other))
                .containsExactly(
                        "things a differs:",
                        "    gone is missing; without faults it is 1",
                        "    list[Ready].status is \"False\"; without faults it is \"True\"",
                        "    new is 1; without faults it is missing");
    }

    @Test
    void objectsThatAreMissingOrTooMuchAreNamed() {
        ClusterState one = state("{'metadata':{'name':'a'}}", "{'metadata':{'name':'c0','generateName':'c'}}");
        ClusterState other = state(
                "{'metadata':{'name':'b','namespace':'n'}}",
                "{'metadata':{'name':'c1','generateName':'c'}}",
                "{'metadata':{'name':'c2','generateName':'c'}}");

        assertThat(ClusterState.differences(one, other))
                .containsExactly(
                        "things a is missing", "things c* (2) should not be there", "things n/b should not be there");
    }

    @Test
    void aDifferenceNamesTheSideThatTheUserAskedFor() {
        AskedFor asked = AskedFor.in(Map.of(
                new ObjectRef("gardens", ObjectKey.of("default", "eden")),
                Json.parseObject("{\"beds\":3}".getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT)));
        ClusterState two = state("{'metadata':{'name':'a'},'data':{'size':'2'}}");
        ClusterState three = state("{'metadata':{'name':'a'},'data':{'size':'3'}}");

        assertThat(ClusterState.differences(three, two, asked))
                .contains("    data.size is \"2\"; without faults it is \"3\", as the user asked with spec.beds of"
                        + " gardens default/eden");
        assertThat(ClusterState.differences(two, three, asked))
                .contains("    data.size is \"3\"; without faults it is \"2\"; but the user asked for \"3\" with"
                        + " spec.beds of gardens default/eden, so the run without faults is wrong");
    }

    @Test
    void whatUsersAskForIsReadFromAStateToo() {
        Map<String, String> garden = Map.of("spec.plots[a].beds", "3", "status.beds", "2");
        ClusterState two =
                new ClusterState(Map.of("gardens default/eden", garden, "maps a", Map.of("data.size", "\"2\"")));
        ClusterState three =
                new ClusterState(Map.of("gardens default/eden", garden, "maps a", Map.of("data.size", "\"3\"")));

        assertThat(ClusterState.differences(two, three, Set.of("gardens default/eden", "gardens default/none")))
                .containsExactly(
                        "maps a differs:",
                        "    data.size is \"3\"; without faults it is \"2\"; but the user asked for \"3\" with"
                                + " spec.plots.beds of gardens default/eden, so the run without faults is wrong");
        assertThat(ClusterState.differences(two, three, Set.of()))
                .containsExactly("maps a differs:", "    data.size is \"3\"; without faults it is \"2\"");
    }
}
