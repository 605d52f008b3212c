package dev.evenkeel.load.internal.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A process of {@link Child}. */
final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;

    private ChildProcess(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = process.inputReader();
        input = new PrintWriter(process.outputWriter(), true);
        expect("ready");
    }

    /** Starts a JVM with options. */
    static ChildProcess java(String... options) throws IOException {
        return new ChildProcess(command(options));
    }

    /** Starts a shell that starts a JVM and waits for it. */
    static ChildProcess shell(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\"; exit $?", "sh"));
        command.addAll(command(options));
        return new ChildProcess(command);
    }

    private static List<String> command(String... options) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx400m", "-XX:TieredStopAtLevel=1"));
        Collections.addAll(command, options);
        Path classes;
        try {
            classes = Path.of(Child.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        Collections.addAll(command, "-cp", classes.toString(), Child.class.getName());
        return command;
    }

    long pid() {
        return process.pid();
    }

    /** Has the program do something, and waits until it has. */
    void run(String command) throws IOException {
        input.println(command);
        expect("done");
    }

    private void expect(String answer) throws IOException {
        String line = output.readLine();
        if (!answer.equals(line)) {
            throw new IOException("must be " + answer + ": " + line);
        }
    }

    /** Ends the program, and waits for its end. */
    void end() throws InterruptedException {
        input.close();
        process.waitFor();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
