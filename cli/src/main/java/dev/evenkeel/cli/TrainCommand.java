package dev.evenkeel.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Runs the code of a start once, so that the JVM can record the classes it loaded: the launcher runs this after a
 * build.
 */
@Command(name = "train", hidden = true, description = "Runs the code to include in the start-up cache.")
final class TrainCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        try {
            Path kubeconfig = Files.createTempDirectory("evenkeel-train").resolve("kubeconfig");
            try {
                CommandLine command = Evenkeel.commandLine();
                command.execute("--version");
                return command.execute("demo", "--once", "--kubeconfig", kubeconfig.toString());
            } finally {
                Files.delete(kubeconfig.getParent());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
