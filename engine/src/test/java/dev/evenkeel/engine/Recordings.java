package dev.evenkeel.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Recorded requests to a real API server, with its answers, one JSON object a line. Those of custom resources and of the
 * verbs are test resources; those of built-in kinds are in the shared data, and tests that need them skip without it.
 */
public final class Recordings {
    /** The names of the recordings in the test resources. */
    public static final List<String> NAMES = List.of(
            "access",
            "crd",
            "crud",
            "delete-gc",
            "discovery-openapi",
            "list-get",
            "namespaces",
            "patch",
            "ssa",
            "watch");

    private Recordings() {}

    /** Returns the lines of a recording, such as {@code ssa} or {@code builtin/pods}; skips the test if it is missing. */
    public static List<String> lines(String name) {
        if (!NAMES.contains(name)) {
            return lines(SharedData.of("transcripts/" + name + ".jsonl"));
        }
        try (InputStream in = Recordings.class.getResourceAsStream("recordings/" + name + ".jsonl.gz");
                BufferedReader text = new BufferedReader(new InputStreamReader(new GZIPInputStream(in), UTF_8))) {
            return text.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the lines of a file. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
