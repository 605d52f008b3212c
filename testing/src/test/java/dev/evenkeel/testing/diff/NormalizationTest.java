package dev.evenkeel.testing.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NormalizationTest {
    private static final String EXPECTED = """
            {"apiVersion":"v1","kind":"K","metadata":{"namespace":"d","name":"n","labels":{"a":"1"}},
             "spec":{"size":1,"uid":"u","none":null,"list":[],"map":{"empty":{}}},
             "status":{"ready":1,"conditions":[{"type":"Ready","status":"True"}]}}""";
    private static final String OBSERVED = """
            {"apiVersion":"v1","kind":"K",
             "metadata":{"namespace":"d","name":"n","labels":{"a":"2"},"uid":"x","resourceVersion":"7","generation":2,
                         "creationTimestamp":"2026-01-01T00:00:00Z","deletionTimestamp":"2026-01-01T00:00:01Z",
                         "deletionGracePeriodSeconds":0,"managedFields":[{"manager":"m"}]},
             "spec":{"size":2,"uid":"v"},
             "status":{"ready":2,"observed":[],
                       "conditions":[{"type":"Ready","status":"False","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}""";

    private static List<String> paths(Normalization normalization) {
        return Difference.between(EXPECTED, OBSERVED, normalization).changes().stream()
                .map(change -> change.path().toString())
                .collect(Collectors.toList());
    }

    @Test
    void writtenIgnoresFieldsOfTheServer() {
        assertThat(paths(Normalization.written()))
                .containsExactly(
                        "metadata.labels.a",
                        "spec.size",
                        "spec.uid",
                        "status.conditions[type=Ready].status",
                        "status.ready");
    }

    @Test
    void statusComparesTheStatusAndTheKey() {
        assertThat(paths(Normalization.status()))
                .containsExactly("status.conditions[type=Ready].status", "status.ready");
        assertThat(Difference.between(EXPECTED, EXPECTED.replace("\"n\"", "\"o\""), Normalization.status()))
                .hasToString("metadata.name: expected \"n\", observed \"o\"");
        assertThat(Difference.between(EXPECTED, EXPECTED.replace("\"d\"", "\"e\""), Normalization.status()))
                .hasToString("metadata.namespace: expected \"d\", observed \"e\"");
    }

    @Test
    void exactIsExact() {
        assertThat(paths(Normalization.exact()))
                .containsExactly(
                        "metadata.creationTimestamp",
                        "metadata.deletionGracePeriodSeconds",
                        "metadata.deletionTimestamp",
                        "metadata.generation",
                        "metadata.labels.a",
                        "metadata.managedFields",
                        "metadata.resourceVersion",
                        "metadata.uid",
                        "spec.list",
                        "spec.map",
                        "spec.none",
                        "spec.size",
                        "spec.uid",
                        "status.conditions[type=Ready].lastTransitionTime",
                        "status.conditions[type=Ready].status",
                        "status.observed",
                        "status.ready");
    }

    @Test
    void theLastRuleThatMatchesDecides() {
        assertThat(paths(Normalization.written()
                        .ignoring("status", "metadata.labels[a]")
                        .comparing("metadata.uid")))
                .containsExactly("metadata.uid", "spec.size", "spec.uid");
        assertThat(paths(Normalization.written()
                        .ignoring("**")
                        .comparing("status.conditions[type=Ready].lastTransitionTime", "spec.*")
                        .ignoring("spec.uid")))
                .containsExactly("spec.size", "status");
    }

    @Test
    void entriesAreIgnoredByKeyPlaceAndPattern() {
        String one = "{\"l\":[{\"name\":\"a\",\"v\":1,\"w\":1},{\"name\":\"b\",\"v\":1,\"w\":1}]}";
        String other = "{\"l\":[{\"name\":\"a\",\"v\":2,\"w\":2},{\"name\":\"b\",\"v\":2,\"w\":2}]}";

        assertThat(Difference.between(one, other, Normalization.exact().ignoring("l[name=a]", "l[*].w")))
                .hasToString("l[name=b].v: expected 1, observed 2");
        assertThat(Difference.between(one, other, Normalization.exact().ignoring("l[1]", "**.w")))
                .hasToString("l[name=a].v: expected 1, observed 2");
    }

    @Test
    void absentAndEmptyAreEqualUnlessEmptyHasAMeaning() {
        Normalization written = Normalization.written();

        assertThat(Difference.between("{\"a\":{\"b\":[],\"c\":{\"d\":null}}}", "{}", written)
                        .isEmpty())
                .isTrue();
        assertThat(Difference.between("{\"a\":[]}", "{}", written.comparingEmpty())
                        .isEmpty())
                .isFalse();
        assertThat(Difference.between(
                                "{\"a\":[]}", "{}", written.comparingEmpty().ignoringEmpty())
                        .isEmpty())
                .isTrue();
        assertThat(Difference.between(
                        "{\"v\":[{\"name\":\"v\",\"emptyDir\":{}}]}", "{\"v\":[{\"name\":\"v\"}]}", written))
                .hasToString("v[name=v].emptyDir: expected {}, observed nothing");
        assertThat(Difference.between("{\"subresources\":{\"status\":{}},\"status\":{}}", "{}", written))
                .hasToString("subresources: expected {\"status\":{}}, observed nothing");
        assertThat(Difference.between("{\"l\":[{},[],\"\"]}", "{\"l\":[\"\"]}", written)
                        .isEmpty())
                .isFalse();
    }

    @Test
    void theGivenNormalizationsDoNotChange() {
        Normalization.written().ignoring("spec").comparingEmpty().ignoringOrder();

        assertThat(paths(Normalization.written())).contains("spec.size").doesNotContain("spec.list");
    }

    @Test
    void refusesInvalidPatterns() {
        assertThatThrownBy(() -> Normalization.exact().ignoring("a[+]")).hasMessageContaining("no [+]");
        assertThatThrownBy(() -> Normalization.exact().ignoring("")).hasMessageContaining("1 to 60 steps");
        assertThatThrownBy(() -> Normalization.exact().ignoring("a..b")).hasMessageContaining("is not a path");
    }
}
