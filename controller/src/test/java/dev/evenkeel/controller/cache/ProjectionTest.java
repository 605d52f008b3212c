package dev.evenkeel.controller.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProjectionTest {
    private static final String HEAD = "\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}";

    private static String of(Projection projection, String json) {
        return new String(projection.of(json.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    private static String object(String rest) {
        return "{" + HEAD + (rest.isEmpty() ? "" : "," + rest) + "}";
    }

    @Test
    @DisplayName("Metadata and the fields at the paths are kept; enclosing objects are kept even if empty")
    void paths() {
        String json = object(
                "\"spec\":{\"replicas\":3,\"paused\":true,\"a\":{\"b\":{\"c\":1,\"d\":2}}},\"status\":{\"x\":1}");
        assertThat(of(Projection.of("spec.replicas"), json)).isEqualTo(object("\"spec\":{\"replicas\":3}"));
        assertThat(of(Projection.of("spec.a.b.c", "status"), json))
                .isEqualTo(object("\"spec\":{\"a\":{\"b\":{\"c\":1}}},\"status\":{\"x\":1}"));
        assertThat(of(Projection.of("nothing"), json)).isEqualTo(object(""));
        assertThat(of(Projection.of("spec.none"), json)).isEqualTo(object("\"spec\":{}"));
        assertThat(of(Projection.of("spec", "spec.replicas"), json))
                .isEqualTo(of(Projection.of("spec.replicas", "spec"), json))
                .contains("paused");
    }

    @Test
    @DisplayName("A path applies to items of lists, of nested lists too; other values are kept unchanged")
    void lists() {
        String json = object(
                "\"spec\":{\"containers\":[{\"image\":\"i\",\"env\":[]},{\"env\":[{\"name\":\"n\"}]},7,[{\"image\":\"j\","
                        + "\"x\":1}]]}");
        assertThat(of(Projection.of("spec.containers.image"), json))
                .isEqualTo(object("\"spec\":{\"containers\":[{\"image\":\"i\"},{},7,[{\"image\":\"j\"}]]}"));
        assertThat(of(Projection.of("spec.containers"), object("\"spec\":{\"containers\":[]}")))
                .isEqualTo(object("\"spec\":{\"containers\":[]}"));
    }

    @Test
    @DisplayName("Texts with braces, quotes, blanks and escapes do not confuse it")
    void texts() {
        String json = "{ \"spec\" : { \"a\" : \"}],\\\"\\\\\" ,\n \"b\" : [ 1 , -2.5e3 , null ] } , " + HEAD + " }";
        assertThat(of(Projection.of("spec.a"), json)).isEqualTo("{\"spec\":{\"a\":\"}],\\\"\\\\\"}," + HEAD + "}");
        assertThat(of(Projection.of("spec.b"), json)).contains("\"b\":[ 1 , -2.5e3 , null ]");
    }

    @Test
    @DisplayName(
            "Managed fields of the metadata are removed wherever they are in it, unless requested; not those elsewhere")
    void managedFields() {
        String managed = "\"managedFields\":[{\"manager\":\"m\"}]";
        for (String metadata : new String[] {managed + ",\"name\":\"a\"", "\"name\":\"a\"," + managed}) {
            String json = "{\"metadata\":{" + metadata + "},\"spec\":{" + managed + "}}";
            assertThat(of(Projection.withoutManagedFields(), json))
                    .isEqualTo("{\"metadata\":{\"name\":\"a\"},\"spec\":{" + managed + "}}");
            assertThat(of(Projection.everything(), json)).isEqualTo(json);
            assertThat(of(Projection.of("spec.x"), json)).isEqualTo("{\"metadata\":{\"name\":\"a\"},\"spec\":{}}");
        }
        assertThat(of(Projection.withoutManagedFields(), "{\"metadata\":{" + managed + "}}"))
                .isEqualTo("{\"metadata\":{}}");
        assertThat(of(
                        Projection.withoutManagedFields(),
                        "{ \"a\" : 1 , \"metadata\" : { \"name\" : \"a\" , " + managed + " , \"uid\" : \"u\" } }"))
                .isEqualTo("{ \"a\" : 1 , \"metadata\" : { \"name\" : \"a\" , \"uid\" : \"u\" } }");
        String elsewhere = "{\"metadata\":{\"annotations\":{" + managed + "}},\"spec\":{" + managed + "}}";
        assertThat(of(Projection.withoutManagedFields(), elsewhere)).isEqualTo(elsewhere);
    }

    @Test
    @DisplayName("A union covers both projections, and a path covers everything below it")
    void unions() {
        Projection replicas = Projection.of("spec.replicas");
        Projection spec = Projection.of("spec");
        Projection status = Projection.of("status");
        assertThat(replicas.union(status)).isEqualTo(Projection.of("status", "spec.replicas"));
        assertThat(replicas.union(status).covers(replicas)).isTrue();
        assertThat(spec.covers(replicas)).isTrue();
        assertThat(Projection.of("specific").covers(Projection.of("spec"))).isFalse();
        assertThat(Projection.of("spec").covers(Projection.of("specific"))).isFalse();
        assertThat(replicas.covers(spec)).isFalse();
        assertThat(Projection.withoutManagedFields().covers(spec)).isTrue();
        assertThat(spec.covers(Projection.withoutManagedFields())).isFalse();
        assertThat(Projection.withoutManagedFields().covers(Projection.everything()))
                .isFalse();
        assertThat(Projection.everything().covers(Projection.withoutManagedFields()))
                .isTrue();
        assertThat(spec.union(Projection.everything())).isEqualTo(Projection.everything());
    }

    @Test
    @DisplayName("No path, or an empty step in one, is refused, with a valid example")
    void refused() {
        assertThatThrownBy(Projection::of)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("metadataOnly");
        for (String bad : new String[] {"", ".spec", "spec.", "a..b"}) {
            assertThatThrownBy(() -> Projection.of(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + bad + "\"")
                    .hasMessageContaining("spec.replicas");
        }
    }
}
