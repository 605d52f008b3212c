package dev.evenkeel.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command: parses its arguments, and turns failures into one line and an exit code. */
@Command(
        name = "evenkeel",
        description = "The controller platform for Java: a resource engine that speaks the Kubernetes API.",
        subcommands = {
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
            SkeletonCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Release.class,
        scope = ScopeType.INHERIT,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:failure, with the reason on stderr", "2:invalid command line"})
public final class Evenkeel implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.@org.jspecify.annotations.Nullable CommandSpec spec;

    /** Runs the command, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Evenkeel())
                .setCaseInsensitiveEnumValuesAllowed(true)
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
