package dev.evenkeel.policy.internal.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "`` ; all()",
                "`  \t` ; all()",
                "all() ; all()",
                "all( ) ; all()",
                "global() ; global()",
                "has(a) ; has(a)",
                "has( a/b.c_d-1 ) ; has(a/b.c_d-1)",
                "a=='b' ; a == \"b\"",
                "a == 'x\"y' ; a == 'x\"y'",
                "a == \"it's\" ; a == \"it's\"",
                "a != \"\" ; a != \"\"",
                "a in {'y', \"x\", 'y',} ; a in {\"x\", \"y\"}",
                "a in {} ; a in {}",
                "a in{'x'} ; a in {\"x\"}",
                "a not in {'x'} ; a not in {\"x\"}",
                "a notin {'x'} ; a not in {\"x\"}",
                "a contains 'x' ; a contains \"x\"",
                "a contains'x' ; a contains \"x\"",
                "a starts with 'x' ; a starts with \"x\"",
                "a startswith 'x' ; a starts with \"x\"",
                "a ends   with 'x' ; a ends with \"x\"",
                "in in {'in'} ; in in {\"in\"}",
                "contains contains 'x' ; contains contains \"x\"",
                "has == 'x' ; has == \"x\"",
                "not not in {'x'} ; not not in {\"x\"}",
                "((a == 'b')) ; a == \"b\"",
                "!!a == 'b' ; a == \"b\"",
                "!(!has(a)) ; has(a)",
                "!!!has(a) ; !has(a)",
                "! has(a) ; !has(a)",
                "has(a) || has(b) && has(c) ; (has(a) || (has(b) && has(c)))",
                "(has(a) || has(b)) && has(c) ; ((has(a) || has(b)) && has(c))",
                "has(a) && (has(b) && has(c)) ; (has(a) && (has(b) && has(c)))",
                "has(a)&&has(b)&&has(c) ; (has(a) && has(b) && has(c))",
                "! (a == \"b\"&&! c != \"d\") ; !(a == \"b\" && !c != \"d\")",
            })
    void canonicalText(String text, String canonical) {
        Selector selector = Selector.parse(text == null ? "" : text);
        assertThat(selector.text()).isEqualTo(canonical);
        assertThat(Selector.parse(canonical)).isEqualTo(selector).hasSameHashCodeAs(selector);
        assertThat(Selector.parse(canonical).text()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a ==",
                "a == b",
                "a == \"b",
                "a == 'b\"",
                "== \"b\"",
                "a = \"b\"",
                "a == \"b\" &&",
                "a == \"b\" & has(c)",
                "a == \"b\" has(c)",
                "(has(a)",
                "has(a))",
                "has (a)",
                "has()",
                "has(a b)",
                "all",
                "all(a)",
                "every()",
                "a in 'x'",
                "a in {'x'",
                "a in {,}",
                "a in {'x' 'y'}",
                "a inx {'x'}",
                "a starts 'x'",
                "a containsx 'x'",
                "!",
                "a\n== 'b'",
                "\n",
                "ä == 'b'",
            })
    void errorsHaveTheColumn(String text) {
        assertThatThrownBy(() -> Selector.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s)selector: .* at column \\d+ of <.*>");
    }

    @Test
    void messagesNameWhatIsExpected() {
        assertThatThrownBy(() -> Selector.parse("app = 'web'"))
                .hasMessage("selector: expected an operator after \"app\": ==, !=, in, not in, contains, starts with or"
                        + " ends with at column 5 of <app = 'web'>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                // absent, empty, "x", "xy"
                "all() ; true ; true ; true ; true",
                "global() ; true ; true ; true ; true",
                "has(a) ; false ; true ; true ; true",
                "!has(a) ; true ; false ; false ; false",
                "a == 'x' ; false ; false ; true ; false",
                "a == '' ; false ; true ; false ; false",
                "a != 'x' ; true ; true ; false ; true",
                "!a == 'x' ; true ; true ; false ; true",
                "!a != 'x' ; false ; false ; true ; false",
                "a in {'x', 'z'} ; false ; false ; true ; false",
                "a in {} ; false ; false ; false ; false",
                "a not in {'x', 'z'} ; true ; true ; false ; true",
                "a not in {} ; true ; true ; true ; true",
                "a contains 'y' ; false ; false ; false ; true",
                "a contains '' ; false ; true ; true ; true",
                "a starts with 'x' ; false ; false ; true ; true",
                "a ends with 'x' ; false ; false ; true ; false",
                "!a ends with 'x' ; true ; true ; false ; true",
                "has(a) && a != 'x' ; false ; true ; false ; true",
                "!has(a) || a == 'x' ; true ; false ; true ; false",
                "!(has(a) && a == 'x') ; true ; true ; false ; true",
            })
    void matches(String text, boolean absent, boolean empty, boolean x, boolean xy) {
        Selector selector = Selector.parse(text);
        assertThat(selector.matches(Map.of("other", "x"))).isEqualTo(absent);
        assertThat(selector.matches(Map.of("a", ""))).isEqualTo(empty);
        assertThat(selector.matches(Map.of("a", "x"))).isEqualTo(x);
        assertThat(selector.matches(Map.of("a", "xy"))).isEqualTo(xy);
    }

    @Test
    void builtSelectorsAreTheParsedOnes() {
        assertThat(Selector.and(List.of())).isEqualTo(Selector.all());
        assertThat(Selector.and(List.of(Selector.has("a")))).isEqualTo(Selector.parse("has(a)"));
        assertThat(Selector.and(List.of(
                        Selector.equal("a", "x"),
                        Selector.in("b", List.of("2", "1", "2")),
                        Selector.notIn("c", List.of("3")),
                        Selector.has("d").negate(),
                        Selector.has("e").negate().negate())))
                .isEqualTo(Selector.parse("a == 'x' && b in {'1', '2'} && c not in {'3'} && !has(d) && has(e)"));
    }

    @Test
    void aBuiltValueCannotEndItsQuotes() {
        assertThatThrownBy(() -> Selector.equal("a", "x\"' || all()"))
                .hasMessageContaining("must not have quotes of both kinds");
        assertThatThrownBy(() -> Selector.has("a) || all("))
                .hasMessageContaining("\"a) || all(\" is not a name of a label");
        Selector quoted = Selector.equal("a", "x\" || all()");
        assertThat(Selector.parse(quoted.text())).isEqualTo(quoted);
        assertThat(quoted.matches(Map.of())).isFalse();
    }

    @Test
    void rewritingTheWordAllLeavesQuotedTextAlone() {
        Selector selector = Selector.parse("a == 'all()' && (all() || !global())");
        assertThat(selector.rewrite(label -> "pcns." + label, Selector.has("n"), Selector.has("g")))
                .isEqualTo(Selector.parse("pcns.a == 'all()' && (has(n) || !has(g))"));
    }

    @Test
    void labelsHaveALongestName() {
        String longest = "x".repeat(512);
        assertThat(Selector.parse("has(" + longest + ")").matches(Map.of(longest, "")))
                .isTrue();
        assertThatThrownBy(() -> Selector.parse("has(" + longest + "x)"))
                .hasMessageContaining("at most 512 characters: 513");
    }

    @Test
    void nestingIsLimited() {
        assertThat(Selector.parse("(".repeat(200) + "has(a)" + ")".repeat(200))).isEqualTo(Selector.has("a"));
        assertThatThrownBy(() -> Selector.parse("(".repeat(100_000))).hasMessageContaining("nested more than 200");
        assertThatThrownBy(() -> Selector.parse("!(has(a) && ".repeat(51) + "has(b)" + ")".repeat(51)))
                .hasMessageContaining("nested more than 100");
    }

    @Test
    void aRunOfNegationsIsNotNesting() {
        assertThat(Selector.parse("!".repeat(100_001) + "has(a)")).isEqualTo(Selector.parse("!has(a)"));
    }
}
