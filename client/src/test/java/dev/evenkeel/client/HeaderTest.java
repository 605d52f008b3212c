package dev.evenkeel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTest {
    private static final Encoded.Header NOTHING = new Encoded.Header(
            "", "", new ObjectKey("", ""), "", "", 0, Map.of(), Map.of(), List.of(), List.of(), false);

    private static Encoded.Header of(String json) {
        return Encoded.Header.of(json.getBytes(UTF_8));
    }

    @Test
    void saysWhatIsThere() {
        Encoded.Header header = of("""
                {"apiVersion": "apps/v1", "kind": "Deployment",
                 "spec": {"metadata": {"name": "not me", "uid": "nor me"}, "kind": "Pod", "list": [{"kind": 1}, []]},
                 "metadata": {"name": "web", "namespace": "shop", "uid": "u-1", "resourceVersion": "42", "generation": 7,
                   "labels": {"b": "2", "a": "1"}, "annotations": {"note": "x\\ny"},
                   "managedFields": [{"fieldsV1": {"f:metadata": {"f:labels": {"labels": "no"}}}}],
                   "ownerReferences": [
                     {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u-2", "controller": true, "blockOwnerDeletion": true},
                     {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u-3"}],
                   "finalizers": ["b/b", "a/a"], "deletionTimestamp": "2026-01-01T00:00:00Z"},
                 "status": {"metadata": null}}
                """);

        assertThat(header)
                .isEqualTo(new Encoded.Header(
                        "apps/v1",
                        "Deployment",
                        ObjectKey.of("shop", "web"),
                        "u-1",
                        "42",
                        7,
                        Map.of("a", "1", "b", "2"),
                        Map.of("note", "x\ny"),
                        List.of(
                                new Encoded.Header.Owner("v1", "Node", "n", "u-2", true),
                                new Encoded.Header.Owner("v1", "Pod", "p", "u-3", false)),
                        List.of("b/b", "a/a"),
                        true));
        assertThat(header.labels().keySet()).containsExactly("b", "a");
        assertThatThrownBy(() -> header.labels().put("c", "3")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> header.finalizers().add("c")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void readsNoFurtherThanItMust() {
        assertThat(of("{\"kind\":\"A\",\"metadata\":{\"name\":\"n\"},\"apiVersion\":\"v1\",\"spec\":no JSON")
                        .key())
                .isEqualTo(ObjectKey.cluster("n"));
        assertThatThrownBy(() -> of("{\"kind\":\"A\",\"metadata\":{\"name\":\"n\"},\"spec\":no JSON"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " \n{ } ",
                "{\"metadata\":{}}",
                "{\"metadata\":null}",
                "{\"metadata\":[{\"name\":\"no\"}]}",
                "{\"metadata\":\"name\"}",
                "{\"metadata\":{\"name\":null,\"namespace\":null,\"uid\":null,\"resourceVersion\":null,\"generation\":null}}",
                "{\"metadata\":{\"labels\":null,\"annotations\":[],\"ownerReferences\":null,\"finalizers\":null}}",
                "{\"metadata\":{\"labels\":\"x\",\"ownerReferences\":{\"uid\":\"x\"},\"finalizers\":{\"a\":[1]}}}",
                "{\"metadata\":{\"ownerReferences\":[],\"finalizers\":[],\"labels\":{},\"deletionTimestamp\":null}}",
                "{\"metadata\":{\"ownerReferences\":[null,1,\"x\",[{\"uid\":\"x\"}]]}}",
                "{\"apiVersion\":null,\"kind\":{\"a\":{\"metadata\":{\"name\":\"no\"}}},\"deep\":[[[{\"metadata\":{\"name\":\"no\"}}]]]}",
            })
    void missingAndMalformedValuesAreEmpty(String json) {
        assertThat(of(json)).isEqualTo(NOTHING);
    }

    @Test
    void textIsUnicode() {
        Encoded.Header header = of(
                "{\"metadata\":{\"name\":\"\u00fc\u65e5\ud83d\ude80\",\"labels\":{\"\\u00fc\":\"\\ud83d\\ude80\"}}}");

        assertThat(header.key().name()).isEqualTo("\u00fc\u65e5\ud83d\ude80");
        assertThat(header.labels()).isEqualTo(Map.of("\u00fc", "\ud83d\ude80"));
    }

    @Test
    void theLastOfEqualFieldsCounts() {
        assertThat(of("{\"kind\":\"A\",\"kind\":\"B\"}").kind()).isEqualTo("B");
    }

    @Test
    void numbersWhereTextBelongsAreTheirText() {
        Encoded.Header header = of(
                "{\"metadata\":{\"resourceVersion\":42,\"labels\":{\"a\":true,\"b\":1,\"c\":null,\"d\":{\"e\":1}}}}");

        assertThat(header.resourceVersion()).isEqualTo("42");
        assertThat(header.labels()).isEqualTo(Map.of("a", "true", "b", "1", "c", "", "d", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "1",
                "null",
                "\"a\"",
                "{",
                "{\"metadata\":{",
                "{\"metadata\":{\"name\":\"a\"",
                "nonsense",
                "{\"a\" 1}"
            })
    void invalidObjectsAreRefused(String json) {
        assertThatThrownBy(() -> of(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not a JSON object: ");
    }
}
