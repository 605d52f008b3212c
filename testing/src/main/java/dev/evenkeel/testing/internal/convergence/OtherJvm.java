package dev.evenkeel.testing.internal.convergence;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Calls something in another JVM that differs from this one. */
public final class OtherJvm {
    private static final int STARTS = 300;
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private OtherJvm() {}

    /** Returns the states at rest of a run. */
    public interface Call extends Serializable {
        List<ClusterState> call();
    }

    /**
     * Returns the answer of a call in a JVM that differs from this one in some respects only.
     *
     * @param anyOrder whether the order of {@code Map.of} may be any
     * @throws IllegalArgumentException if the call cannot be serialized
     * @throws IllegalStateException with the output of the other JVM if the call fails there
     */
    public static List<ClusterState> call(Call call, Set<JvmVariation> variations, boolean anyOrder) {
        try {
            Path directory = Files.createTempDirectory("jvm");
            try {
                return call(call, variations, order(variations, anyOrder), directory);
            } finally {
                for (String name : List.of("call", "answer", "written", "output")) {
                    Files.deleteIfExists(directory.resolve(name));
                }
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<ClusterState> call(Call call, Set<JvmVariation> variations, String order, Path directory)
            throws IOException {
        Path output = directory.resolve("output");
        try (ObjectOutputStream stream = new ObjectOutputStream(Files.newOutputStream(directory.resolve("call")))) {
            stream.writeObject(call);
        } catch (NotSerializableException e) {
            throw new IllegalArgumentException(
                    "the check has a variable of " + e.getMessage()
                            + ", which another JVM cannot have: use a static method",
                    e);
        }
        ProcessBuilder builder = new ProcessBuilder(command(variations, directory, order))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Path answer = directory.resolve("answer");
        for (int i = 0; i < STARTS; i++) {
            int exit = run(builder, answer);
            if (Files.exists(answer) && Files.size(answer) > 0) {
                try (InputStream stream = Files.newInputStream(answer)) {
                    return read(stream);
                }
            }
            if (exit != 0 || Files.exists(answer)) {
                throw new IllegalStateException("the check fails in another JVM:\n"
                        + new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
            }
        }
        throw new IllegalStateException("none of " + STARTS + " JVMs had the wanted order of Map.of");
    }

    private static String order(Set<JvmVariation> variations, boolean any) {
        String here = SaltedOrder.here();
        return any ? "" : variations.contains(JvmVariation.ORDER) ? SaltedOrder.reverse(here) : here;
    }

    /** Runs a JVM until it ends or there is an answer: threads of the check may keep it. Returns its exit code, if any, or zero. */
    private static int run(ProcessBuilder builder, Path answer) throws IOException {
        Process process = builder.start();
        try {
            long deadline = System.nanoTime() + LONGEST.toNanos();
            while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
                if (Files.exists(answer)) {
                    return 0;
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("another JVM took more than " + LONGEST.toMinutes() + " minutes");
                }
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while another JVM was running", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command(Set<JvmVariation> variations, Path directory, String order) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1");
        for (JvmVariation variation : JvmVariation.values()) {
            command.addAll(variations.contains(variation) ? variation.options() : variation.equalOptions());
        }
        String modules = System.getProperty("jdk.module.path", "");
        String classes = System.getProperty("java.class.path");
        command.add("-cp");
        command.add(modules.isEmpty() ? classes : classes + File.pathSeparator + modules);
        command.add(OtherJvm.class.getName());
        command.add(directory.toString());
        command.add(order);
        return command;
    }

    /**
     * Runs in the other JVM: the arguments are the directory of its call, and the order that it should have, if any. If
     * its order differs, it writes no answer; if the call fails, it writes an empty one.
     */
    public static void main(String[] arguments) throws IOException {
        if (!arguments[1].isEmpty() && !arguments[1].equals(SaltedOrder.here())) {
            return;
        }
        Path directory = Path.of(arguments[0]);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (ObjectInputStream stream = new ObjectInputStream(Files.newInputStream(directory.resolve("call")))) {
            write(((Call) stream.readObject()).call(), answer);
        } catch (Exception | AssertionError e) {
            e.printStackTrace(System.err); // before the answer, at which the process may end
        }
        Path written = Files.write(directory.resolve("written"), answer.toByteArray());
        Files.move(written, directory.resolve("answer"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(List<ClusterState> states, OutputStream to) throws IOException {
        List<Map<String, Map<String, String>>> objects = states.stream()
                .map(state -> (Map<String, Map<String, String>>) new TreeMap<>(state.objects()))
                .toList();
        try (ObjectOutputStream stream = new ObjectOutputStream(to)) {
            stream.writeObject(new ArrayList<>(objects));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<ClusterState> read(InputStream from) throws IOException {
        try (ObjectInputStream stream = new ObjectInputStream(from)) {
            return ((List<Map<String, Map<String, String>>>) Objects.requireNonNull(stream.readObject()))
                    .stream().map(ClusterState::new).collect(Collectors.toList());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
