package dev.evenkeel.testing.diff;

import java.io.Console;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How differences are shown: both sides as YAML in one text, lines that were expected marked {@code -}, lines that were
 * observed {@code +}. Of what is equal, a few lines and all that a change lies in are shown, the rest is folded.
 *
 * @param colour whether lines that differ are coloured, in codes of ANSI terminals
 * @param width columns; longer lines are continued on the next, equal ones cut
 * @param context how many equal lines are shown before and after a change
 */
public record Rendering(boolean colour, int width, int context) {
    private static final Rendering PLAIN = new Rendering(false, 120, 2);
    private static final int MINIMUM = 20;

    /** How many pairs of lines are looked at, at most, to find those that are equal. */
    private static final long PAIRS = 4_000_000;

    private enum Mark {
        SAME("  ", ""),
        EXPECTED("- ", "\u001b[31m"),
        OBSERVED("+ ", "\u001b[32m");

        private final String text;
        private final String code;

        Mark(String text, String code) {
            this.text = text;
            this.code = code;
        }
    }

    private record Line(Mark mark, String text) {
        int indent() {
            int indent = 0;
            while (indent < text.length() && text.charAt(indent) == ' ') {
                indent++;
            }
            return text.isBlank() ? Integer.MAX_VALUE : indent;
        }
    }

    /** Refuses what cannot be shown. */
    public Rendering {
        if (width < MINIMUM || context < 0) {
            throw new IllegalArgumentException("a rendering of " + width + " columns and " + context
                    + " lines of context: there must be at least " + MINIMUM + " columns and 0 lines");
        }
    }

    /** Without colour, 120 columns wide, two lines around changes. */
    public static Rendering plain() {
        return PLAIN;
    }

    /**
     * As it suits whoever looks at the output of this process: coloured on a terminal, or when the environment has
     * {@code COLOR_DIFF}; without colour when it has {@code NO_COLOR}, and not the former.
     */
    public static Rendering forTerminal() {
        return forTerminal(
                System.getenv(),
                Optional.ofNullable(System.console())
                        .filter(Rendering::isTerminal)
                        .isPresent());
    }

    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            // before Java 22, a process has a console only on a terminal
            return true;
        }
    }

    /**
     * The same, from what is known of the process.
     *
     * @param environment its variables; of {@code NO_COLOR} an empty value does not count
     * @param terminal whether it writes to one
     */
    public static Rendering forTerminal(Map<String, String> environment, boolean terminal) {
        boolean forced = environment.containsKey("COLOR_DIFF");
        boolean refused = !environment.getOrDefault("NO_COLOR", "").isEmpty();
        return PLAIN.withColour(forced || (terminal && !refused));
    }

    /** The same, with colour or without. */
    public Rendering withColour(boolean coloured) {
        return new Rendering(coloured, width, context);
    }

    /** The same, of this many columns, at least 20. */
    public Rendering withWidth(int columns) {
        return new Rendering(colour, columns, context);
    }

    /** The same, with this many equal lines around changes. */
    public Rendering withContext(int lines) {
        return new Rendering(colour, width, lines);
    }

    /** The difference as text, each line ended; empty when nothing differs. */
    public String text(Difference difference) {
        if (difference.isEmpty()) {
            return "";
        }
        List<Line> lines = merged(YamlText.lines(difference.expected()), YamlText.lines(difference.observed()));
        boolean[] shown = shown(lines);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.size(); ) {
            int end = i;
            while (end < lines.size() && !shown[end]) {
                end++;
            }
            // a fold of one line would need a line itself
            if (end - i > 1) {
                out.append("  ... ").append(end - i).append(" lines unchanged\n");
                i = end;
            } else {
                append(out, lines.get(i));
                i++;
            }
        }
        return out.toString();
    }

    /** Changes, the lines next to them, and of all these what they lie in. */
    private boolean[] shown(List<Line> lines) {
        boolean[] shown = new boolean[lines.size()];
        for (int i = 0; i < shown.length; i++) {
            if (lines.get(i).mark() != Mark.SAME) {
                Arrays.fill(shown, Math.max(0, i - context), Math.min(shown.length, i + context + 1), true);
            }
        }
        // from below: of lines that are shown, what is around the next one shown above, or around itself
        int around = 0;
        for (int i = shown.length - 1; i >= 0; i--) {
            int indent = lines.get(i).indent();
            if (shown[i] && indent != Integer.MAX_VALUE) {
                around = Math.max(around, indent);
            }
            if (indent < around) {
                shown[i] = true;
            }
            around = Math.min(around, indent);
        }
        return shown;
    }

    /** Both texts in one: without the lines of one mark it is the other text. */
    private static List<Line> merged(List<String> expected, List<String> observed) {
        int shorter = Math.min(expected.size(), observed.size());
        int start = 0;
        while (start < shorter && expected.get(start).equals(observed.get(start))) {
            start++;
        }
        int tail = 0;
        while (tail < shorter - start
                && expected.reversed().get(tail).equals(observed.reversed().get(tail))) {
            tail++;
        }
        List<Line> lines = new ArrayList<>();
        expected.subList(0, start).forEach(line -> lines.add(new Line(Mark.SAME, line)));
        middle(expected.subList(start, expected.size() - tail), observed.subList(start, observed.size() - tail), lines);
        expected.subList(expected.size() - tail, expected.size()).forEach(line -> lines.add(new Line(Mark.SAME, line)));
        return lines;
    }

    /** Keeps the longest sequence of lines that both have. */
    private static void middle(List<String> expected, List<String> observed, List<Line> lines) {
        int rows = expected.size();
        int columns = observed.size();
        boolean compared = (long) rows * columns <= PAIRS;
        int[][] common = compared ? new int[rows + 1][columns + 1] : new int[rows + 1][0];
        for (int i = rows - 1; compared && i >= 0; i--) {
            for (int j = columns - 1; j >= 0; j--) {
                common[i][j] = expected.get(i).equals(observed.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < rows || j < columns) {
            boolean both = i < rows && j < columns;
            if (compared && both && expected.get(i).equals(observed.get(j))) {
                lines.add(new Line(Mark.SAME, expected.get(i)));
                i++;
                j++;
            } else if (i < rows && (!both || !compared || common[i + 1][j] >= common[i][j + 1])) {
                lines.add(new Line(Mark.EXPECTED, expected.get(i)));
                i++;
            } else {
                lines.add(new Line(Mark.OBSERVED, observed.get(j)));
                j++;
            }
        }
    }

    private void append(StringBuilder out, Line line) {
        int room = width - line.mark().text.length();
        if (line.mark() == Mark.SAME) {
            put(out, line.mark(), line.text().length() <= room ? line.text() : cut(line.text(), room - 1) + "…");
            return;
        }
        String rest = line.text();
        for (;
                rest.length() > room;
                rest = "…" + rest.substring(cut(rest, room - 1).length())) {
            put(out, line.mark(), cut(rest, room - 1) + "…");
        }
        put(out, line.mark(), rest);
    }

    /** The beginning, of whole characters. */
    private static String cut(String text, int length) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    private void put(StringBuilder out, Mark mark, String text) {
        boolean coloured = colour && !mark.code.isEmpty();
        out.append(coloured ? mark.code : "")
                .append(text.isEmpty() ? mark.text.strip() : mark.text + text)
                .append(coloured ? "\u001b[0m" : "")
                .append('\n');
    }
}
