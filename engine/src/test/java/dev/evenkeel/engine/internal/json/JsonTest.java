package dev.evenkeel.engine.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.evenkeel.engine.JsonLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static @Nullable Object parse(String text) {
        return Json.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "\"\"",
                "[]",
                "{}",
                "0",
                "-1",
                "9223372036854775807",
                "-9223372036854775808",
                "1.5",
                "1e+21",
                "1e-07",
                "{\"b\":[1,2.5,\"x\",null,{\"a\":{}}],\"a\":false}",
                "\"\\\"\\\\\\n\\t\\u0001é漢😀\"",
            })
    void writingPreservesValues(String text) {
        assertThat(Json.text(parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                " [ 1 , 2 ] | [1,2]",
                "1.0 | 1",
                "1e2 | 100",
                "9223372036854775808 | 9223372036854776000",
                "100000000000000000000000 | 1e+23",
                "-0 | 0",
                "-0.0 | -0",
                "\"\\u00e9\\/\" | \"é/\"",
                "\"\\ud83d\\ude00\" | \"😀\"",
            })
    void otherFormsAreNormalised(String text, String normal) {
        assertThat(Json.text(parse(text))).isEqualTo(normal);
    }

    @Test
    void integersAreLongsAndOtherNumbersDoubles() {
        assertThat(parse("[1,1.0,1e2,9223372036854775808]"))
                .isEqualTo(List.of(1L, 1.0, 100.0, 9.223372036854775808e18));
    }

    /** The words of Go's decoder. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | unexpected end of JSON input",
                "` ` | unexpected end of JSON input",
                "[ | unexpected end of JSON input",
                "[1, | unexpected end of JSON input",
                "{\"a\" | unexpected end of JSON input",
                "{\"a\": | unexpected end of JSON input",
                "\"a | unexpected end of JSON input",
                "\"\\u00 | invalid character ' ' in \\u hexadecimal character escape",
                "tru | invalid character ' ' in literal true (expecting 'e')",
                "- | invalid character ' ' in numeric literal",
                "hello | invalid character 'h' looking for beginning of value",
                "[,] | invalid character ',' looking for beginning of value",
                "[1,] | invalid character ']' looking for beginning of value",
                "{,} | invalid character ',' looking for beginning of object key string",
                "{\"a\":1,} | invalid character '}' looking for beginning of object key string",
                "{'a':1} | invalid character '\\'' looking for beginning of object key string",
                "{\"a\" 1} | invalid character '1' after object key",
                "{\"a\":1 2} | invalid character '2' after object key:value pair",
                "[1 2] | invalid character '2' after array element",
                "1 2 | invalid character '2' after top-level value",
                "{} x | invalid character 'x' after top-level value",
                "01 | invalid character '1' after top-level value",
                "trup | invalid character 'p' in literal true (expecting 'e')",
                "nil | invalid character 'i' in literal null (expecting 'u')",
                "-x | invalid character 'x' in numeric literal",
                "1.x | invalid character 'x' after decimal point in numeric literal",
                "1ex | invalid character 'x' in exponent of numeric literal",
                "\"\\x\" | invalid character 'x' in string escape code",
                "\"\\u00g0\" | invalid character 'g' in \\u hexadecimal character escape",
                "NaN | invalid character 'N' looking for beginning of value",
                "1e1000000000 | number out of range",
                "-1e400 | number out of range",
            })
    void refusesInvalidJson(String text, String message) {
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse(text))
                .withMessage(message);
    }

    @Test
    void refusesControlCharactersAndOtherEncodings() {
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("\"a\nb\""))
                .withMessage("invalid character '\\n' in string literal");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("\ufeff{}"))
                .withMessage("invalid character 'ï' looking for beginning of value");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(
                        () -> Json.parse("{}".getBytes(java.nio.charset.StandardCharsets.UTF_16), JsonLimits.DEFAULT));
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Json.parse(new byte[] {'"', (byte) 0xff, '"'}, JsonLimits.DEFAULT))
                .withMessage("invalid UTF-8 in JSON text");
    }

    @Test
    void halvesOfSurrogatePairsAreReplaced() {
        assertThat(parse("[\"a\\ud800b\",\"\\udc00\\ud800\",\"\\ud83d\\ude00\"]"))
                .isEqualTo(List.of("a\ufffdb", "\ufffd\ufffd", "😀"));
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("{\"\\ud800\":1}"))
                .withMessage("invalid UTF-8 in JSON text");
        byte[] encoded = {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'};
        try {
            Json.write(Json.parse(encoded, JsonLimits.DEFAULT));
        } catch (JsonException e) {
            assertThat(e).hasMessage("invalid UTF-8 in JSON text");
        }
    }

    @Test
    void limitsAreKept() {
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("[".repeat(20_000)))
                .withMessage("exceeded max depth");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("{\"a\":".repeat(20_000)))
                .withMessage("exceeded max depth");
        assertThat(parse("[".repeat(500) + "]".repeat(500))).isNotNull();
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("[".repeat(501) + "]".repeat(501)))
                .withMessage("exceeded max depth");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("1".repeat(1001)))
                .withMessage("number is longer than 1000 characters");
        JsonLimits small = new JsonLimits(20, 10, 5, 10, 1);
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Json.parse(new byte[21], small))
                .withMessage("document of 21 bytes exceeds the limit of 20");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Json.parse("\"123456\"".getBytes(UTF_8), small))
                .withMessage("string is longer than 5 characters");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Json.parse("{\"123456\":1}".getBytes(UTF_8), small))
                .withMessage("string is longer than 5 characters");
    }

    @Test
    void reportsDuplicatesAndKeepsTheLast() {
        List<String> duplicates = new ArrayList<>();
        Object tree = Json.parse(
                "{\"a\":1,\"b\":[{\"c\":null,\"c\":2,\"c\":3}],\"a\":{\"x\":1,\"x\":1}}".getBytes(UTF_8),
                JsonLimits.DEFAULT,
                duplicates::add);
        assertThat(Json.text(tree)).isEqualTo("{\"a\":{\"x\":1},\"b\":[{\"c\":3}]}");
        assertThat(duplicates).containsExactly("b[0].c", "b[0].c", "a", "a.x");
    }

    @Test
    void keysCanBeSorted() {
        assertThat(new String(
                        Json.writeSorted(parse("{\"b\":{\"z\":1,\"a\":[{\"d\":1,\"c\":2}]},\"a\":1,\"B\":1}")), UTF_8))
                .isEqualTo("{\"B\":1,\"a\":1,\"b\":{\"a\":[{\"c\":2,\"d\":1}],\"z\":1}}");
        assertThat(new String(Json.writeSorted(parse("{\"😀\":1,\"\uffee\":2}")), UTF_8))
                .isEqualTo("{\"\uffee\":2,\"😀\":1}");
    }

    @Test
    void prettyIsIndentedByTwo() {
        assertThat(new String(Json.writePretty(parse("{\"a\":[1,{}],\"b\":[]}")), UTF_8))
                .isEqualTo("{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}\n");
    }

    @Test
    void anyBytesAreReadOrRefused() {
        long seed = 17;
        Random random = new Random(seed);
        List<byte[]> corpus = List.of(
                "{\"apiVersion\":\"v1\",\"data\":{\"a\":\"\\u00e9\\ud83d\\ude00 漢\"},\"n\":[1,-2.5e10,true,null]}"
                        .getBytes(UTF_8),
                "[[[[{\"a\":{\"a\":{\"a\":[]}}}]]],1e400,\"\\n\",123456789012345678901234567890]".getBytes(UTF_8));
        byte[] interesting = "{}[]:,\"\\u0123edtrufalsn+-.\0\u007f \n".getBytes(UTF_8);
        int read = 0;
        int refused = 0;
        for (int round = 0; round < 100_000; round++) {
            byte[] text = corpus.get(random.nextInt(corpus.size())).clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                int at = random.nextInt(text.length);
                text[at] = random.nextInt(4) == 0
                        ? (byte) random.nextInt(256)
                        : interesting[random.nextInt(interesting.length)];
            }
            byte[] cut = random.nextInt(3) == 0 ? Arrays.copyOf(text, random.nextInt(text.length)) : text;
            try {
                byte[] written = Json.write(Json.parse(cut, JsonLimits.DEFAULT));
                if (!Arrays.equals(Json.write(Json.parse(written, JsonLimits.DEFAULT)), written)) {
                    fail("seed " + seed + ", round " + round + ": " + new String(written, UTF_8));
                }
                read++;
            } catch (JsonException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(1_000);
        assertThat(read).isGreaterThan(1_000);
    }

    @Test
    void repeatedKeysAreReportedInTheOrderOfTheDocument() {
        List<String> repeated = new ArrayList<>();
        String json = "{'a':{'x':1},'a':{'y':[{'z':1,'z':[]}],'y':null},'b':1,'b':2}";
        Json.parse(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.DEFAULT, repeated::add);
        assertThat(repeated).containsExactly("a", "a.y[0].z", "a.y", "b");
    }
}
