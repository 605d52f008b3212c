package dev.evenkeel.engine;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Finds the project's shared reference data, which lies next to the checkout; tests that need it skip without it. */
public final class SharedData {
    private SharedData() {}

    /**
     * Returns a path under {@code shared/data}, such as {@code transcripts/ssa.jsonl}; skips the test if it does not
     * exist.
     */
    public static Path of(String path) {
        for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
            Path found = dir.resolve("shared/data").resolve(path);
            if (Files.exists(found)) {
                return found;
            }
        }
        return Assumptions.abort("shared/data/" + path + " does not exist next to this checkout");
    }
}
