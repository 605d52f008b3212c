package dev.evenkeel.engine.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StrictOrderTest {
    private static List<String> sorted(String json, String... problems) {
        return StrictOrder.sort(json.replace('\'', '"').getBytes(UTF_8), List.of(problems));
    }

    @Test
    void anUnknownFieldIsMetAtItsFirstKeyAndADuplicateAtItsSecond() {
        String json = "{'a':1,'u':2,'l':[{'x':1},{'y':1,'y':2,'v':1}],'a':3,'u':4}";
        assertThat(sorted(
                        json,
                        "duplicate field \"a\"",
                        "duplicate field \"l[1].y\"",
                        "unknown field \"l[1].v\"",
                        "unknown field \"u\"",
                        "unknown field \"u\""))
                .containsExactly(
                        "unknown field \"u\"",
                        "duplicate field \"l[1].y\"",
                        "unknown field \"l[1].v\"",
                        "duplicate field \"a\"");
    }

    @Test
    void otherProblemsComeLast() {
        assertThat(sorted("{'a':1}", "line 1: x", "unknown field \"a\""))
                .containsExactly("unknown field \"a\"", "line 1: x");
    }

    @Test
    void deepDocumentsAreNotFollowed() {
        String deep = "{'a':".repeat(9_000) + "1" + "}".repeat(9_000);
        assertThat(sorted("{'x':" + deep + ",'u':1}", "unknown field \"u\"")).containsExactly("unknown field \"u\"");
    }

    @Test
    @Timeout(20)
    void pathsOfLongKeysCostLittle() {
        String key = "k".repeat(40_000);
        String fields =
                IntStream.range(0, 60_000).mapToObj(i -> "'" + i + "':0").collect(Collectors.joining(","));
        String json = ("{'" + key + "':").repeat(20) + "{" + fields + "}" + "}".repeat(20);
        String problem = "unknown field \"" + (key + ".").repeat(20) + "59999\"";
        assertThat(sorted(json, problem)).containsExactly(problem);
    }
}
