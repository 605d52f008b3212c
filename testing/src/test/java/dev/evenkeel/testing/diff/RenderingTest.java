package dev.evenkeel.testing.diff;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RenderingTest {
    private static Difference diff(String expected, String observed) {
        return Difference.between(expected, observed, Normalization.exact());
    }

    @Test
    void showsBothSidesWithEnclosingLines() {
        String expected = """
                {"spec":{"a":1,"b":2,"c":3,"template":{"containers":[
                  {"name":"app","args":["1","2","3","4"],"image":"web:1"},{"name":"side","image":"s"}]}}}""";

        assertThat(Rendering.plain().context(0).text(diff(expected, expected.replace("web:1", "web:2"))))
                .isEqualTo("""
                  spec:
                  ... 3 lines unchanged
                    template:
                      containers:
                        - name: app
                  ... 5 lines unchanged
                -         image: web:1
                +         image: web:2
                  ... 2 lines unchanged
                """);
    }

    @Test
    void equalDocumentsHaveNothingToShow() {
        assertThat(Rendering.plain().text(diff("{\"a\":1}", "{\"a\":1}"))).isEmpty();
    }

    @Test
    void colourIsOptional() {
        Difference difference = diff("{\"a\":1,\"b\":1}", "{\"a\":1,\"b\":2}");

        assertThat(Rendering.plain().text(difference)).doesNotContain("\u001b");
        assertThat(Rendering.plain().colour(true).text(difference))
                .isEqualTo("  a: 1\n\u001b[31m- b: 1\u001b[0m\n\u001b[32m+ b: 2\u001b[0m\n");
    }

    @Test
    void theTerminalDecidesUnlessTheEnvironmentDoes() {
        assertThat(Rendering.forTerminal(Map.of(), true).colour()).isTrue();
        assertThat(Rendering.forTerminal(Map.of(), false).colour()).isFalse();
        assertThat(Rendering.forTerminal(Map.of("NO_COLOR", "1"), true).colour())
                .isFalse();
        assertThat(Rendering.forTerminal(Map.of("NO_COLOR", ""), true).colour()).isTrue();
        assertThat(Rendering.forTerminal(Map.of("COLOR_DIFF", ""), false).colour())
                .isTrue();
        assertThat(Rendering.forTerminal(Map.of("COLOR_DIFF", "1", "NO_COLOR", "1"), false)
                        .colour())
                .isTrue();
    }

    @Test
    void noLineIsTooWideAndNoDifferenceIsCut() {
        String text = "0123456789".repeat(7);
        String rendered = Rendering.plain()
                .width(40)
                .text(diff(
                        "{\"a\":\"" + text + "\",\"b\":\"x" + text + "\"}",
                        "{\"a\":\"" + text + "\",\"b\":\"y" + text + "🚢🚢🚢\"}"));

        assertThat(rendered.lines()).allMatch(line -> line.length() <= 40);
        assertThat(rendered.lines().filter(line -> line.startsWith("  ")))
                .hasSize(1)
                .allMatch(line -> line.endsWith("…"));
        assertThat(rendered.lines()
                        .filter(line -> line.startsWith("+ "))
                        .map(line -> line.substring(2).replace("…", ""))
                        .collect(Collectors.joining()))
                .isEqualTo("b: y" + text + "🚢🚢🚢");
        assertThatThrownBy(() -> Rendering.plain().width(3)).hasMessageContaining("at least 20 columns");
    }

    @Test
    void withoutTheLinesOfOneMarkTheOtherSideRemains() {
        long seed = System.nanoTime();
        System.out.println("RenderingTest seed " + seed);
        RandomTrees trees = new RandomTrees(seed);
        Rendering whole = new Rendering(false, 10_000, 100_000);
        for (int i = 0; i < 500; i++) {
            JsonObject left = trees.object(4);
            JsonObject right = trees.object(4);
            if (i % 2 == 0) {
                right.putAll(left);
            }
            Difference difference = diff(Json.text(left), Json.text(right));
            String text = whole.text(difference);
            if (!difference.isEmpty()) {
                assertThat(without("+", text)).as("seed %d:%n%s", seed, text).isEqualTo(yaml(Json.text(left)));
                assertThat(without("-", text)).as("seed %d:%n%s", seed, text).isEqualTo(yaml(Json.text(right)));
            }
        }
    }

    private static List<String> yaml(String json) {
        return YamlText.lines(Json.parse(json.getBytes(UTF_8), JsonLimits.DEFAULT));
    }

    private static List<String> without(String mark, String text) {
        Predicate<String> marked = line -> line.startsWith(mark);
        return text.lines()
                .filter(marked.negate())
                .map(line -> line.length() < 2 ? "" : line.substring(2))
                .toList();
    }

    @Test
    void longDocumentsAreShownInBoundedTime() {
        String one = IntStream.range(0, 5_000)
                .mapToObj(i -> "\"a" + i + "\"")
                .collect(Collectors.joining(",", "{\"l\":[", "]}"));
        String other = one.replace("\"a", "\"b");

        assertThat(Rendering.plain().text(diff(one, other)).lines()).hasSize(10_001);
        assertThat(Rendering.plain()
                        .text(diff(one, one.replace("\"a77\"", "\"x\"")))
                        .lines())
                .hasSize(9);
    }
}
