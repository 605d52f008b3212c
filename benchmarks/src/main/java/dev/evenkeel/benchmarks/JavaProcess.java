package dev.evenkeel.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A main class in a process of its own, which reads commands and prints answers, one per line. */
final class JavaProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final BufferedReader answers;

    /** Starts a class with options of the JVM and arguments; the name appears in the message of a failure. */
    JavaProcess(String name, Class<?> main, List<String> options, List<String> arguments) throws IOException {
        this.name = name;
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> program = List.of("-cp", System.getProperty("java.class.path"), main.getName());
        process = new ProcessBuilder(Stream.of(List.of(java), options, program, arguments)
                        .flatMap(List::stream)
                        .toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    long pid() {
        return process.pid();
    }

    void say(String command) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(command + "\n").flush();
    }

    /** Waits for a line that begins with a word, and returns the words of the line. */
    String[] answer(String word) throws IOException {
        return answers.lines()
                .filter(line -> line.startsWith(word))
                .findFirst()
                .orElseThrow(() ->
                        new IOException("the " + name + " in another process ended before it printed \"" + word + "\""))
                .split(" ", -1);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    @FunctionalInterface
    interface Command {
        void execute(String[] words) throws Exception;
    }

    /** Reads and executes commands until the input ends; for the main methods of processes. */
    static void serve(Command command) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            command.execute(line.split(" ", -1));
        }
    }
}
