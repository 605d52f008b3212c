package dev.evenkeel.testing.internal.convergence;

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
    private static final int ANOTHER_ORDER = 3;
    private static final long MINUTES = 5;

    private OtherJvm() {}

    /** What is called. */
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
                for (String name : List.of("call", "answer", "output")) {
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
        for (int i = 0; i < STARTS; i++) {
            int exit = exit(builder);
            if (exit == 0) {
                try (InputStream stream = Files.newInputStream(directory.resolve("answer"))) {
                    return read(stream);
                }
            }
            if (exit != ANOTHER_ORDER) {
                throw new IllegalStateException("exit code " + exit + " of another JVM:\n"
                        + new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
            }
        }
        throw new IllegalStateException("none of " + STARTS + " JVMs had the wanted order of Map.of");
    }

    private static String order(Set<JvmVariation> variations, boolean any) {
        String here = SaltedOrder.here();
        return any ? "" : variations.contains(JvmVariation.ORDER) ? SaltedOrder.reverse(here) : here;
    }

    private static int exit(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        try {
            if (process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                return process.exitValue();
            }
            throw new IllegalStateException("another JVM took more than " + MINUTES + " minutes");
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

    /** Runs in the other JVM: the arguments are the directory of its call, and the order that it should have, if any. */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        if (!arguments[1].isEmpty() && !arguments[1].equals(SaltedOrder.here())) {
            Runtime.getRuntime().halt(ANOTHER_ORDER);
        }
        Path directory = Path.of(arguments[0]);
        Call call;
        try (ObjectInputStream stream = new ObjectInputStream(Files.newInputStream(directory.resolve("call")))) {
            call = (Call) stream.readObject();
        }
        List<ClusterState> answer = call.call();
        try (OutputStream stream = Files.newOutputStream(directory.resolve("answer"))) {
            write(answer, stream);
        }
        // threads of a test do not keep it
        Runtime.getRuntime().halt(0);
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
