package dev.evenkeel.testing.diff;

import java.io.Console;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The format of differences: both sides as YAML in one text, expected lines marked {@code -}, observed lines {@code +}.
 * Of equal lines, those next to a change and those that enclose one are shown, the rest is folded.
 *
 * @param colour whether different lines are coloured, with ANSI codes
 * @param width columns; longer lines are wrapped, equal ones cut
 * @param context number of equal lines before and after a change
 */
public record Rendering(boolean colour, int width, int context) {
    private static final Rendering PLAIN = new Rendering(false, 120, 2);
    private static final int MINIMUM = 20;

    /** The maximum number of pairs of lines that are compared to find equal ones. */
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
            return text.isBlank()
                    ? Integer.MAX_VALUE
                    : (int) text.chars().takeWhile(c -> c == ' ').count();
        }
    }

    /** Refuses invalid sizes. */
    public Rendering {
        if (width < MINIMUM || context < 0) {
            throw new IllegalArgumentException("a rendering of " + width + " columns and " + context
                    + " lines of context: must be at least " + MINIMUM + " columns and 0 lines");
        }
    }

    /** Returns a format without colour, 120 columns wide, with two lines around changes. */
    public static Rendering plain() {
        return PLAIN;
    }

    /**
     * Returns a format for the output of this process: coloured on a terminal, or when the environment has
     * {@code COLOR_DIFF}; without colour when it has {@code NO_COLOR}, and not the former.
     */
    public static Rendering forTerminal() {
        Optional<Console> console = Optional.ofNullable(System.console());
        return forTerminal(
                System.getenv(), console.filter(Rendering::isTerminal).isPresent());
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
     * Returns a format for a process with these properties.
     *
     * @param environment its variables; an empty value of {@code NO_COLOR} does not count
     * @param terminal whether it writes to a terminal
     */
    public static Rendering forTerminal(Map<String, String> environment, boolean terminal) {
        boolean forced = environment.containsKey("COLOR_DIFF");
        boolean refused = !environment.getOrDefault("NO_COLOR", "").isEmpty();
        return PLAIN.colour(forced || (terminal && !refused));
    }

    /** Returns a copy with or without colour. */
    public Rendering colour(boolean coloured) {
        return new Rendering(coloured, width, context);
    }

    /** Returns a copy with this many columns, at least 20. */
    public Rendering width(int columns) {
        return new Rendering(colour, columns, context);
    }

    /** Returns a copy with this many equal lines around changes. */
    public Rendering context(int lines) {
        return new Rendering(colour, width, lines);
    }

    /** Returns the difference as text, each line terminated; empty when there is none. */
    public String text(Difference difference) {
        if (difference.isEmpty()) {
            return "";
        }
        List<Line> lines = merged(YamlText.lines(difference.expected), YamlText.lines(difference.observed));
        boolean[] shown = shown(lines);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < lines.size(); ) {
            int end = i;
            while (end < lines.size() && !shown[end]) {
                end++;
            }
            // folding a single line would save nothing
            if (end - i > 1) {
                out.append("  ... ").append(end - i).append(" lines unchanged\n");
                i = end;
            } else {
                append(out, lines.get(i++));
            }
        }
        return out.toString();
    }

    /** Returns the lines to show: changes, their neighbours, and the lines that enclose these. */
    private boolean[] shown(List<Line> lines) {
        boolean[] shown = new boolean[lines.size()];
        for (int i = 0; i < shown.length; i++) {
            if (lines.get(i).mark() != Mark.SAME) {
                Arrays.fill(shown, Math.max(0, i - context), Math.min(shown.length, i + context + 1), true);
            }
        }
        // upwards: encloses the last shown line, or a line that does
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

    /** Merges both texts: without the lines of one mark it is the other text. */
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

    /** Keeps the longest common subsequence of lines. */
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
                lines.add(new Line(Mark.SAME, expected.get(i++)));
                j++;
            } else if (i < rows && (!both || !compared || common[i + 1][j] >= common[i][j + 1])) {
                lines.add(new Line(Mark.EXPECTED, expected.get(i++)));
            } else {
                lines.add(new Line(Mark.OBSERVED, observed.get(j++)));
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
        while (rest.length() > room) {
            String begin = cut(rest, room - 1);
            put(out, line.mark(), begin + "…");
            rest = "…" + rest.substring(begin.length());
        }
        put(out, line.mark(), rest);
    }

    /** Returns the beginning, of whole characters. */
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
