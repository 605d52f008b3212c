package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.client.LabelSelector.Requirement.Operator;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {
    private static final Map<String, String> LABELS = Map.of("par", "odd", "n", "3", "extra", "", "w", "-x");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "par=odd",
                "par==odd",
                " par = odd ",
                "par!=even",
                "missing!=even",
                "par in (odd)",
                "par in (even,odd)",
                "par in (odd,)",
                "missing notin (a)",
                "par notin (even)",
                "extra",
                "!missing",
                "! missing",
                "extra=",
                "extra in ()",
                "n>2",
                "n<4",
                "n<9223372036854775807",
                " extra , par=odd ",
                "par in (in, notin, odd)",
                "n in (1,2,3),par,!x"
            })
    void selects(String text) {
        assertThat(LabelSelector.parse(text).matches(LABELS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "par=even",
                "par!=odd",
                "par=",
                "missing",
                "missing=a",
                "missing in (a)",
                "!extra",
                "par notin (odd,even)",
                "n>3",
                "n<3",
                "missing>1",
                "missing<1",
                "par>1",
                "par<1",
                "extra>1",
                "par=odd,n=4"
            })
    void leavesOut(String text) {
        assertThat(LabelSelector.parse(text).matches(LABELS)).isFalse();
    }

    /** Recorded from kube-apiserver 1.36.2, save those that its source shows. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "=odd | found '=', expected: !, identifier, or 'end of string'",
                "(a) | found '(', expected: !, identifier, or 'end of string'",
                "par in odd | unable to parse requirement: found 'odd' expected: '('",
                "a b | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
                "n>x | unable to parse requirement: values[0]: Invalid value: \"\"x\"\": for 'Gt', 'Lt' operators, the"
                        + " value must be an integer",
                "par==odd! | found '!', expected: ',' or 'end of string'",
                "par=a b | found 'b', expected: ',' or 'end of string'",
                "a, | found '', expected: identifier after ','",
                "! | unable to parse requirement: found '', expected: identifier",
                "a in ( | unable to parse requirement: found '', expected: ',', ')' or identifier",
                "a in (b | unable to parse requirement: found '', expected: ',' or ')'",
                "a in (b, | unable to parse requirement: found '', expected: ',', or identifier",
                "a=) | unable to parse requirement: found ')', expected: identifier",
                "!a=b | found '=', expected: ',' or 'end of string'",
                "n>99999999999999999999 | unable to parse requirement: values[0]: Invalid value:"
                        + " \"\"99999999999999999999\"\": for 'Gt', 'Lt' operators, the value must be an integer"
            })
    void refuses(String text, String message) {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> LabelSelector.parse(text))
                .withMessage(message.replace("\"\"", "\""));
    }

    @Test
    void refusesInvalidKeysAndValues() {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> LabelSelector.parse("-x=1"))
                .withMessage("unable to parse requirement: <nil>: Invalid value: \"-x\": name part must consist of"
                        + " alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                        + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                        + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> LabelSelector.parse("x=" + "a".repeat(64)))
                .withMessage("unable to parse requirement: values[0][x]: Invalid value: \"" + "a".repeat(64)
                        + "\": must be no more than 63 bytes");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> LabelSelector.parse("x in (" + "a".repeat(64) + "," + "b".repeat(64) + ")"))
                .withMessageStartingWith("unable to parse requirement: [values[0][x]: Invalid value: ")
                .withMessageEndingWith("must be no more than 63 bytes]");
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> new LabelSelector.Requirement("x", Operator.IN, List.of()))
                .withMessage("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty");
    }

    @Test
    void textIsNormalised() {
        assertThat(LabelSelector.parse(" z , b notin (y, x,y),a==1 , !c,d> 5"))
                .hasToString("a=1,b notin (x,y),!c,d>5,z")
                .isEqualTo(LabelSelector.parse("a=1,b notin (x,y),!c,d>5,z"))
                .hasSameHashCodeAs(LabelSelector.parse("a=1,b notin (x,y),!c,d>5,z"));
        assertThat(LabelSelector.everything()).hasToString("").isEqualTo(LabelSelector.parse(" "));
        assertThat(LabelSelector.matching(Map.of("b", "2", "a", "1"))).hasToString("a=1,b=2");
    }

    @Test
    void readsWhatObjectsHaveInTheirFields() {
        assertThat(LabelSelector.of(new LabelSelectorBuilder()
                        .addToMatchLabels("par", "odd")
                        .addToMatchExpressions(
                                new LabelSelectorRequirement("n", "In", List.of("3", "1")),
                                new LabelSelectorRequirement("m", "NotIn", List.of("2")),
                                new LabelSelectorRequirement("extra", "Exists", List.of()),
                                new LabelSelectorRequirement("x", "DoesNotExist", null))
                        .build()))
                .isEqualTo(LabelSelector.parse("par=odd,n in (1,3),m notin (2),extra,!x"));
        assertThat(LabelSelector.of(new io.fabric8.kubernetes.api.model.LabelSelector()))
                .isEqualTo(LabelSelector.everything());
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> LabelSelector.of(new LabelSelectorBuilder()
                        .addToMatchExpressions(new LabelSelectorRequirement("n", "Equals", List.of("3")))
                        .build()))
                .withMessageContaining("\"Equals\" is not a valid label selector operator");
    }

    @Test
    void pinsTheValueThatOnlyOneCanHave() {
        LabelSelector selector = LabelSelector.parse("a=1,b in (x),c in (x,y),d!=1");
        assertThat(selector.exactValue("a")).contains("1");
        assertThat(selector.exactValue("b")).contains("x");
        assertThat(selector.exactValue("c")).isEmpty();
        assertThat(selector.exactValue("d")).isEmpty();
    }

    @Test
    void bothSelectorsCanBeAsked() {
        LabelSelector selector = LabelSelector.parse("b=2").and(LabelSelector.parse("a,b=2"));
        assertThat(selector).hasToString("a,b=2");
        assertThat(LabelSelector.everything().and(LabelSelector.everything()).isEverything())
                .isTrue();
    }

    @Test
    void anyTextIsReadOrRefused() {
        long seed = 7;
        Random random = new Random(seed);
        String alphabet = "ab1-./=!(),<> \tin notin é";
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(14); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                LabelSelector selector = LabelSelector.parse(text.toString());
                assertThat(LabelSelector.parse(selector.toString()))
                        .as("seed %d, text '%s'", seed, text)
                        .isEqualTo(selector);
            } catch (BadRequestException e) {
                assertThat(e.getMessage()).as("seed %d, text '%s'", seed, text).isNotBlank();
            }
        }
    }

    @Test
    void integersAreComparedWithin64Bits() {
        List<String> numbers = new ArrayList<>(List.of("0", "-0", "+5", "9223372036854775807", "-9223372036854775808"));
        List<String> others = List.of("", "-", "+", "1.0", "0x1", "9223372036854775808", "-9223372036854775809", "١");
        assertThat(numbers).allMatch(Decimal::isLong);
        assertThat(others).noneMatch(Decimal::isLong);
        numbers.add("-7");
        numbers.add("123456789");
        for (String left : numbers) {
            for (String right : numbers) {
                assertThat(Decimal.compare(left, right))
                        .isEqualTo(Long.compare(Long.parseLong(left), Long.parseLong(right)));
            }
            others.forEach(other -> assertThat(Decimal.compare(left, other)).isZero());
        }
    }
}
