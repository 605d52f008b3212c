package dev.evenkeel.server;

import dev.evenkeel.engine.Recordings;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A recording, and the server that it needs.
 *
 * @param name such as {@code ssa} or {@code builtin/pods}
 * @param builtin whether it is one of built-in kinds
 */
record Recording(String name, boolean builtin, Supplier<List<String>> lines) {
    /** The files of built-in kinds that were recorded with a controller. */
    private static final Set<String> CONTROLLED =
            Set.of("access-aggregation", "policy-typecheck", "resourcequotas-admission");

    /** Returns one of this project. */
    static Recording of(String name) {
        return new Recording(name, name.startsWith("builtin/"), () -> Recordings.lines(name));
    }

    /** Returns that of a file in another folder. */
    static Recording of(Path folder, Path file) {
        return new Recording(
                folder.relativize(file).toString().replace(".jsonl", ""),
                file.toAbsolutePath().getParent().endsWith("builtin"),
                () -> Recordings.lines(file));
    }

    /** Returns the last part of its name. */
    String subject() {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /**
     * Starts the server that it needs, by the READMEs of the recordings: those of built-in kinds and of access control
     * were recorded with access control, and with a controller when their subject is one.
     */
    TestServer start() {
        String about = subject().replaceFirst("-b$", "");
        if (builtin || about.startsWith("access")) {
            return TestServer.startWithAccessControl(CONTROLLED.contains(about));
        }
        return about.equals("delete-gc") || about.equals("namespaces")
                ? TestServer.start()
                : TestServer.startWithoutControllers();
    }
}
