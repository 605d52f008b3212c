package dev.evenkeel.testing.diff;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class YamlTextTest {
    private static String yaml(Object tree) {
        return String.join("\n", YamlText.lines(tree)) + "\n";
    }

    private static Object json(String text) {
        return Json.asObject(Json.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT));
    }

    @Test
    void writesTheCustomaryOrder() {
        assertThat(yaml(json("""
                        {"status":{"b":1,"a":[]},"spec":{"list":[{"image":"i","name":"n","env":[["x"],{}]},"s"]},
                         "data":{"kind":"k","a":"1"},"metadata":{"name":"m"},"kind":"K","apiVersion":"v1"}"""))).isEqualTo("""
                        apiVersion: v1
                        kind: K
                        metadata:
                          name: m
                        data:
                          a: "1"
                          kind: k
                        spec:
                          list:
                            - name: "n"
                              env:
                                - - x
                                - {}
                              image: i
                            - s
                        status:
                          a: []
                          b: 1
                        """);
    }

    @Test
    void severalLinesStayLines() {
        assertThat(yaml(JsonObject.of("a", List.of(JsonObject.of("script", "one\n  two\n", "name", "x")))))
                .isEqualTo("""
                a:
                  - name: x
                    script: |
                      one
                        two
                """);
    }

    @Test
    void writtenTextIsReadTheSame() {
        long seed = System.nanoTime();
        System.out.println("YamlTextTest seed " + seed);
        RandomTrees trees = new RandomTrees(seed);
        LoadSettings settings =
                LoadSettings.builder().setAllowDuplicateKeys(false).build();
        for (int i = 0; i < 3_000; i++) {
            Map<String, ?> tree = trees.object(4);
            String expected = Json.text(Json.sorted(tree));
            String text = yaml(tree);
            assertThat(Json.text(Json.sorted(Yaml.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT))))
                    .as("seed %d, read as YAML 1.1:%n%s", seed, text)
                    .isEqualTo(expected);
            assertThat(Json.text(Json.sorted(new Load(settings).loadFromString(text))))
                    .as("seed %d, read as YAML 1.2:%n%s", seed, text)
                    .isEqualTo(expected);
        }
    }
}
