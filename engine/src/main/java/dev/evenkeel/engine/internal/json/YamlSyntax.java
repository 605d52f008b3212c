package dev.evenkeel.engine.internal.json;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.ScannerException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Describes the syntax error of a text that is not YAML, in the words of goyaml, which clients see from kube-apiserver.
 */
final class YamlSyntax {
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("mapping values are not allowed here", "mapping values are not allowed in this context"),
            Map.entry("mapping keys are not allowed here", "mapping keys are not allowed in this context"),
            Map.entry(
                    "sequence entries are not allowed here", "block sequence entries are not allowed in this context"),
            Map.entry("unexpected character found", "did not find expected alphabetic or numeric character"),
            Map.entry("found unexpected document separator", "found unexpected document indicator"),
            Map.entry("expected chomping or indentation", "did not find expected comment or line break"),
            Map.entry("expected a comment or a line break", "did not find expected comment or line break"),
            Map.entry("expected the node content, but found", "did not find expected node content"),
            Map.entry("expected <block end>, but found", "did not find expected key"),
            Map.entry("expected '<document start>', but found", "did not find expected <document start>"),
            Map.entry("expected ',' or ']', but got", "did not find expected ',' or ']'"),
            Map.entry("expected ',' or '}', but got", "did not find expected ',' or '}'"),
            Map.entry("that cannot start any token", "found character that cannot start any token"));

    /** The end of a line that opens a block of text. */
    private static final Pattern BLOCK_SCALAR = Pattern.compile("[|>][-+0-9]*$");

    private YamlSyntax() {}

    static JsonException error(YamlEngineException error) {
        if (error instanceof ReaderException) {
            return new JsonException("yaml: control characters are not allowed");
        }
        if (!(error instanceof MarkedYamlEngineException marked)) {
            String message = String.valueOf(error.getMessage());
            return new JsonException("yaml: " + message.lines().findFirst().orElse("broken document"));
        }
        String parsers = String.valueOf(marked.getProblem());
        String problem = WORDS.keySet().stream()
                .filter(parsers::contains)
                .findFirst()
                .map(WORDS::get)
                .orElse(parsers);
        if (parsers.contains("TAB")) {
            problem = marked.getProblemMark().map(YamlSyntax::tab).orElse(problem);
        }
        if (problem.equals("did not find expected key")
                && String.valueOf(marked.getContext()).contains("collection")) {
            problem = "did not find expected '-' indicator";
        }
        // upstream's scanner counts lines from 1 and its parser from 0; neither mentions the first
        int line = problemLine(marked);
        if (line == 0) {
            line = line(marked.getContextMark());
        } else if (marked instanceof ScannerException) {
            line++;
        }
        return new JsonException("yaml: " + (line == 0 ? "" : "line " + line + ": ") + problem);
    }

    /** Returns the line of the problem, from 0; the end of the text counts as a line of its own. */
    private static int problemLine(MarkedYamlEngineException marked) {
        Optional<Mark> mark = marked.getProblemMark();
        boolean afterText = mark.map(at -> at.getPointer() >= at.getBuffer().length && at.getColumn() > 0)
                .orElse(false);
        String problem = String.valueOf(marked.getProblem());
        boolean counts = problem.contains("<stream end>") || problem.equals("could not find expected ':'");
        return line(mark) + (afterText && counts ? 1 : 0);
    }

    /** Returns the error of a tab, by the token that it would continue if it were spaces. */
    private static String tab(Mark mark) {
        String before = new String(mark.getBuffer(), 0, mark.getPointer());
        String line = before.substring(before.lastIndexOf('\n') + 1);
        String above = before.substring(0, before.length() - line.length()).stripTrailing();
        if (!line.isBlank() || above.isEmpty()) {
            return "found character that cannot start any token";
        }
        String last = above.substring(above.lastIndexOf('\n') + 1);
        if (BLOCK_SCALAR.matcher(last).find()) {
            return "found a tab character where an indentation space is expected";
        }
        boolean comment = last.stripLeading().startsWith("#");
        return comment || ":,[]{}\"'-?".indexOf(last.charAt(last.length() - 1)) >= 0
                ? "found character that cannot start any token"
                : "found a tab character that violates indentation";
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(Mark::getLine).orElse(0);
    }
}
