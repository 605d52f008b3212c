package dev.evenkeel.engine.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTest {
    private static @Nullable Object parse(String text) {
        return Yaml.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT);
    }

    private static String json(String yaml) {
        return Json.text(parse(yaml));
    }

    /** As goyaml.v2 and sigs.k8s.io/yaml read them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "yes | true",
                "On | true",
                "y | true",
                "TRUE | true",
                "no | false",
                "off | false",
                "N | false",
                "nO | \"nO\"",
                "yes it is | \"yes it is\"",
                "'yes' | \"yes\"",
                "~ | null",
                "Null | null",
                "nuLL | \"nuLL\"",
                "`` | null",
                "'' | \"\"",
                "12 | 12",
                "+12 | 12",
                "-12 | -12",
                "1_000 | 1000",
                "010 | 8",
                "0o10 | 8",
                "08 | 8",
                "0x1F | 31",
                "-0x1f | -31",
                "0xg | \"0xg\"",
                "0x | \"0x\"",
                "0b101 | 5",
                "-0b101 | -5",
                "0b2 | \"0b2\"",
                "0 | 0",
                "-0 | 0",
                "9223372036854775807 | 9223372036854775807",
                "9223372036854775808 | 9223372036854776000",
                "-9223372036854775808 | -9223372036854775808",
                "1.5 | 1.5",
                "1.0 | 1",
                "1. | 1",
                ".5 | 0.5",
                "-.5 | -0.5",
                "1e3 | 1000",
                "1.5e-7 | 1.5e-07",
                "1e400 | \"1e400\"",
                "1_0.5 | 10.5",
                "1.2.3 | \"1.2.3\"",
                "1:30 | \"1:30\"",
                "190:20:30 | \"190:20:30\"",
                "2001-01-01 | \"2001-01-01\"",
                "2001-12-14t21:59:43.10-05:00 | \"2001-12-14t21:59:43.10-05:00\"",
                "- | [null]",
                "-- | \"--\"",
                "+ | \"+\"",
                ". | \".\"",
                ".. | \"..\"",
                "!!str 12 | \"12\"",
                "!!int '12' | 12",
                "!!float 12 | 12",
                "!!bool yes | true",
                "!!null '' | null",
                "!!binary aGVsbG8= | \"hello\"",
                "!foo 12 | \"12\"",
                "! 12 | \"12\"",
            })
    void readsScalars(String yaml, String json) {
        assertThat(json(yaml)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: 1, 2: b, true: c, 1.5: d, 2001-01-01: e, 0x10: f}"
                        + " | {\"a\":1,\"2\":\"b\",\"true\":\"c\",\"1.5\":\"d\",\"2001-01-01\":\"e\",\"16\":\"f\"}",
                "{yes: 1, 0.1: 2, .inf: 3} | {\"true\":1,\"0.1\":2,\".inf\":3}",
                "[a, [b, {c: d}], {}] | [\"a\",[\"b\",{\"c\":\"d\"}],{}]",
                "{\"a\":[1,null,\"x\"]} | {\"a\":[1,null,\"x\"]}",
                "{a: &x [1], b: *x} | {\"a\":[1],\"b\":[1]}",
                "{a: &x k, *x : v} | {\"a\":\"k\",\"k\":\"v\"}",
                "{a: &x {p: 1, q: 2}, b: {<<: *x, q: 3}} | {\"a\":{\"p\":1,\"q\":2},\"b\":{\"p\":1,\"q\":3}}",
                "{a: {<<: [{p: 1}, {p: 2, q: 2}]}} | {\"a\":{\"p\":1,\"q\":2}}",
                "{'<<': 1} | {\"<<\":1}",
            })
    void readsCollections(String yaml, String json) {
        assertThat(json(yaml)).isEqualTo(json);
    }

    @Test
    void readsBlocks() {
        assertThat(json("a: |\n  x\n  y\nb: >-\n  x\n  y\nc:\n- d\n-   - e\n# comment\nf: \"\\u00e9\\n\"\n"))
                .isEqualTo("{\"a\":\"x\\ny\\n\",\"b\":\"x y\",\"c\":[\"d\",[\"e\"]],\"f\":\"é\\n\"}");
        assertThat(json("%YAML 1.1\n---\na: 1\n...\n")).isEqualTo("{\"a\":1}");
        assertThat(json("")).isEqualTo("null");
        assertThat(json("# nothing\n")).isEqualTo("null");
    }

    @Test
    void readsJsonIndentedWithTabs() {
        assertThat(json("{\n\t\"a\":\t[\n\t\t1.0,\r\n\t\t\"x\\ty\"\n\t]\t\n}\n\t\n"))
                .isEqualTo("{\"a\":[1,\"x\\ty\"]}");
        assertThat(json("\t{\"a\":1}")).isEqualTo("{\"a\":1}");
    }

    @Test
    void ofSeveralDocumentsABodyIsTheFirst() {
        String text = "a: 1\n---\nb: 2\n---\n---\n# nothing\n---\n- c\n";
        assertThat(json(text)).isEqualTo("{\"a\":1}");
        assertThat(Json.text(Yaml.parseAll(text.getBytes(UTF_8), JsonLimits.DEFAULT)))
                .isEqualTo("[{\"a\":1},{\"b\":2},[\"c\"]]");
        assertThat(Yaml.parseAll(new byte[0], JsonLimits.DEFAULT)).isEmpty();
        assertThat(json("a: 1\n---\n]broken")).isEqualTo("{\"a\":1}");
    }

    @Test
    void reportsDuplicatesAndKeepsTheLast() {
        List<String> duplicates = new ArrayList<>();
        String text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: fv7\ndata:\n  a: \"1\"\n  a: \"2\"\n"
                + "1: x\n1: z\ndata:\n  b: c\n";
        Object tree = Yaml.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT, duplicates::add);
        assertThat(Json.text(tree))
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"fv7\"},"
                        + "\"data\":{\"b\":\"c\"},\"1\":\"z\"}");
        assertThat(duplicates)
                .containsExactly(
                        "line 7: key \"a\" already set in map",
                        "line 9: key 1 already set in map",
                        "line 11: key \"data\" already set in map");
    }

    /** The first two recorded from kube-apiserver 1.36.2. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a: b: c\\n\\t- x | yaml: mapping values are not allowed in this context",
                "a: [ | yaml: line 1: did not find expected node content",
                "x: 1\\na: [ | yaml: line 2: did not find expected node content",
                "a 1\\na: 2 | yaml: line 2: mapping values are not allowed in this context",
                "a: 1\\na: *\\n | yaml: line 2: did not find expected alphabetic or numeric character",
                "a: 1\\nb\\n  c: 1\\n | yaml: line 3: could not find expected ':'",
                "a:\\n\\tb: 1 | yaml: line 2: found character that cannot start any token",
                "a: 1\\n\\tb: 1 | yaml: line 2: found a tab character that violates indentation",
                "a: >\\n\\tb | yaml: line 2: found a tab character where an indentation space is expected",
                "a: .inf\\nb: 1: 2 | yaml: line 2: mapping values are not allowed in this context",
                "a: *x | yaml: unknown anchor 'x' referenced",
                "a: &x [*x] | yaml: anchor 'x' value contains itself",
                "&x {a: {b: *x}} | yaml: anchor 'x' value contains itself",
                "{[a]: b} | yaml: invalid map key: only scalars can be keys",
                "{? {a: b} : c} | yaml: invalid map key: only scalars can be keys",
                "{null: a} | unsupported map key of type: %!s(<nil>), key: <nil>",
                "!!int x | yaml: cannot decode !!str `x` as a !!int",
                "!!binary x | yaml: !!binary value contains invalid base64 data",
                ".inf | json: unsupported value: +Inf",
                "[-.Inf] | json: unsupported value: -Inf",
                ".NaN | json: unsupported value: NaN",
                "{<<: 1} | yaml: map merge requires map or sequence of maps as the value",
                "a: 'b | yaml: found unexpected end of stream",
                "a: @b | yaml: found character that cannot start any token",
                "[a, b | yaml: line 1: did not find expected ',' or ']'",
                "a: \\u0001 | yaml: control characters are not allowed",
            })
    void refusesInvalidYaml(String text, String message) {
        String yaml = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\u0001", "\u0001");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse(yaml))
                .withMessage(message);
    }

    @Test
    void invalidEscapesAreRefused() {
        for (String text : List.of("{\"a\":\"\\u", "{\"a\":\"\\U", "\"\\x", "\"\\Uffffffff\"", "\"\\U00ffffff\"")) {
            assertThatExceptionOfType(JsonException.class)
                    .as(text)
                    .isThrownBy(() -> parse(text))
                    .withMessageStartingWith("yaml: ");
        }
    }

    @Test
    void limitsAreKept() {
        for (String open : List.of("[", "{a: ", "- ", "? ")) {
            assertThatExceptionOfType(JsonException.class).isThrownBy(() -> parse(open.repeat(20_000)));
        }
        assertThat(parse("[".repeat(500) + "]".repeat(500))).isNotNull();
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("[".repeat(501) + "]".repeat(501)))
                .withMessage("exceeded max depth");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("a: " + "1".repeat(1001)))
                .withMessage("number is longer than 1000 characters");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Yaml.parse(new byte[] {(byte) 0xff}, JsonLimits.DEFAULT))
                .withMessage("yaml: invalid UTF-8");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> Yaml.parse(new byte[21], new JsonLimits(20, 10, 5, 10, 1)))
                .withMessage("document of 21 bytes exceeds the limit of 20");
    }

    @Test
    void aliasesCannotExplode() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 17; i++) {
            bomb.append("a%d: &a%d [*a%d,*a%d,*a%d]\n".formatted(i, i, i - 1, i - 1, i - 1));
        }
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse(bomb.toString()))
                .withMessage("yaml: document contains excessive aliasing");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("a: &a []\nb: [" + "*a,".repeat(51) + "]"))
                .withMessage("yaml: document contains excessive aliasing");
        assertThat(parse("a: &a []\nb: [" + "*a,".repeat(50) + "]")).isNotNull();
        String text = "a: &a " + "x".repeat(1_000_000) + "\nb: [*a,*a,*a,*a]";
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> parse(text));
        StringBuilder deep = new StringBuilder("a0: &a0 " + "[".repeat(100) + "]".repeat(100) + "\n");
        for (int i = 1; i < 6; i++) {
            deep.append("a%d: &a%d %s*a%d%s\n".formatted(i, i, "[".repeat(100), i - 1, "]".repeat(100)));
        }
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse(deep.toString()))
                .withMessage("exceeded max depth");
    }

    @Test
    void nothingIsReadBelowTheDeepestLevel() {
        String end = "[".repeat(3_000) + "@";
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse(end))
                .withMessage("exceeded max depth");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("[{[a]: b}, " + end))
                .withMessage("yaml: invalid map key: only scalars can be keys");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> parse("[{[a]: b}, @"))
                .withMessage("yaml: found character that cannot start any token");
    }

    @Test
    void aliasedPartsAreNotShared() {
        JsonObject tree = Json.asObject(parse("{a: &x {p: [1]}, b: *x}"));
        tree.array("a", "p").add(2L);
        assertThat(Json.text(tree)).isEqualTo("{\"a\":{\"p\":[1,2]},\"b\":{\"p\":[1]}}");
    }

    @Test
    void hostileTextsCostLinearTime() {
        // these are quadratic in naive readers; the test is that it ends
        for (String text : List.of(
                "&a ".repeat(50_000),
                "[".repeat(100_000),
                "[[{}: a], " + "[".repeat(100_000),
                "a: b\n".repeat(100_000),
                "{".repeat(499) + "a,".repeat(100_000),
                "\"" + "\\n".repeat(500_000),
                "# " + "x".repeat(1_000_000) + "\na",
                "a: " + "0".repeat(900) + "x",
                "[" + "!!str a,".repeat(50_000) + "]")) {
            try {
                parse(text);
            } catch (JsonException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: \"1\"\n",
                "\"n\": \"yes\"\n",
                ".: {}\n",
                "a: []\nb:\n- c: d\n  e: f\n- - g\n",
                "a: |\n  x\n  y\n",
                "a: |-\n  x\n  y\n",
                "a: |+\n  x\n\n",
                "a: '- x'\n",
                "a: 'x: y'\n",
                "a: 'x #y'\n",
                "a: ' x'\n",
                "a: '''x'\n",
                "a: \"\\a\"\n",
                "a: \"\"\n",
                "a: null\n",
                "a: \"null\"\n",
                "a: 1.5\nb: 1e+21\nc: -3\nd: true\n",
                "a: \"1_000\"\nb: \"0x1\"\nc: \"1:30\"\nd: \"2001-01-01\"\ne: \"2001-01-01T00:00:00Z\"\nf: 2001-13-01\n",
                "a: <<\n",
                "a: é 漢 😀\n",
                "a: \"=\"\n",
                "null\n",
                "text\n",
                "[]\n",
                "{}\n",
                "- 1\n- 2\n",
            })
    void writingPreservesValues(String text) {
        Object tree = parse(text);
        String written = Yaml.text(tree);
        assertThat(parse(written)).isEqualTo(tree);
        if (!text.contains("\"=\"") && !text.contains("<<")) {
            assertThat(written).isEqualTo(text);
        }
    }

    @Test
    void keysAreSorted() {
        assertThat(Yaml.text(parse("{b: 1, a10: 2, a2: 3, B: 4}"))).isEqualTo("B: 4\na2: 3\na10: 2\nb: 1\n");
    }

    @Test
    void anyTreeCanBeWrittenAndRead() {
        long seed = 23;
        Random random = new Random(seed);
        String characters = "ab 01-:#'\"\n\r\t,[]{}&*!|>%@`~.?\\\u0001\u0085\u2028é漢\ufeff";
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(characters.charAt(random.nextInt(characters.length())));
            }
            if (random.nextInt(8) == 0) {
                text.append("word ".repeat(random.nextInt(40)));
            }
            Object tree = JsonObject.of("k", List.of(text.toString()), text.toString(), "v");
            String yaml = Yaml.text(tree);
            boolean same;
            try {
                same = Objects.equals(parse(yaml), tree);
            } catch (JsonException e) {
                same = false;
            }
            if (!same) {
                fail("seed " + seed + ", round " + round + ": " + Json.text(tree) + "\n" + yaml);
            }
        }
    }

    @Test
    void anyBytesAreReadOrRefused() {
        long seed = 29;
        Random random = new Random(seed);
        byte[] text = ("%YAML 1.1\n---\na: &x {b: [1, 'c', \"d\\n\"], <<: {e: f}}\ng: *x\n? h\n: |+\n  i\n\n"
                        + "j: >-\n  k\n  l\n# m\n- n\n...\n---\n!!int 5\n")
                .getBytes(UTF_8);
        byte[] interesting = "{}[]:,-?&*!|>'\"%@`#~<. \n\t\\0x1eyn".getBytes(UTF_8);
        for (int round = 0; round < 10_000; round++) {
            byte[] mutated = text.clone();
            for (int changes = 1 + random.nextInt(5); changes > 0; changes--) {
                mutated[random.nextInt(text.length)] = random.nextInt(10) == 0
                        ? (byte) random.nextInt(256)
                        : interesting[random.nextInt(interesting.length)];
            }
            try {
                Yaml.parseAll(mutated, JsonLimits.DEFAULT);
            } catch (JsonException e) {
                continue;
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed " + seed + ", round " + round + ": " + new String(mutated, UTF_8), e);
            }
        }
    }

    /** Answers of kube-apiserver 1.36.2 to {@code Accept: application/yaml} are unchanged after reading and writing. */
    @Test
    void writesLikeUpstream() {
        int compared = 0;
        for (String file : List.of("crud", "list-get")) {
            for (String line : Recordings.lines(file)) {
                Object record = Json.parse(line.getBytes(UTF_8), JsonLimits.DEFAULT);
                if (Json.string(record, "headers", "Content-Type").startsWith("application/yaml")) {
                    String recorded = Json.string(record, "bodyText");
                    // times were replaced in quotes that they needed and their stand-in does not
                    assertThat(Yaml.text(parse(recorded)).replaceAll("\"?<(time|rv)>\"?", "\"<$1>\""))
                            .as(Json.string(record, "id"))
                            .isEqualTo(recorded.replaceAll("\"?<(time|rv)>\"?", "\"<$1>\""));
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(1);
    }

    @Test
    void readsTheCorpus() throws IOException {
        int read = 0;
        try (Stream<Path> files = Files.walk(SharedData.of("crds"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
                List<Object> documents = Yaml.parseAll(Files.readAllBytes(file), JsonLimits.DEFAULT);
                assertThat(documents).as(file.toString()).isNotEmpty();
                for (Object document : documents) {
                    Object again = parse(Yaml.text(document));
                    assertThat(Objects.equals(again, document))
                            .as(file.toString())
                            .isTrue();
                    read++;
                }
            }
        }
        assertThat(read).isGreaterThan(50);
    }
}
