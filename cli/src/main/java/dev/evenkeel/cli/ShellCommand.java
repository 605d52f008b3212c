package dev.evenkeel.cli;

import java.util.List;
import java.util.regex.Pattern;

/** Commands of users for the shell. */
final class ShellCommand {
    /** Text that means nothing to the shell itself: what is quoted, and the duplication of a file descriptor. */
    private static final Pattern QUOTED =
            Pattern.compile("'[^']*'|\"(?:\\\\.|[^\"\\\\])*\"|\\\\.|[<>]&", Pattern.DOTALL);

    /** Several commands, or variables in front of one. */
    private static final Pattern COMPOUND = Pattern.compile("[;&|()\\n]|^\\s*\\w+=");

    private ShellCommand() {}

    /** Returns the words of a process that runs a command; a simple one replaces the shell, so that signals reach it. */
    static List<String> of(String command) {
        boolean simple =
                !COMPOUND.matcher(QUOTED.matcher(command).replaceAll("x")).find();
        return List.of("sh", "-c", simple ? "exec " + command : command);
    }
}
