package dev.evenkeel.testing.diff;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.testing.internal.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Renders an observed object as Java source that expects it, ready to be pasted into a test. */
public final class Paste {
    private static final String QUOTES = "\"\"\"";
    private static final Pattern TRAILING_SPACE = Pattern.compile("[ \t]+$");

    private Paste() {}

    /** Returns the object, without the fields that a server fills in. */
    public static String of(HasMetadata observed) {
        return of(observed, Normalization.written());
    }

    /**
     * Returns the normalized object, as a call of {@code Given.yaml} with a text block; the last line has no line
     * break, so that a comma, a bracket or a semicolon can follow.
     */
    public static String of(HasMetadata observed, Normalization normalization) {
        Object tree = normalization.apply(Json.parse(ModelCodec.encode(observed), JsonLimits.DEFAULT));
        String block = block(YamlText.lines(tree), " ".repeat(8));
        return "Given.yaml(" + Source.name(observed.getClass()) + ".class, " + block + ")";
    }

    /** Returns the lines, each terminated, as a text block. */
    static String block(List<String> lines, String indent) {
        StringBuilder out = new StringBuilder(QUOTES).append('\n');
        for (String line : lines) {
            out.append(line.isEmpty() ? "" : indent).append(escaped(line)).append('\n');
        }
        return out.append(indent).append(QUOTES).toString();
    }

    private static String escaped(String line) {
        String text = line.replace("\\", "\\\\").replace(QUOTES, "\\\"\\\"\\\"");
        return TRAILING_SPACE
                .matcher(text)
                .replaceFirst(space -> Matcher.quoteReplacement(
                        space.group().replace(" ", "\\s").replace("\t", "\\t")));
    }
}
