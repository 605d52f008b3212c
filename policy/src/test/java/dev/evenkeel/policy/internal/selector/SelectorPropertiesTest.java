package dev.evenkeel.policy.internal.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Laws of random selectors, each against a predicate that is built with it. */
class SelectorPropertiesTest {
    private static final int SELECTORS = Integer.getInteger("selectors.count", 5_000);
    private static final List<String> KEYS = List.of("a", "in", "has", "not", "x.y/z-1_2");
    private static final List<String> VALUES = List.of("", "a", "ab", "b", "it's", "a\"b", "all()");

    /** A text of a selector, with what it should mean. */
    private record Generated(String text, Predicate<Map<String, String>> meaning) {}

    private final long seed = Long.getLong("selectors.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void canonicalTextParsesToTheSameSelectorAndEvaluationAgrees() {
        for (int i = 0; i < SELECTORS; i++) {
            Generated generated = or(3);
            Selector selector = Selector.parse(generated.text());
            Selector again = Selector.parse(selector.text());
            assertThat(again.text()).as("seed %d: %s", seed, generated.text()).isEqualTo(selector.text());
            assertThat(again).isEqualTo(selector);
            for (int j = 0; j < 5; j++) {
                Map<String, String> labels = labels();
                boolean expected = generated.meaning().test(labels);
                assertThat(List.of(selector.matches(labels), again.matches(labels)))
                        .as("seed %d: %s with %s", seed, generated.text(), labels)
                        .containsOnly(expected);
                assertThat(selector.negate().matches(labels)).isEqualTo(!expected);
                assertThat(Selector.parse(selector.negate().text())).isEqualTo(selector.negate());
            }
        }
    }

    @Test
    void whatIsRequiredAndMentionedIsNecessary() {
        int restricted = 0;
        for (int i = 0; i < SELECTORS; i++) {
            Selector selector = Selector.parse(or(2).text());
            restricted += selector.required().isEmpty() ? 0 : 1;
            assertThat(selector.names()).containsAll(selector.required().keySet());
            for (int j = 0; j < 10; j++) {
                Map<String, String> labels = labels();
                String where = "seed %d: %s with %s".formatted(seed, selector, labels);
                boolean meetsAll = selector.required().entrySet().stream()
                        .allMatch(required -> labels.containsKey(required.getKey())
                                && (required.getValue().isEmpty()
                                        || required.getValue().contains(labels.get(required.getKey()))));
                boolean matches = selector.matches(labels);
                assertThat(!matches || meetsAll).as(where).isTrue();
                labels.keySet().retainAll(selector.names());
                assertThat(selector.matches(labels)).as(where).isEqualTo(matches);
            }
        }
        assertThat(restricted).isGreaterThan(SELECTORS / 4);
    }

    @Test
    void requirementsOfSelectors() {
        assertThat(required("a == 'x' && has(b)")).isEqualTo(Map.of("a", Set.of("x"), "b", Set.of()));
        assertThat(required("a in {'x', 'y'} && a == 'x'")).isEqualTo(Map.of("a", Set.of("x")));
        assertThat(required("a == 'x' || a == 'y' && b == 'z'")).isEqualTo(Map.of("a", Set.of("x", "y")));
        assertThat(required("a == 'x' || has(a)")).isEqualTo(Map.of("a", Set.of()));
        assertThat(required("!(a != 'x' || !has(b))")).isEqualTo(Map.of("a", Set.of("x"), "b", Set.of()));
        assertThat(required("!(a == 'x') && b not in {'y'} && !has(c)")).isEmpty();
        assertThat(required("all() || a == 'x'")).isEmpty();
        assertThat(required("a in {}")).isEmpty();
    }

    private static Map<String, Set<String>> required(String selector) {
        return Selector.parse(selector).required();
    }

    private Generated or(int depth) {
        Generated result = and(depth);
        while (random.nextInt(4) == 0) {
            Generated next = and(depth);
            result = new Generated(
                    result.text() + blank() + "||" + blank() + next.text(),
                    result.meaning().or(next.meaning()));
        }
        return result;
    }

    private Generated and(int depth) {
        Generated result = unary(depth);
        while (random.nextInt(3) == 0) {
            Generated next = unary(depth);
            result = new Generated(
                    result.text() + blank() + "&&" + blank() + next.text(),
                    result.meaning().and(next.meaning()));
        }
        return result;
    }

    private Generated unary(int depth) {
        Generated result = primary(depth);
        while (random.nextInt(4) == 0) {
            result = new Generated(
                    "!" + blank() + result.text(), result.meaning().negate());
        }
        return result;
    }

    private Generated primary(int depth) {
        if (depth > 0 && random.nextInt(3) == 0) {
            Generated inner = or(depth - 1);
            return new Generated("(" + blank() + inner.text() + blank() + ")", inner.meaning());
        }
        String key = one(KEYS);
        String value = one(VALUES);
        String other = one(VALUES);
        return switch (random.nextInt(9)) {
            case 0 -> new Generated("all(" + blank() + ")", labels -> true);
            case 1 -> new Generated("has(" + blank() + key + blank() + ")", labels -> labels.containsKey(key));
            case 2 ->
                new Generated(key + blank() + "==" + blank() + quoted(value), labels -> value.equals(labels.get(key)));
            case 3 ->
                new Generated(key + blank() + "!=" + blank() + quoted(value), labels -> !value.equals(labels.get(key)));
            case 4 ->
                new Generated(
                        key + " contains" + blank() + quoted(value),
                        labels -> labels.containsKey(key) && labels.get(key).contains(value));
            case 5 ->
                new Generated(
                        key + " starts" + blank() + "with" + blank() + quoted(value),
                        labels -> labels.containsKey(key) && labels.get(key).startsWith(value));
            case 6 ->
                new Generated(
                        key + " ends" + blank() + "with" + blank() + quoted(value),
                        labels -> labels.containsKey(key) && labels.get(key).endsWith(value));
            case 7 ->
                new Generated(
                        key + " in" + blank() + "{" + quoted(value) + blank() + "," + quoted(other) + "}",
                        labels ->
                                labels.containsKey(key) && List.of(value, other).contains(labels.get(key)));
            default ->
                new Generated(
                        key + " not" + blank() + "in {" + quoted(value) + ",}",
                        labels -> !labels.containsKey(key) || !labels.get(key).equals(value));
        };
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new HashMap<>();
        for (String key : KEYS) {
            if (random.nextInt(3) > 0) {
                labels.put(key, one(VALUES));
            }
        }
        return labels;
    }

    private String quoted(String value) {
        boolean single = value.contains("\"") || (!value.contains("'") && random.nextBoolean());
        return single ? "'" + value + "'" : "\"" + value + "\"";
    }

    private String blank() {
        return one(List.of("", "", " ", "\t "));
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
