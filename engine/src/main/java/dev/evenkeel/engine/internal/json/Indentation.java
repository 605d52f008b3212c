package dev.evenkeel.engine.internal.json;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;

/**
 * Indents by two spaces a level, with one array item a line, {@code "key": value}, and {@code {}} and {@code []} for
 * empty containers.
 */
final class Indentation extends DefaultPrettyPrinter {
    private static final DefaultIndenter TWO_SPACES = new DefaultIndenter("  ", "\n");

    Indentation() {
        super(Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
        indentObjectsWith(TWO_SPACES);
        indentArraysWith(TWO_SPACES);
    }

    @Override
    public DefaultPrettyPrinter createInstance() {
        return new Indentation();
    }
}
