package dev.evenkeel.testing.internal.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Encoded;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterStateTest {
    private static ClusterState state(String... objects) {
        return ClusterState.of(
                Arrays.stream(objects)
                        .map(json -> new ClusterState.Found(
                                "things", Encoded.of(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))))
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
        assertThat(one).isEqualTo(other);
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
                        "    status.observedGeneration is not the present generation, and should be the present"
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
                        "    gone is missing, and should be 1",
                        "    list[Ready].status is \"False\", and should be \"True\"",
                        "    new is 1, and should not be there");
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
}
