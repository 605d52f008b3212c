package dev.evenkeel.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.server.internal.discovery.GroupVersions;
import dev.evenkeel.server.internal.http.Representation.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepresentationTest {
    private static final Representation.Available EVERYTHING = new Representation.Available(true, true, true);

    @Test
    void theFirstAcceptableClauseWins() {
        assertThat(Representation.negotiate("", false)).isEqualTo(Representation.JSON);
        assertThat(Representation.negotiate("*/*", false)).isEqualTo(Representation.JSON);
        assertThat(Representation.negotiate("application/json;q=0.1,application/yaml", false)
                        .encoding())
                .isEqualTo(Encoding.YAML);
        Representation table = Representation.negotiate(
                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
                true);
        assertThat(table.shape()).isEqualTo(Shape.TABLE);
        assertThat(table.metaVersion()).isEqualTo("v1");
    }

    @Test
    void protobufIsForBuiltInKindsAndMetadata() {
        String preferred = "application/vnd.kubernetes.protobuf,application/json";
        assertThat(Representation.negotiate(preferred, false).encoding()).isEqualTo(Encoding.PROTOBUF);
        assertThat(Representation.negotiate("application/json;q=0.5,application/vnd.kubernetes.protobuf;q=0.9", false)
                        .encoding())
                .isEqualTo(Encoding.PROTOBUF);
        assertThat(Representation.negotiate(preferred, false, new Representation.Available(true, false, false)))
                .isEqualTo(Representation.JSON);
        String metadata = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
        assertThat(Representation.negotiate(metadata, false, new Representation.Available(true, false, false)))
                .isEqualTo(new Representation(Encoding.PROTOBUF, Shape.PARTIAL, "v1"));
        String table = "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1";
        assertThatThrownBy(() -> Representation.negotiate(table, false))
                .hasMessageStartingWith("only the following media types are accepted");
        assertThat(Encoding.ofErrors(table)).isEqualTo(Encoding.JSON);
        assertThat(Encoding.ofErrors(table + ",application/yaml")).isEqualTo(Encoding.YAML);
        assertThat(Encoding.ofErrors(preferred)).isEqualTo(Encoding.PROTOBUF);
    }

    @Test
    void unavailableFormsAreRefusedInTwoWays() {
        assertThatThrownBy(() -> Representation.negotiate("text/html", false))
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("406: Not Acceptable\n\nAvailable representations: application/json");
        assertThatThrownBy(() -> Representation.negotiate("application/json;as=Foo;g=meta.k8s.io;v=v1", false))
                .hasMessageStartingWith("only the following media types are accepted: application/json");
        assertThatThrownBy(() -> Representation.negotiateStream("application/yaml", EVERYTHING))
                .hasMessageStartingWith("only the following media types are accepted: application/json;stream=watch");
    }

    @Test
    void aDocumentInOneFormIsForThoseWhoNameItOrAcceptAnything() {
        for (String accept : List.of("", "*/*", "application/json;q=0", "text/html, */*;q=0.1")) {
            Representation.requireAccepted(accept, "application/json");
        }
        for (String accept : List.of("text/html", "application/*", "application/yaml")) {
            assertThatThrownBy(() -> Representation.requireAccepted(accept, "application/jwk-set+json"))
                    .hasMessage("406: Not Acceptable\n\nAvailable representations: application/jwk-set+json");
        }
    }

    private static Representation accepted(String accept) {
        return Representation.negotiate(accept, false);
    }

    @Test
    void theOrderOfClausesIsThatOfUpstream() {
        // what is not a range comes first, whatever the qualities, and 0 excludes nothing
        assertThat(accepted("*/*,application/yaml;q=0.1").encoding()).isEqualTo(Encoding.YAML);
        assertThat(accepted("application/yaml;q=0").encoding()).isEqualTo(Encoding.YAML);
        assertThat(accepted("application/yaml;q=x,application/json;q=0.1")).isEqualTo(Representation.JSON);
        assertThat(accepted("application/json;q=2,application/yaml")).isEqualTo(Representation.JSON);
    }

    @Test
    void aRangeOfSubtypesIsForCustomResourcesOnly() {
        assertThatThrownBy(() -> accepted("application/*")).hasMessageStartingWith("406: Not Acceptable");
        assertThatThrownBy(() -> accepted("Application/JSON")).hasMessageStartingWith("406: Not Acceptable");
        Representation.Available custom = new Representation.Available(true, false, false);
        assertThat(Representation.negotiate("application/*", false, custom)).isEqualTo(Representation.JSON);
        assertThatThrownBy(() -> Representation.negotiate("text/html", false, custom))
                .hasMessageStartingWith("only the following media types are accepted: application/json");
        assertThat(accepted("text/html,application/*,application/yaml;q=0.5").encoding())
                .isEqualTo(Encoding.YAML);
    }

    @Test
    void parametersThatAreNotServedSkipAClause() {
        for (String parameters : List.of("v=v1", "g=meta.k8s.io", "as=Table", "stream=other", "sv=v2")) {
            assertThatThrownBy(() -> accepted("application/json;" + parameters))
                    .as(parameters)
                    .hasMessageStartingWith("only the following media types are accepted");
            assertThat(accepted("application/json;" + parameters + ",application/yaml")
                            .encoding())
                    .isEqualTo(Encoding.YAML);
        }
        assertThatThrownBy(() -> accepted("application/yaml;stream=watch")).isInstanceOf(ApiException.class);
        for (String parameters : List.of("stream=watch", "sv=v1", "as=", "other=1", "charset=utf-8")) {
            assertThat(accepted("application/json;" + parameters))
                    .as(parameters)
                    .isEqualTo(Representation.JSON);
        }
    }

    @Test
    void aDocumentHasNoOtherForm() {
        assertThat(Representation.negotiateDocument("application/yaml")).isEqualTo(Encoding.YAML);
        String table = "application/json;as=Table;g=meta.k8s.io;v=v1";
        for (String accept : List.of(table, "application/json;sv=v1")) {
            assertThatThrownBy(() -> Representation.negotiateDocument(accept))
                    .hasMessageStartingWith("only the following media types are accepted");
        }
        assertThat(Representation.negotiateDocument(table + ",application/json"))
                .isEqualTo(Encoding.JSON);
    }

    @Test
    void warningsAreQuotedAndCut() {
        assertThat(Warnings.headers(List.of("unknown field \"a\"")))
                .containsExactly("299 - \"unknown field \\\"a\\\"\"");
        List<String> cut = Warnings.headers(List.of("x".repeat(5000), "y"));
        assertThat(cut).containsExactly("299 - \"" + "x".repeat(256) + "\"", "299 - \"y\"");
    }

    @Test
    void versionsAreSortedByPreference() {
        assertThat(java.util.stream.Stream.of("v1alpha1", "v2", "foo", "v1beta2", "v1", "v10", "v1beta10")
                        .sorted(GroupVersions.PREFERENCE))
                .containsExactly("v10", "v2", "v1", "v1beta10", "v1beta2", "v1alpha1", "foo");
    }

    @Test
    void queriesAreReadAsGoReadsThem() {
        Query query = Query.parse("watch&a=1&a=2&bad=%zz&plus=a+b&umlaut=%C3%BC&off=False&=x");
        assertThat(query.flag("watch")).isTrue();
        assertThat(query.flag("off")).isFalse();
        assertThat(query.flag("none")).isFalse();
        assertThat(query.first("a")).isEqualTo("1");
        assertThat(query.has("bad")).isFalse();
        assertThat(query.first("plus")).isEqualTo("a b");
        assertThat(query.first("umlaut")).isEqualTo("ü");
        assertThat(Query.parse("a=1;b=2&c=3").has("a")).isFalse();
        assertThatThrownBy(() -> Query.parse("limit=x").integer("limit"))
                .hasMessage("strconv.ParseInt: parsing \"x\": invalid syntax");
    }

    @Test
    void controlCharactersAreShownAsGoShowsThem() {
        assertThat(Failures.quoted("a\u0007\u000b\u0001\n\"")).isEqualTo("\"a\\a\\v\\x01\\n\\\"\"");
    }
}
