package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldPathsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            .spec.a | ""
            .spec.m.k | ""
            .spec.m['a.b'] | ""
            ['spec'].a | ""
            .spec.q | does not refer to a valid field
            .spec.a.b | does not refer to a valid field
            spec | expected [ or . but got: spec
            .spec[a] | expected single quoted string but got a
            .spec['a' | unexpected end of JSON path
            .spec. | unexpected end of JSON path
            """)
    void paths(String path, String wrong) {
        var schema = Definitions.tree("{'properties':{'spec':{'properties':{'a':{'type':'string'},"
                + "'m':{'additionalProperties':{'type':'string'}}}}}}");
        assertThat(FieldPaths.follow(path, schema, true).wrong()).isEqualTo(wrong);
    }
}
