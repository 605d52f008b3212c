package dev.evenkeel.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kubectl of the machine, run as by a user.
 *
 * @param binary the program
 * @param minor of its version: 20 for 1.20
 * @param directory its working directory, with its files
 * @param namespace of its commands
 */
public record Kubectl(Path binary, int minor, Path directory, String namespace) {
    private static final Pattern VERSION = Pattern.compile("v1\\.(\\d+)\\.");
    private static final long LONGEST_SECONDS = 60;

    /** The output of a command. */
    public record Result(List<String> command, int exit, String out, String err) {
        @Override
        public String toString() {
            return String.join(" ", command) + "\nexit " + exit + "\nout: " + out + "\nerr: " + err;
        }
    }

    /**
     * Returns the oldest and the newest kubectl of the machine: on the PATH, in the list of paths of the system
     * property or environment variable EVENKEEL_KUBECTL, or next to either.
     */
    public static List<Kubectl> found(Path directory) {
        List<Kubectl> all = all(directory);
        return all.size() < 3 ? all : List.of(all.getFirst(), all.getLast());
    }

    /** Returns a kubectl of each version of the machine, oldest first. */
    public static List<Kubectl> all(Path directory) {
        TreeMap<Integer, Path> byMinor = new TreeMap<>();
        for (Path candidate : candidates()) {
            minor(candidate).ifPresent(minor -> byMinor.putIfAbsent(minor, candidate));
        }
        return byMinor.entrySet().stream()
                .map(entry -> new Kubectl(entry.getValue(), entry.getKey(), directory, "default"))
                .toList();
    }

    private static Set<Path> candidates() {
        List<String> places = new ArrayList<>();
        for (String list : new String[] {
            System.getProperty("EVENKEEL_KUBECTL", ""),
            Optional.ofNullable(System.getenv("EVENKEEL_KUBECTL")).orElse("")
        }) {
            places.addAll(Arrays.asList(list.split(File.pathSeparator)));
        }
        for (String directory :
                Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator)) {
            places.add(directory + "/kubectl");
        }
        Set<Path> found = new LinkedHashSet<>();
        for (String place : places) {
            Path path = Path.of(place);
            if (place.isEmpty() || !Files.isExecutable(path)) {
                continue;
            }
            found.add(path);
            Path home = path;
            try {
                home = path.toRealPath();
            } catch (IOException e) {
                // the path as it is
            }
            // a launcher may keep several versions next to it
            try (var siblings = Files.list(java.util.Objects.requireNonNull(home.getParent()))) {
                siblings.filter(file -> file.getFileName().toString().matches("kubectl[.-]?v?1\\.\\d+.*"))
                        .filter(Files::isExecutable)
                        .forEach(found::add);
            } catch (IOException e) {
                // no siblings
            }
        }
        return found;
    }

    private static Optional<Integer> minor(Path binary) {
        try {
            Result result = run(binary, Path.of("."), Map.of(), List.of("version", "--client"));
            Matcher version = VERSION.matcher(result.out() + result.err());
            return version.find() ? Optional.of(Integer.valueOf(version.group(1))) : Optional.empty();
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Returns a kubectl for another namespace. */
    public Kubectl in(String other) {
        return new Kubectl(binary, minor, directory, other);
    }

    /** Runs a command to its end. */
    public Result run(String... arguments) {
        return run(Map.of(), arguments);
    }

    /** Runs a command to its end, with more environment. */
    public Result run(Map<String, String> environment, String... arguments) {
        return run(binary, directory, environment, withNamespace(arguments));
    }

    /** Starts a command that keeps running; its output is written to the file. */
    public Process start(Path output, String... arguments) {
        try {
            return builder(binary, directory, Map.of(), withNamespace(arguments))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a file for commands to read. */
    public String file(String name, String content) {
        try {
            Files.writeString(directory.resolve(name), content);
            return name;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> withNamespace(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.add("--namespace=" + namespace);
        return all;
    }

    private static Result run(Path binary, Path directory, Map<String, String> environment, List<String> arguments) {
        try {
            Path out = Files.createTempFile("kubectl", ".out");
            Path err = Files.createTempFile("kubectl", ".err");
            Process process = builder(binary, directory, environment, arguments)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            Result result = new Result(
                    arguments,
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
            Files.delete(out);
            Files.delete(err);
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ProcessBuilder builder(
            Path binary, Path directory, Map<String, String> environment, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(binary.toAbsolutePath().toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectInput(new File("/dev/null"));
        builder.environment().put("KUBECONFIG", directory.resolve("kubeconfig").toString());
        // it ends before a collection repays; half of its processor time goes into them
        builder.environment().put("GOGC", "off");
        // caches of discovery outlive the server otherwise
        builder.environment().put("HOME", directory.toString());
        builder.environment().putAll(environment);
        return builder;
    }

    @Override
    public String toString() {
        return "kubectl 1." + minor;
    }
}
