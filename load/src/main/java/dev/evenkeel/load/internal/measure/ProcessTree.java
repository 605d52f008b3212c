package dev.evenkeel.load.internal.measure;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The processes below a process. */
final class ProcessTree {
    private ProcessTree() {}

    /**
     * Returns a process and all below it, parents before their children.
     *
     * <p>Each thread has a file with its children: that costs as much as the process has threads. The other way, to look
     * for the parent of each process, costs as much as the machine has processes.
     */
    static List<Long> of(Path proc, long root) {
        Set<Long> seen = new LinkedHashSet<>(Set.of(root));
        List<Long> order = new ArrayList<>(seen);
        for (int i = 0; i < order.size(); i++) {
            for (long child : children(proc, order.get(i))) {
                if (seen.add(child)) {
                    order.add(child);
                }
            }
        }
        return order;
    }

    private static List<Long> children(Path proc, long pid) {
        List<Long> children = new ArrayList<>();
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(proc.resolve(Long.toString(pid)).resolve("task"))) {
            for (Path thread : threads) {
                for (String child :
                        ProcFile.read(thread.resolve("children")).orElse("").split(" ", -1)) {
                    if (!child.isBlank()) {
                        children.add(Long.parseLong(child.strip()));
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // it has ended
        }
        return children;
    }
}
