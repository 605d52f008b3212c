package dev.evenkeel.check.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Specifications, and the rules in them. */
class CheckScriptTest {
    private static final CheckScript NONE = CheckScript.deletionOf(List.of());
    private static final Map<String, Map<String, String>> OBJECTS = Map.of(
            "configmaps default/a", Map.of("data.x", "1", "data.y", "2"),
            "secrets default/a", Map.of("data.x", "1", "spec.rules[a].port", "1"));

    @Test
    void stepsAreReadInTheirOrder() {
        CheckScript script = CheckScript.parse("""
                steps:
                - apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: "1"}}
                - - merge: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: "2"}}
                  - delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
                """, NONE);

        assertThat(script.steps()).hasSize(2);
        assertThat(script.steps().getFirst()).hasExactlyElementsOfTypes(UserAction.Apply.class);
        assertThat(script.steps().getLast()).hasExactlyElementsOfTypes(UserAction.Merge.class, UserAction.Delete.class);
    }

    private static Map<String, Object> object(String kind, String name) {
        return Map.of("apiVersion", "example.com/v1", "kind", kind, "metadata", Map.of("name", name));
    }

    @Test
    void ofSeveralObjectsOfAKindOneIsDeletedFirst() {
        Map<String, Object> news = object("Board", "news");
        Map<String, Object> menu = object("Board", "menu");
        Map<String, Object> page = object("Page", "home");

        assertThat(CheckScript.deletionOf(List.of(news, page, menu)).steps())
                .containsExactly(
                        List.of(new UserAction.Delete(news)),
                        List.of(new UserAction.Delete(menu), new UserAction.Delete(page)));
        assertThat(CheckScript.deletionOf(List.of(news, page)).steps())
                .containsExactly(List.of(new UserAction.Delete(news), new UserAction.Delete(page)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stepz: [] | stepz: unknown field",
                "steps: [{patch: {}}] | steps[0].patch: unknown field",
                "steps: [{delete: {kind: A}}] | steps[0].delete.apiVersion: is missing",
                "always: [{resource: pods, rule: 'object.a +'}] | is not valid",
                "ignore: ['a b c d'] | not a rule",
                "steps: [ | not YAML"
            })
    void mistakesAreNamed(String yaml, String message) {
        assertThatThrownBy(() -> CheckScript.parse(yaml, NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "configmaps data.x | {configmaps default/a={data.y=2}, secrets default/a={data.x=1, spec.rules[a].port=1}}",
                "configmaps | {secrets default/a={data.x=1, spec.rules[a].port=1}}",
                "* data | {configmaps default/a={}, secrets default/a={spec.rules[a].port=1}}",
                "secrets default/a spec.rules.port | {configmaps default/a={data.x=1, data.y=2}, secrets default/a={data.x=1}}",
                "secrets default/b | {configmaps default/a={data.x=1, data.y=2}, secrets default/a={data.x=1, spec.rules[a].port=1}}"
            })
    void rulesIgnoreFieldsAndObjects(String rule, String left) {
        Map<String, Map<String, String>> compared = NONE.ignoring(rule).compared(OBJECTS);

        assertThat(sorted(compared)).hasToString(left);
    }

    private static Map<String, Map<String, String>> sorted(Map<String, Map<String, String>> objects) {
        Map<String, Map<String, String>> sorted = new java.util.TreeMap<>();
        objects.forEach((name, fields) -> sorted.put(name, new java.util.TreeMap<>(fields)));
        return sorted;
    }

    @Test
    void anInvariantExplainsWhichObjectDoesNotKeepIt() {
        CheckScript script = CheckScript.parse(
                "always: [{resource: configmaps, rule: \"size(object.data) < 2\", message: one entry}]", NONE);
        Invariant rule = script.always().getFirst();

        assertThat(rule.violation("{\"data\":{\"a\":\"1\"}}".getBytes())).isEmpty();
        assertThat(rule.violation("{\"data\":{\"a\":\"1\",\"b\":\"1\"}}".getBytes()))
                .hasValue("one entry");
    }
}
