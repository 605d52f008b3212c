package dev.evenkeel.testing.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.testing.diff.FieldPath.Any;
import dev.evenkeel.testing.diff.FieldPath.Append;
import dev.evenkeel.testing.diff.FieldPath.Deep;
import dev.evenkeel.testing.diff.FieldPath.Entry;
import dev.evenkeel.testing.diff.FieldPath.Field;
import dev.evenkeel.testing.diff.FieldPath.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldPathTest {
    @Test
    void readsEveryStep() {
        assertThat(FieldPath.parse("a.b-c[0][x=y].*[*].**[+][+n=1][a.b/c]['=']").steps())
                .containsExactly(
                        new Field("a"),
                        new Field("b-c"),
                        new Index(0),
                        new Entry(JsonObject.of("x", "y")),
                        new Any(),
                        new Any(),
                        new Deep(),
                        new Append(new JsonObject()),
                        new Append(JsonObject.of("n", 1L)),
                        new Field("a.b/c"),
                        new Field("="));
    }

    @Test
    void numbersAndBooleansOfKeysAreSuchWithoutQuotes() {
        Map<String, Object> key = new JsonObject();
        key.put("port", 80L);
        key.put("name", "80");
        key.put("on", true);
        key.put("text", "it's");

        FieldPath path = FieldPath.parse("ports[port=80,name=\"80\",on=true,text='it\\'s']");

        assertThat(path.steps()).containsExactly(new Field("ports"), new Entry(key));
        assertThat(path).hasToString("ports[port=80,name='80',on=true,text='it\\'s']");
    }

    @Test
    void theTextOfAPathIsReadAsThatPath() {
        long seed = System.nanoTime();
        System.out.println("FieldPathTest seed " + seed);
        Random random = new Random(seed);
        RandomTrees trees = new RandomTrees(seed);
        for (int i = 0; i < 5_000; i++) {
            List<FieldPath.Step> steps = new ArrayList<>();
            for (int n = random.nextInt(5); n >= 0; n--) {
                Object value = switch (random.nextInt(3)) {
                    case 0 -> random.nextBoolean();
                    case 1 -> (long) random.nextInt();
                    default -> trees.text();
                };
                String name = trees.text() + "x";
                steps.add(
                        switch (random.nextInt(6)) {
                            case 0 -> new Index(random.nextInt(100));
                            case 1 -> new Entry(JsonObject.of(name, value));
                            case 2 -> new Append(random.nextBoolean() ? new JsonObject() : JsonObject.of(name, value));
                            case 3 -> new Any();
                            case 4 -> new Deep();
                            default -> new Field(name);
                        });
            }
            FieldPath path = new FieldPath(steps);
            assertThat(FieldPath.parse(path.toString()))
                    .as("seed %d: %s", seed, path)
                    .isEqualTo(path);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a..b | position 2 there should be the name of a field",
                "a. | position 2 there should be the name of a field",
                ".a | position 0 there should be the name of a field",
                "a[b | position 3 there should be ']'",
                "a[] | position 2 there should be the name of a field, an index, or +",
                "a['b] | position 5 there should be the closing '",
                "a[-1] | position 4 there should be an index from 0",
                "a[0]b | position 4 there should be '.'",
                "a[+b] | position 4 there should be '='",
            })
    void reportsProblemAndPosition(String text, String message) {
        assertThatThrownBy(() -> FieldPath.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is not a path")
                .hasMessageContaining(message);
    }

    @Test
    void anEntryIsKnownByTextsOfItsKey() {
        assertThat(new Entry(JsonObject.of("port", "80")).matches(Map.of("port", 80L)))
                .isTrue();
        assertThat(new Entry(JsonObject.of("protocol", "TCP")).matches(Map.of("port", 80L)))
                .isTrue();
        assertThat(new Entry(JsonObject.of("name", "a")).matches(Map.of("name", "b")))
                .isFalse();
        assertThat(new Entry(JsonObject.of("name", "a")).matches("a")).isFalse();
    }
}
