package dev.evenkeel.testing.diff;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.junit.jupiter.api.Test;

class DifferenceTest {
    private static String diff(String expected, String observed) {
        return Difference.between(expected, observed, Normalization.exact()).toString();
    }

    @Test
    void reportsMissingAdditionalAndDifferentFields() {
        Difference difference = Difference.between(
                "{\"a\":1,\"b\":{\"c\":\"x\"},\"same\":[1]}",
                "{\"a\":2,\"d\":{\"e\":[]},\"same\":[1]}",
                Normalization.exact());

        assertThat(difference.isEmpty()).isFalse();
        assertThat(difference.changes())
                .containsExactly(
                        new Difference.Change(FieldPath.parse("a"), Difference.Type.CHANGED, "1", "2"),
                        new Difference.Change(FieldPath.parse("b"), Difference.Type.REMOVED, "{\"c\":\"x\"}", ""),
                        new Difference.Change(FieldPath.parse("d"), Difference.Type.ADDED, "", "{\"e\":[]}"));
        assertThat(difference).hasToString("""
                a: expected 1, observed 2
                b: expected {"c":"x"}, observed nothing
                d: expected nothing, observed {"e":[]}""");
    }

    @Test
    void entriesArePairedByTheirKey() {
        assertThat(diff("""
                        {"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"}]}""", """
                        {"containers":[{"name":"b","image":"3"},{"name":"c","image":"4"}]}""")).isEqualTo("""
                        containers[name=a]: expected {"name":"a","image":"1"}, observed nothing
                        containers[name=b].image: expected "2", observed "3"
                        containers[name=c]: expected nothing, observed {"name":"c","image":"4"}""");
    }

    @Test
    void keysAreThoseOfTheListsOfKubernetes() {
        assertThat(diff("""
                        {"ports":[{"containerPort":53,"protocol":"UDP","x":1},{"containerPort":53,"x":1}],
                         "servicePorts":[{"port":80,"name":"http","x":1}],
                         "conditions":[{"type":"Ready","x":1}],
                         "volumeMounts":[{"name":"v","mountPath":"/a","x":1},{"name":"v","mountPath":"/b","x":1}],
                         "ownerReferences":[{"uid":"1","name":"n","x":1}],
                         "items":[{"key":"k","path":"p","x":1}],
                         "hostAliases":[{"ip":"::1","x":1}]}""", """
                        {"ports":[{"containerPort":53,"protocol":"UDP","x":2},{"containerPort":53,"protocol":"TCP","x":2}],
                         "servicePorts":[{"port":80,"name":"http","x":2}],
                         "conditions":[{"type":"Ready","x":2}],
                         "volumeMounts":[{"name":"v","mountPath":"/a","x":2},{"name":"v","mountPath":"/b","x":2}],
                         "ownerReferences":[{"uid":"1","name":"n","x":2}],
                         "items":[{"key":"k","path":"p","x":2}],
                         "hostAliases":[{"ip":"::1","x":2}]}""").lines().map(line -> line.substring(0, line.indexOf(": expected"))))
                .containsExactly(
                        "conditions[type=Ready].x",
                        "hostAliases[ip=::1].x",
                        "items[key=k].x",
                        "ownerReferences[uid='1'].x",
                        "ports[containerPort=53,protocol=UDP].x",
                        "ports[containerPort=53].protocol",
                        "ports[containerPort=53].x",
                        "servicePorts[port=80].x",
                        "volumeMounts[mountPath=/a].x",
                        "volumeMounts[mountPath=/b].x");
    }

    @Test
    void entriesWithoutAKeyOfTheirOwnArePairedByTheirPlace() {
        assertThat(diff("{\"a\":[{\"name\":\"x\",\"v\":1},{\"name\":\"x\",\"v\":2}],\"b\":[1,2,3]}", """
                        {"a":[{"name":"x","v":1},{"name":"x","v":3},{"name":"y"}],"b":[1,3]}"""))
                .isEqualTo("""
                        a[1].v: expected 2, observed 3
                        a[2]: expected nothing, observed {"name":"y"}
                        b[1]: expected 2, observed 3
                        b[2]: expected 3, observed nothing""");
    }

    @Test
    void anotherOrderIsADifferenceUnlessItIsIgnored() {
        String one = "{\"env\":[{\"name\":\"a\"},{\"name\":\"b\",\"value\":\"1\"}]}";
        String other = "{\"env\":[{\"name\":\"b\",\"value\":\"1\"},{\"name\":\"a\"}]}";

        assertThat(diff(one, other)).isEqualTo("env: expected the order [name=a] [name=b], observed [name=b] [name=a]");
        assertThat(Difference.between(one, other, Normalization.exact().ignoringOrder())
                        .isEmpty())
                .isTrue();
        assertThat(diff("[1,2]", "[2,1]")).contains("[0]: expected 1, observed 2");
    }

    @Test
    void numbersAreEqualByValueAndTextsAreNoNumbers() {
        assertThat(diff("{\"a\":1.0,\"b\":1e2}", "{\"a\":1,\"b\":100}")).isEqualTo("no difference");
        assertThat(diff("{\"a\":1}", "{\"a\":\"1\"}")).isEqualTo("a: expected 1, observed \"1\"");
    }

    @Test
    void objectsOfDifferentClassesAreComparedAsSent() {
        ConfigMap typed = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .addToData("k", "v")
                .build();
        GenericKubernetesResource generic = ModelCodec.convert(typed, GenericKubernetesResource.class);

        assertThat(Difference.between(typed, generic, Normalization.exact()).isEmpty())
                .isTrue();
        generic.getAdditionalProperties().put("immutable", true);
        assertThat(Difference.between(typed, generic, Normalization.exact()))
                .hasToString("immutable: expected nothing, observed true");
    }

    @Test
    void aDocumentDiffersFromItselfInNothing() {
        long seed = System.nanoTime();
        System.out.println("DifferenceTest seed " + seed);
        RandomTrees trees = new RandomTrees(seed);
        for (int i = 0; i < 1_000; i++) {
            String one = Json.text(trees.object(4));
            String other = Json.text(trees.object(4));
            assertThat(diff(one, one)).as("seed %d", seed).isEqualTo("no difference");
            boolean same = sorted(one).equals(sorted(other));
            assertThat(Difference.between(one, other, Normalization.exact()).isEmpty())
                    .as("seed %d: %s and %s", seed, one, other)
                    .isEqualTo(same);
        }
    }

    private static String sorted(String json) {
        return Json.text(Json.sorted(Json.parse(json.getBytes(UTF_8), JsonLimits.DEFAULT)));
    }
}
