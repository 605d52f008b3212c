package dev.evenkeel.check.internal.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The work of a process and its children: the share of a processor that their threads used.
 *
 * <p>The time for which threads waited for a processor does not count: on a busy machine it is long even for the timers of a
 * JVM, which run for microseconds, while a thread with work gets its slices there, too.
 */
final class ProcessLoad {
    private static final Path PROC = Path.of("/proc");

    private Map<Path, Long> last = Map.of();
    private long lastNanos;

    /** Returns the share of one processor that a process used since the last call; 1 at the first one. */
    double since(long pid) {
        Map<Path, Long> present = new HashMap<>();
        for (long one : pids(pid)) {
            read(PROC.resolve(one + "/task"), present);
        }
        long now = System.nanoTime();
        long elapsed = now - lastNanos;
        long used = 0;
        for (Map.Entry<Path, Long> thread : present.entrySet()) {
            used += thread.getValue() - last.getOrDefault(thread.getKey(), 0L);
        }
        boolean first = last.isEmpty();
        last = present;
        lastNanos = now;
        return first && !present.isEmpty() ? 1 : (double) used / elapsed;
    }

    /** Returns true if a thread of a process runs, or waits for a processor, as on a busy machine. */
    static boolean runs(long pid) {
        return pids(pid).stream().anyMatch(one -> {
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(PROC.resolve(one + "/task"))) {
                for (Path thread : threads) {
                    String stat = Files.readString(thread.resolve("stat"));
                    // the state follows the name, which is in parentheses
                    if (stat.startsWith(") R", stat.lastIndexOf(')'))) {
                        return true;
                    }
                }
            } catch (IOException | DirectoryIteratorException e) {
                // a thread, or the process, has ended
            }
            return false;
        });
    }

    private static List<Long> pids(long pid) {
        return Stream.concat(
                        Stream.of(pid),
                        ProcessHandle.of(pid).stream()
                                .flatMap(ProcessHandle::descendants)
                                .map(ProcessHandle::pid))
                .toList();
    }

    /** Adds the nanoseconds of each thread; nothing where there is no such file. */
    private static void read(Path directory, Map<Path, Long> present) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(directory)) {
            for (Path thread : threads) {
                try {
                    String[] words =
                            Files.readString(thread.resolve("schedstat")).split(" ", -1);
                    present.put(thread, Long.parseLong(words[0]));
                } catch (IOException e) {
                    // the thread has ended
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // the process has ended
        }
    }
}
