package dev.evenkeel.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** A command that needs its command line: to print, and to refuse options. */
abstract class BaseCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    final CommandLine line() {
        return Objects.requireNonNull(spec).commandLine();
    }

    /** Refuses the command line unless a condition holds. */
    final void require(boolean holds, String message) {
        if (!holds) {
            throw new CommandLine.ParameterException(line(), message);
        }
    }
}
