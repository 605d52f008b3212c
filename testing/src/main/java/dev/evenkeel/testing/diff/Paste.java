package dev.evenkeel.testing.diff;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An observed object as Java source that expects it, ready to be pasted into a test. */
public final class Paste {
    private static final String QUOTES = "\"\"\"";
    private static final Pattern TRAILING_SPACE = Pattern.compile("[ \t]+$");

    private Paste() {}

    /** The object, without what a server fills in. */
    public static String of(HasMetadata observed) {
        return of(observed, Normalization.written());
    }

    /**
     * What counts of the object, as a call of {@code Given.yaml} with a text block; the last line has no line break, so
     * that a comma, a bracket or a semicolon can follow.
     */
    public static String of(HasMetadata observed, Normalization normalization) {
        Object tree = normalization.apply(Json.parse(ModelCodec.encode(observed), JsonLimits.DEFAULT));
        return "Given.yaml(" + name(observed.getClass()) + ".class, " + block(YamlText.lines(tree), " ".repeat(8))
                + ")";
    }

    /** The name to write where the class, or the one around it, is imported. */
    private static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
    }

    /** The lines, each ended, as a text block. */
    static String block(List<String> lines, String indent) {
        StringBuilder out = new StringBuilder(QUOTES).append('\n');
        for (String line : lines) {
            out.append(line.isEmpty() ? "" : indent).append(escaped(line)).append('\n');
        }
        return out.append(indent).append(QUOTES).toString();
    }

    private static String escaped(String line) {
        String text = line.replace("\\", "\\\\").replace(QUOTES, "\\\"\\\"\\\"");
        Matcher space = TRAILING_SPACE.matcher(text);
        if (!space.find()) {
            return text;
        }
        return text.substring(0, space.start())
                + space.group().replace(" ", "\\s").replace("\t", "\\t");
    }
}
