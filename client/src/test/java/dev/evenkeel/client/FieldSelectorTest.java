package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSelectorTest {
    private static final Map<String, String> VALUES = Map.of("metadata.name", "l3", "spec.odd", "a,b=c\\d");
    private static final Function<String, String> FIELDS = field -> VALUES.getOrDefault(field, "");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "metadata.name=l3",
                "metadata.name==l3",
                "metadata.name!=l4",
                "spec.nodeName=",
                "metadata.name=l3,spec.nodeName!=x",
                "spec.odd=a\\,b\\=c\\\\d"
            })
    void selects(String text) {
        assertThat(FieldSelector.parse(text).matches(FIELDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata.name=l4", "metadata.name=", "metadata.name!=l3", "metadata.name=l3,spec.x=1"})
    void leavesOut(String text) {
        assertThat(FieldSelector.parse(text).matches(FIELDS)).isFalse();
    }

    /** The first two are recorded from kube-apiserver 1.36.2, the others follow its source. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "metadata.name | invalid selector: 'metadata.name'; can't understand 'metadata.name'",
                "metadata.name in (l1) | invalid selector: 'metadata.name in (l1)'; can't understand 'metadata.name in"
                        + " (l1)'",
                "a=b,c | invalid selector: 'a=b,c'; can't understand 'c'",
                "a=b=c | invalid field selector: unescaped character in value: 61",
                "a=b\\x | invalid field selector: invalid escape sequence: \\x",
                "a=b\\ | invalid field selector: invalid escape sequence: \\"
            })
    void refuses(String text, String message) {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> FieldSelector.parse(text))
                .withMessage(message);
    }

    @Test
    void textIsNormalised() {
        assertThat(FieldSelector.parse("b!=2,a==1,"))
                .hasToString("a=1,b!=2")
                .isEqualTo(FieldSelector.parse("a=1,b!=2"));
        assertThat(FieldSelector.everything()).hasToString("").isEqualTo(FieldSelector.parse(""));
        FieldSelector odd = FieldSelector.equal("f", "a,b=c\\");
        assertThat(FieldSelector.parse(odd.toString())).isEqualTo(odd);
    }

    @Test
    void pinsTheValueThatOnlyOneCanHave() {
        FieldSelector selector = FieldSelector.parse("metadata.name=x,metadata.namespace!=y");
        assertThat(selector.exactValue("metadata.name")).contains("x");
        assertThat(selector.exactValue("metadata.namespace")).isEmpty();
        assertThat(selector.requirements())
                .isEqualTo(List.of(
                        new FieldSelector.Requirement("metadata.name", true, "x"),
                        new FieldSelector.Requirement("metadata.namespace", false, "y")));
    }
}
