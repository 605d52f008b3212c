package dev.evenkeel.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSyntaxTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b-c_d", "0", "example.com/a", "a-b.c9/x", "kubernetes.io/metadata.name"})
    void keys(String key) {
        assertThat(LabelSyntax.keyErrors(key)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "/a", "a/", "a/b/c", "A/b", "a..b/c", ".a/b", "a-/b", "-a/b", "a b", "é"})
    void noKeys(String key) {
        assertThat(LabelSyntax.keyErrors(key)).isNotEmpty();
    }

    @Test
    void allProblemsOfAKeyAreReported() {
        assertThat(LabelSyntax.keyErrors("/")).hasSize(3);
        assertThat(LabelSyntax.keyErrors("/").getFirst()).isEqualTo("prefix part must be non-empty");
        assertThat(LabelSyntax.keyErrors("/").get(1)).isEqualTo("name part must be non-empty");
        assertThat(LabelSyntax.keyErrors("a".repeat(64))).containsExactly("name part must be no more than 63 bytes");
        assertThat(LabelSyntax.keyErrors("a".repeat(254) + "/x"))
                .containsExactly("prefix part must be no more than 253 bytes");
        assertThat(LabelSyntax.keyErrors("a/b/c"))
                .containsExactly("a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must"
                        + " start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc',"
                        + " regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional"
                        + " DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }

    @Test
    void values() {
        assertThat(LabelSyntax.valueErrors("")).isEmpty();
        assertThat(LabelSyntax.valueErrors("a".repeat(63))).isEmpty();
        assertThat(LabelSyntax.valueErrors("a".repeat(64))).containsExactly("must be no more than 63 bytes");
        assertThat(LabelSyntax.valueErrors("a/b"))
                .containsExactly("a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                        + " or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
                        + " 'my_value',  or '12345', regex used for validation is"
                        + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
    }
}
