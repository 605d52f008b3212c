package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SemanticEqualityTest {
    private static Pod pod(String cpu) {
        return new PodBuilder()
                .withNewSpec()
                .addNewContainer()
                .withName("a")
                .withNewResources()
                .addToLimits("cpu", new Quantity(cpu))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private static GenericKubernetesResource generic(String json) {
        return ModelCodec.decode(json.getBytes(StandardCharsets.UTF_8), GenericKubernetesResource.class);
    }

    @Test
    void emptyCollectionsAreAsGoodAsNone() {
        ConfigMap none = new ConfigMap();
        none.setData(null);
        ConfigMap empty = new ConfigMapBuilder().withData(Map.of()).build();
        assertThat(SemanticEquality.same(none, empty)).isTrue();
        assertThat(SemanticEquality.same(
                        none, new ConfigMapBuilder().addToData("a", "").build()))
                .isFalse();
    }

    @Test
    void emptyObjectsAreSomething() {
        Pod with = new PodBuilder()
                .withNewSpec()
                .addNewVolume()
                .withName("v")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .endSpec()
                .build();
        Pod without = new PodBuilder()
                .withNewSpec()
                .addNewVolume()
                .withName("v")
                .endVolume()
                .endSpec()
                .build();
        assertThat(SemanticEquality.same(with, without)).isFalse();
        assertThat(SemanticEquality.same(
                        generic("{\"kind\":\"A\",\"spec\":{\"emptyDir\":{}}}"),
                        generic("{\"kind\":\"A\",\"spec\":{}}")))
                .isFalse();
    }

    @Test
    void quantitiesAreAmounts() {
        assertThat(SemanticEquality.same(pod("1"), pod("1000m"))).isTrue();
        assertThat(SemanticEquality.same(pod("1"), pod("1001m"))).isFalse();
        assertThat(SemanticEquality.same(pod("some"), pod("some"))).isTrue();
        assertThat(SemanticEquality.same(pod("some"), pod("more"))).isFalse();
    }

    @Test
    void numbersAreTheSameInAnyClass() {
        GenericKubernetesResource one = new GenericKubernetesResource();
        one.setAdditionalProperties(Map.of("status", Map.of("a", 1, "b", List.of(1.5))));
        GenericKubernetesResource other = new GenericKubernetesResource();
        other.setAdditionalProperties(Map.of("status", Map.of("b", List.of(new BigDecimal("1.50")), "a", 1L)));
        assertThat(SemanticEquality.same(one, other)).isTrue();
        assertThat(SemanticEquality.sameStatus(one, other)).isTrue();
    }

    @Test
    void onlyTheStatusIsComparedOfTwoStatuses() {
        assertThat(SemanticEquality.sameStatus(
                        generic("{\"kind\":\"A\",\"spec\":{\"a\":1},\"status\":{}}"), generic("{\"kind\":\"B\"}")))
                .isTrue();
    }

    /** Else a status that is one word is never written. */
    @Test
    void aStatusMayBeATextOrANumber() {
        for (String status : List.of("\"Ready\"", "1", "true", "{}")) {
            GenericKubernetesResource one = generic("{\"kind\":\"A\",\"status\":\"Broken\"}");
            GenericKubernetesResource other = generic("{\"kind\":\"A\",\"status\":" + status + "}");
            assertThat(SemanticEquality.sameStatus(one, other)).as(status).isFalse();
            assertThat(SemanticEquality.sameStatus(other, other)).as(status).isTrue();
        }
    }

    @Test
    void anObjectIncludesItsExcerpt() {
        GenericKubernetesResource whole = generic("""
                {"kind": "A", "spec": {"n": 1, "list": [{"a": 1, "b": 2}], "words": ["x", "y"], "more": true}}""");
        assertThat(SemanticEquality.includes(whole, generic("{\"kind\":\"A\"}")))
                .isTrue();
        assertThat(SemanticEquality.includes(
                        whole,
                        generic("{\"kind\":\"A\",\"spec\":{\"n\":1.0,\"list\":[{\"b\":2}],\"words\":[\"x\",\"y\"]}}")))
                .isTrue();
        for (String other : List.of(
                "{\"n\":2}",
                "{\"other\":1}",
                "{\"list\":[{\"b\":3}]}",
                "{\"words\":[\"x\"]}",
                "{\"list\":[{\"b\":2},{}]}")) {
            assertThat(SemanticEquality.includes(whole, generic("{\"kind\":\"A\",\"spec\":" + other + "}")))
                    .as(other)
                    .isFalse();
        }
        assertThat(SemanticEquality.includes(whole, whole)).isTrue();
        assertThat(SemanticEquality.includes(pod("1"), pod("1000m"))).isTrue();
    }

    @Test
    void anExcerptHasTheFieldsThatAnotherObjectNames() {
        GenericKubernetesResource pattern =
                generic("{\"kind\":\"A\",\"spec\":{\"n\":5,\"list\":[{\"b\":0}],\"words\":[\"z\"],\"none\":1}}");
        assertThat(SemanticEquality.excerpt(generic("""
                                {"kind": "A", "spec": {"list": [{"a": 1, "b": 2}], "words": ["x", "y"], "n": 1}, "status": {}}"""), pattern))
                .isEqualTo("{\"kind\":\"A\",\"spec\":{\"n\":1,\"list\":[{\"b\":2}],\"words\":[\"x\",\"y\"]}}");
    }
}
