package dev.evenkeel.engine.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {
    private static final @Nullable Object TREE = Json.parse(
            ("{'a':{'b':1,'c.d':2,'n':null},'l':[1,2,3,4],'e':[],'labels':{'x.io/y':'z'},"
                            + "'conditions':[{'type':'Ready','status':'True','n':3},{'type':'Other)','status':'False','n':5}],"
                            + "'deep':{'name':'p','in':[{'name':'q'}]}}")
                    .replace('\'', '"')
                    .getBytes(UTF_8),
            JsonLimits.DEFAULT);

    private static String find(String path) {
        return Json.text(JsonPath.parse(path).find(TREE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".a.b | [1]",
                "$.a.b | [1]",
                ".a['b'] | [1]",
                ".a.c\\.d | [2]",
                ".a['c\\.d'] | [2]",
                ".a['c.d'] | []",
                ".a.n | [null]",
                ".a.n.x | []",
                ".a.x | []",
                ".a.b.x | []",
                ".labels.x\\.io/y | [\"z\"]",
                ".l[0] | [1]",
                ".l[-1] | [4]",
                ".l[1:3] | [2,3]",
                ".l[:2] | [1,2]",
                ".l[2:] | [3,4]",
                ".l[-2:] | [3,4]",
                ".l[::2] | [1,3]",
                ".l[*] | [1,2,3,4]",
                ".l.* | [1,2,3,4]",
                ".l[0,2] | [1,3]",
                ".a['b','x'] | [1]",
                ".l[1:1] | []",
                ".e[*] | []",
                ".x[0] | []",
                ".a.n[0] | []",
                ".conditions[?(@.type==\"Ready\")].status | [\"True\"]",
                ".conditions[?(@.type == 'Ready')].status | [\"True\"]",
                ".conditions[?(@.type==\"Other)\")].status | [\"False\"]",
                ".conditions[?(@.type!=\"Ready\")].status | [\"False\"]",
                ".conditions[?(@.type==\"None\")].status | []",
                ".conditions[?(@.missing==\"None\")].status | []",
                ".conditions[?(@.n>3)].n | [5]",
                ".conditions[?(@.n>=3)].n | [3,5]",
                ".conditions[?(@.n<5)].n | [3]",
                ".conditions[?(@.n<=3)].n | [3]",
                ".conditions[?(@.type<'P')].n | [5]",
                ".conditions[?(@.type=~'^Re')].n | [3]",
                ".conditions[?(@.n)].n | [3,5]",
                ".conditions[?(@.x)].n | []",
                ".conditions[*].type | [\"Ready\",\"Other)\"]",
                "..name | [\"p\",\"q\"]",
                "..type | [\"Ready\",\"Other)\"]",
                "'text' | [\"text\"]",
                ".a .b | [1]",
            })
    void finds(String path, String values) {
        assertThat(find(path)).isEqualTo(values);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".a[0] | not an array",
                ".a[?(@.b==1)] | not an array, which could be filtered",
                ".x.y[?(@.b==1)] | -",
                ".l[4] | array index out of bounds: index 4, length 4",
                ".l[-5] | array index out of bounds: index -1, length 4",
                ".l[0:5] | array index out of bounds: index 4, length 4",
                ".l[3:1] | starting index 3 is greater than ending index 1",
                ".conditions[?(@.n==1.5)] | incompatible types for comparison",
                ".conditions[?(@.n=='x')] | incompatible types for comparison",
                ".conditions[?(@..n==3)] | -",
                ".conditions[?(@.*=='x')] | can only compare one element at a time",
                ".conditions[?(@.type=~'(')] | error parsing regexp: error parsing regexp: missing closing ): `(`",
            })
    void failsWhereTheTreeDoesNotFit(String path, String message) {
        JsonPath parsed = JsonPath.parse(path);
        if (message.equals("-")) {
            assertThat(parsed.find(TREE)).isNotNull();
        } else {
            assertThatExceptionOfType(JsonException.class)
                    .isThrownBy(() -> parsed.find(TREE))
                    .withMessage(message);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a[",
                ".a[",
                ".a[x]",
                ".a[\"b\"]",
                ".a[?(@.b",
                ".a[?(@.b)",
                ".a[?(@.b=='x)]",
                "....a",
                ".a{b}",
                "range",
                ".a[0:1:0]",
                ".a[-]",
                "'a",
                ".a[?(@.x=='\\q')]",
                "+",
                "1.2.3",
                ".a[99999999999]"
            })
    void refusesInvalidPaths(String path) {
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JsonPath.parse(path));
    }

    @Test
    void anyTextIsReadOrRefused() {
        long seed = 31;
        Random random = new Random(seed);
        String alphabet = ".a[]()?@='\"*:,0-\\$ {}<!~l";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder path = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                path.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                JsonPath.parse(path.toString()).find(TREE);
            } catch (JsonException e) {
                continue;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + round + ": " + path, e);
            }
        }
    }

    @Test
    void readsAllPathsOfTheCorpus() throws IOException {
        int read = 0;
        try (Stream<Path> files = Files.walk(SharedData.of("crds"))) {
            for (Path file : files.filter(path -> path.toString().matches(".*/crds/[^/]*/crds/.*\\.yaml"))
                    .toList()) {
                Object definition = Yaml.parse(Files.readAllBytes(file), JsonLimits.DEFAULT);
                for (Object path : JsonPath.parse(".spec.versions[*].additionalPrinterColumns[*].jsonPath")
                        .find(definition)) {
                    assertThat(JsonPath.parse(String.valueOf(path))).hasToString(String.valueOf(path));
                    read++;
                }
            }
        }
        assertThat(read).isGreaterThan(100);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "spec.validations[0].expression | ``",
                ".spec | ``",
                "spec.list[?(name=='a')] | ``",
                "spec[ | unterminated array",
                "spec[x] | invalid array index x",
                "spec[?(@.a | unterminated filter",
                "spec.!a | ``",
                "!a | unrecognized character in action: U+0021 '!'",
                "spec] | unrecognized character in action: U+005D ']'",
            })
    void saysWhyATextIsNoPath(String text, String error) {
        assertThat(JsonPath.error(text)).isEqualTo(error);
    }

    @Test
    void pathsAreValues() {
        assertThat(JsonPath.parse(".a")).isEqualTo(JsonPath.parse(".a")).hasSameHashCodeAs(JsonPath.parse(".a"));
        assertThat(JsonPath.parse(".a")).isNotEqualTo(JsonPath.parse(".b"));
        assertThat(List.of(JsonPath.parse(".a"))).hasToString("[.a]");
    }
}
