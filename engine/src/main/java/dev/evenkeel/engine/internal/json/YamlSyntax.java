package dev.evenkeel.engine.internal.json;

import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.ScannerException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Describes the syntax error of a text that is not YAML, in the words of goyaml, which clients see from kube-apiserver.
 */
final class YamlSyntax {
    private static final Map<String, String> WORDS = Map.of(
            "mapping values are not allowed here", "mapping values are not allowed in this context",
            "expected the node content, but found", "did not find expected node content",
            "expected <block end>, but found", "did not find expected key",
            "expected '<document start>', but found", "did not find expected <document start>",
            "expected ',' or ']', but got", "did not find expected ',' or ']'",
            "expected ',' or '}', but got", "did not find expected ',' or '}'",
            "that cannot start any token", "found character that cannot start any token");

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
        if (problem.equals("did not find expected key")
                && String.valueOf(marked.getContext()).contains("collection")) {
            problem = "did not find expected '-' indicator";
        }
        // upstream counts lines from 0 for some errors, and does not mention line 0
        int line = line(marked.getContextMark());
        if (line == 0) {
            line = line(marked.getProblemMark());
            // upstream counts the end of the text as a line of its own
            boolean atEnd = parsers.contains("<stream end>");
            line += atEnd && marked.getProblemMark().map(Mark::getColumn).orElse(0) > 0 ? 1 : 0;
        }
        if (line != 0 && marked instanceof ScannerException) {
            line++;
        }
        return new JsonException("yaml: " + (line == 0 ? "" : "line " + line + ": ") + problem);
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(Mark::getLine).orElse(0);
    }
}
