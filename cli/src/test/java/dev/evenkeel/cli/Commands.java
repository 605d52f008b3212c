package dev.evenkeel.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Executes commands in this process, and collects what they print. */
final class Commands {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Executes {@code evenkeel} with some arguments; returns its exit code. */
    int run(String... arguments) {
        return run(Evenkeel.commandLine(arguments), arguments);
    }

    int run(CommandLine command, String... arguments) {
        return collecting(command).execute(arguments);
    }

    /** Lets a command print to this. */
    CommandLine collecting(CommandLine command) {
        return command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    /** Forgets what was printed. */
    void clear() {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
    }
}
