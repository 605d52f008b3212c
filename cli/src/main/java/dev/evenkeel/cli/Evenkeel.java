package dev.evenkeel.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command: parses its arguments, and turns failures into one line and an exit code. */
@Command(
        name = "evenkeel",
        description = "The controller platform for Java: a resource engine that speaks the Kubernetes API.",
        mixinStandardHelpOptions = true,
        versionProvider = Release.class,
        scope = ScopeType.INHERIT,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:failure, with the reason on stderr", "2:invalid command line"})
public final class Evenkeel implements Runnable {
    private static final List<Class<?>> COMMANDS = List.of(
            DemoCommand.class,
            ExampleCommand.class,
            ServerCommand.class,
            KubeconfigCommand.class,
            PolicyCommand.class,
            PolicyAgentCommand.class,
            StoreCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            BenchCommand.class,
            LoadCommand.class,
            CheckCommand.class,
            TrainCommand.class,
            SimulateCommand.class,
            SoakCommand.class,
            TortureCommand.class,
            NewCommand.class,
            RbacCommand.class,
            SkeletonCommand.class);

    @CommandLine.Spec
    private CommandLine.Model.@org.jspecify.annotations.Nullable CommandSpec spec;

    /** Runs the command, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        var _ = HeadStart.of(arguments);
        System.exit(commandLine(arguments).execute(arguments));
    }

    /** Returns the command with all subcommands. */
    static CommandLine commandLine() {
        return commandLine(COMMANDS);
    }

    /**
     * Returns the command for some arguments: only with the subcommand that the first one names, if any. To read the
     * options of all of them takes a third of the start of a server.
     */
    static CommandLine commandLine(String... arguments) {
        return commandLine(COMMANDS.stream()
                .filter(command -> arguments.length > 0
                        && command.getAnnotation(Command.class).name().equals(arguments[0]))
                .findFirst()
                .<List<Class<?>>>map(List::of)
                .orElse(COMMANDS));
    }

    private static CommandLine commandLine(List<Class<?>> commands) {
        CommandLine line = new CommandLine(new Evenkeel());
        commands.forEach(line::addSubcommand);
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("evenkeel: " + Failure.reason(failure));
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                java.util.Objects.requireNonNull(spec).commandLine(), "a command is missing");
    }
}
