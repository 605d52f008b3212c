package dev.evenkeel.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * Prints lines for users. In colour on a terminal, unless it is a dumb one or {@code NO_COLOR} is set; plain in a pipe.
 * Each line is flushed.
 */
final class Terminal {
    /** The style of a word. */
    enum Style {
        PLAIN(""),
        GOOD("32"),
        BAD("31"),
        CHANGED("33"),
        FAINT("2"),
        STRONG("1");

        private final String code;

        Style(String code) {
            this.code = code;
        }
    }

    private final PrintWriter out;
    private final boolean colours;

    Terminal(PrintWriter out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    /** Returns the terminal of the process. */
    static Terminal of(PrintWriter out) {
        return new Terminal(
                out, isInteractive() && System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM")));
    }

    /** Returns true if the process was started on a terminal. */
    static boolean isInteractive() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    String style(Style style, String text) {
        return colours && style != Style.PLAIN ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
    }

    void line(String text) {
        synchronized (out) {
            out.println(text);
            out.flush();
        }
    }
}
