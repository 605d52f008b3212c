package dev.evenkeel.engine.internal.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Re2Test {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "((((a{30}){30}){30}){30}){30}",
                "(a{101}){10}",
                "(a{2,}){501}",
                "(?:(?:a{0,10}b){0,10}c){0,11}",
                "([a-z{9}]{10}|b){101}",
                "(\\p{L}{40}){30}",
                "a{1001}",
                "a{99999999999}"
            })
    void nestedRepetitionsMakeAtMost1000Copies(String expression) {
        assertEquals("invalid repeat count", problem(expression));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{10}){10}){10}",
                "(a{1000}){1}",
                "(a{1000}b{1000}){0,1}",
                "((a{100}){0}){1000}",
                "[a{2000}]{1000}",
                "[]a{2000}]{1000}",
                "[[:alpha:]{2000}]",
                "\\Q(a{2000}\\E{1000}",
                "\\(a{1000}",
                "a{2000",
                "a{,2000}",
                "a{02000}",
                "{2000x}",
                "^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\.){0,9}[a-z]{2,63}$",
                ""
            })
    void othersAreCompiled(String expression) {
        assertEquals(
                Pattern.compile(expression).programSize() > 0,
                Re2.compile(expression).programSize() > 0);
    }

    @Test
    void nestingIsBounded() {
        assertEquals("expression nests too deeply", problem("(".repeat(10_000) + "a" + ")".repeat(10_000)));
        assertEquals("expression nests too deeply", problem("(?:".repeat(700) + "a" + "*)".repeat(700)));
        String deep = "(?:a|".repeat(990) + "a" + "b)".repeat(990);
        assertTrue(Re2.compile(deep).matcher("a").find());
    }

    @Test
    void programsAreBounded() {
        assertEquals("expression too large", problem("a{1000}".repeat(101)));
        assertEquals("expression too large", problem("(a{1000})|".repeat(101)));
        assertEquals("expression too large", problem("[^a]".repeat(100_001)));
        assertEquals("expression too large", problem("\\pL".repeat(1_001)));
        assertEquals("expression too large", problem("[\\p{Greek}]".repeat(1_001)));
        assertEquals("expression too large", problem("(".repeat(900) + "a{900}".repeat(900)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a{1000}",
                "(a?b){10,100}",
                "(a|bc*){50}[a-z]{20,}",
                "\\Qabc\\E+",
                "([^a]{7}x{0,3}){30}",
                "abcdef"
            })
    void sizesAreThoseOfPrograms(String expression) {
        int size = Pattern.compile(expression).programSize();
        int estimate = Re2.size(expression);
        assertTrue(estimate > size * 0.7 && estimate < size * 1.5, estimate + " instead of " + size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a", "a)", "a**", "[a", "*", "\\", "\\p{No}", "(?<a", "[z-a]", "\\Q", "(?i", "a{2}{3}"})
    void malformedExpressionsAreReportedByTheCompiler(String expression) {
        String expected = "";
        try {
            Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            expected = e.getMessage();
        }
        String actual = "";
        try {
            Re2.compile(expression);
        } catch (PatternSyntaxException e) {
            actual = e.getMessage();
        }
        assertEquals(expected, actual);
    }

    @Test
    void expressionsAreKeptByTheirSize() {
        Re2.Cache cache = new Re2.Cache(100);
        cache.put("a", Pattern.compile("a"), 30);
        cache.put("b", Pattern.compile("b"), 30);
        cache.get("a");
        cache.put("c", Pattern.compile("c"), 60);
        assertNull(cache.get("b"));
        assertTrue(cache.get("a") != null && cache.get("c") != null && cache.size() <= 100);
        cache.put("d", Pattern.compile("d"), 200);
        assertEquals(0, cache.size());
    }

    private static String problem(String expression) {
        return assertThrows(PatternSyntaxException.class, () -> Re2.compile(expression))
                .getDescription();
    }
}
