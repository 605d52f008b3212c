package dev.evenkeel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainParserTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String DOCUMENT = """
            {"apiVersion": "v1", "kind":"Pod" ,"metadata":{"name":"a\\u00e4\\"\\\\\\/\\b\\f\\n\\r\\t","labels":{},"ü":"ö€😀"},
             "list": [ ] , "numbers" : [0,-0,7,-12,123456789012345678,2147483648,1.5,-0.25e3,1E-2,0.1],
             "truth": [true,false,null, {"a":{"b":[[1],[2]]}}], "lone": "\\ud83d", "pair": "\\uD83D\\ude00 x"}
            """;

    private static PlainParser plain(String json) {
        return new PlainParser(json.getBytes(UTF_8), MAPPER);
    }

    private static List<String> read(JsonParser parser) throws IOException {
        return read(parser, Integer.MAX_VALUE);
    }

    /** Returns all that a deserializer may ask for at each token, of so many tokens. */
    private static List<String> read(JsonParser parser, int tokens) throws IOException {
        List<String> seen = new ArrayList<>();
        while (seen.size() < tokens && parser.nextToken() != null) {
            JsonToken token = parser.currentToken();
            StringBuilder line = new StringBuilder();
            line.append(token).append(' ').append(parser.currentName()).append(' ');
            line.append(parser.getText())
                    .append(' ')
                    .append(parser.getValueAsString())
                    .append(' ');
            line.append(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
            line.append(parser.getParsingContext().toString().replaceAll("\\d+", ""));
            if (token.isNumeric()) {
                line.append(parser.getNumberType())
                        .append(parser.getNumberValue().getClass());
                line.append(parser.getNumberValue()).append(' ').append(parser.getDecimalValue());
                line.append(' ').append(parser.getDoubleValue()).append(parser.getNumberTypeFP());
            }
            if (token == JsonToken.VALUE_NUMBER_INT) {
                line.append(parser.getLongValue()).append(parser.getBigIntegerValue());
            }
            seen.add(GoQuote.of(line.toString()));
        }
        return seen;
    }

    @Test
    void readsAsJacksonDoes() throws IOException {
        try (JsonParser theirs = MAPPER.createParser(DOCUMENT)) {
            assertThat(read(plain(DOCUMENT))).isEqualTo(read(theirs)).hasSizeGreaterThan(50);
        }
        assertThat(MAPPER.readTree(plain(DOCUMENT)).toString())
                .isEqualTo(MAPPER.readTree(DOCUMENT).toString());
        assertThat(MAPPER.readValue(plain(DOCUMENT), Object.class)).isEqualTo(MAPPER.readValue(DOCUMENT, Object.class));
    }

    /** Changes single bytes: either the text is refused, or it is read as Jackson reads it. */
    @Test
    void readsNothingThatJacksonDoesNot() throws IOException {
        Random random = new Random(1);
        byte[] signs = "{}[]\",:\\u0e.-+ntf\n\u0001ü7 ".getBytes(UTF_8);
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] json = DOCUMENT.getBytes(UTF_8);
            for (int change = 0; change <= i % 3; change++) {
                json[random.nextInt(json.length)] = signs[random.nextInt(signs.length)];
            }
            List<String> ours;
            try {
                ours = read(new PlainParser(json, null));
            } catch (PlainParser.Refused e) {
                continue;
            }
            accepted++;
            try (JsonParser theirs = MAPPER.createParser(new String(json, UTF_8).strip())) {
                List<String> expected = read(theirs, ours.size());
                assertThat(ours).as(new String(json, UTF_8)).isEqualTo(expected);
            }
        }
        assertThat(accepted).isBetween(2_000, 18_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "[]",
                "\"a\"",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{,}",
                "{\"a\" 1}",
                "{a:1}",
                "{\"a\":[1,]}",
                "{\"a\":[1 2]}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":-}",
                "{\"a\":1.}",
                "{\"a\":.5}",
                "{\"a\":1e}",
                "{\"a\":1234567890123456789}",
                "{\"a\":tru}",
                "{\"a\":truex}",
                "{\"a\":NaN}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\\u12",
                "{\"a\":\"\\",
                "{\"a\":\"b",
                "{\"a\":\"\n\"}",
                "{\"a\":1]",
                "\uFEFF{}",
                "// c\n{}"
            })
    void refusesTheRest(String json) {
        assertThatThrownBy(() -> read(plain(json))).isInstanceOf(PlainParser.Refused.class);
    }

    @Test
    void leavesDeepAndLossyTextsToJackson() {
        assertThatThrownBy(() -> read(plain("{\"a\":" + "[".repeat(600) + "]".repeat(600) + "}")))
                .isInstanceOf(PlainParser.Refused.class);
        assertThatThrownBy(() -> at("{\"a\":2147483648}").getIntValue()).isInstanceOf(PlainParser.Refused.class);
        assertThatThrownBy(() -> at("{\"a\":1.5}").getLongValue()).isInstanceOf(PlainParser.Refused.class);
        assertThatThrownBy(() -> at("{\"a\":1e999}").getDoubleValue()).isInstanceOf(PlainParser.Refused.class);
        assertThatThrownBy(() -> at("{\"a\":\"b\"}").getLongValue()).isInstanceOf(PlainParser.Refused.class);
    }

    /** Returns a parser at the value of the first field. */
    private static PlainParser at(String json) throws IOException {
        PlainParser parser = plain(json);
        for (int i = 0; i < 3; i++) {
            assertThat(parser.nextToken()).isNotNull();
        }
        return parser;
    }

    @Test
    void skipsTextsWithoutMakingThem() throws IOException {
        PlainParser parser = at("{\"a\":{\"b\":[\"c\",{\"d\":\"e\"}]},\"f\":2}");
        parser.skipChildren();
        assertThat(parser.currentToken()).isEqualTo(JsonToken.END_OBJECT);
        assertThat(parser.nextFieldName()).isEqualTo("f");
    }
}
