package dev.evenkeel.load.internal.measure;

import dev.evenkeel.load.internal.measure.ProcessReading.Quantity;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Measures a process and those that it has started, whatever they run, with the files of Linux's {@code /proc}.
 *
 * <h2>The problem</h2>
 *
 * <p>The process under test is often not the one that was started: a shell waits for it, or it runs commands itself. So
 * a reading is the sum over the tree of processes. But threads and processes come and go, and take their counts with
 * them; and some files cost much to read: for proportional memory the kernel walks all page tables.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A sum is absent if it can't be read of one of the processes. A part is never reported as the whole.
 *   <li>Totals never decrease from one reading to the next, until the process has ended. Switches of threads that have
 *       ended stay counted as of the last reading; CPU and bytes of children that have ended are in those of their
 *       parent, where the kernel adds them.
 *   <li>Proportional memory takes at most one part in {@value #PROPORTIONAL_SHARE} of the time. A reading before its
 *       turn does not have it.
 *   <li>The switches of at most {@value #SWITCHES_SHARE} threads are read in each reading, on average: those of more threads
 *       in one of several readings, in which all of them are.
 *   <li>After the process has ended, readings are empty, even if its number is given to another one.
 * </ol>
 *
 * <p>Why not a library: those that exist read the same files through native code, and none sums over a tree.
 */
public final class ProcessMeter implements Meter {
    /** At an interval of one second, 5 ms are for proportional memory. */
    private static final int PROPORTIONAL_SHARE = 200;

    /** The status of a thread takes 50 µs. */
    private static final int SWITCHES_SHARE = 100;

    private static final Path PROC = Path.of("/proc");

    private final Path proc;
    private final long pid;
    private final boolean tree;
    private final LongSupplier nanos;
    private final long tick = 1_000_000_000L / Ticks.A_SECOND;

    /** The time at which the process was started, in ticks: with the number it identifies the process. */
    private final Optional<String> identity;

    private boolean ended;
    private boolean measuredProportional;
    private long proportionalAfter;
    private int readingsUntilSwitches;
    private Map<String, Switches> switches = new HashMap<>();
    private Switches past = Switches.NONE;
    private final Map<Quantity, Long> totals = new EnumMap<>(Quantity.class);

    private record Switches(long voluntary, long involuntary) {
        static final Switches NONE = new Switches(0, 0);

        Switches plus(Switches other) {
            return new Switches(voluntary + other.voluntary, involuntary + other.involuntary);
        }
    }

    private ProcessMeter(Path proc, long pid, boolean tree, LongSupplier nanos) {
        if (pid <= 0) {
            throw new IllegalArgumentException("pid must be positive: " + pid);
        }
        this.proc = proc;
        this.pid = pid;
        this.tree = tree;
        this.nanos = nanos;
        this.identity = stat(pid).map(fields -> fields[STARTED]);
        this.ended = identity.isEmpty();
    }

    /** Returns a meter of a process and of those below it. */
    public static ProcessMeter of(long pid) {
        return new ProcessMeter(PROC, pid, true, System::nanoTime);
    }

    /** Returns a meter of one process only. */
    public static ProcessMeter alone(long pid) {
        return new ProcessMeter(PROC, pid, false, System::nanoTime);
    }

    static ProcessMeter of(Path proc, long pid, LongSupplier nanos) {
        return new ProcessMeter(proc, pid, true, nanos);
    }

    /** The ticks of a second, asked once: it needs a process. */
    private static final class Ticks {
        static final long A_SECOND = ask();

        private static long ask() {
            try {
                Process process = new ProcessBuilder("getconf", "CLK_TCK")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                try (var output = process.inputReader()) {
                    String line = output.readLine();
                    return line == null ? 100 : Math.max(1, Long.parseLong(line.strip()));
                }
            } catch (IOException | NumberFormatException e) {
                // 100 on all architectures in use
                return 100;
            }
        }
    }

    // fields of stat after the name of the command, which is in parentheses and may contain anything
    private static final int STATE = 0;
    private static final int USER_TICKS = 11;
    private static final int KERNEL_TICKS = 12;
    private static final int USER_TICKS_OF_CHILDREN = 13;
    private static final int KERNEL_TICKS_OF_CHILDREN = 14;
    private static final int STARTED = 19;

    private Optional<String[]> stat(long process) {
        return ProcFile.read(file(process, "stat"))
                .map(text -> text.substring(text.lastIndexOf(')') + 2).split(" ", -1))
                .filter(fields -> fields.length > STARTED && !"ZX".contains(fields[STATE]));
    }

    private Path file(long process, String name) {
        return proc.resolve(Long.toString(process)).resolve(name);
    }

    /** Returns the present values; empty if the process has ended. */
    public ProcessReading read() {
        ended |= !stat(pid).map(fields -> fields[STARTED]).equals(identity);
        if (ended) {
            return ProcessReading.EMPTY;
        }
        long begin = nanos.getAsLong();
        boolean proportional = !measuredProportional || begin - proportionalAfter >= 0;
        Map<Quantity, Long> sum = new EnumMap<>(Quantity.class);
        Optional<Map<String, Switches>> present =
                readingsUntilSwitches <= 0 ? Optional.of(new HashMap<>()) : Optional.empty();
        int processes = 0;
        // parents first: what a child adds to its parent at its end is missed once rather than counted twice
        for (long process : tree ? ProcessTree.of(proc, pid) : List.of(pid)) {
            Optional<Map<Quantity, Long>> values = values(process, proportional, present);
            if (values.isPresent()) {
                Map<Quantity, Long> one = values.get();
                if (processes++ == 0) {
                    sum.putAll(one);
                } else {
                    sum.keySet().retainAll(one.keySet());
                    sum.replaceAll((quantity, value) -> value + one.getOrDefault(quantity, 0L));
                }
            } else if (process == pid) {
                ended = true;
                return ProcessReading.EMPTY;
            }
        }
        present.ifPresentOrElse(threads -> countSwitches(sum, threads), () -> readingsUntilSwitches--);
        sum.replaceAll(
                (quantity, value) -> quantity.total() ? Math.max(value, totals.getOrDefault(quantity, 0L)) : value);
        totals.putAll(sum);
        return new ProcessReading(sum);
    }

    private void countSwitches(Map<Quantity, Long> sum, Map<String, Switches> present) {
        switches.forEach((thread, before) -> {
            Switches now = present.get(thread);
            // ended, or its number was given to another thread
            if (now == null || now.voluntary < before.voluntary || now.involuntary < before.involuntary) {
                past = past.plus(before);
            }
        });
        switches = present;
        readingsUntilSwitches = present.size() / SWITCHES_SHARE;
        sum.computeIfPresent(Quantity.VOLUNTARY_SWITCHES, (quantity, value) -> value + past.voluntary);
        sum.computeIfPresent(Quantity.INVOLUNTARY_SWITCHES, (quantity, value) -> value + past.involuntary);
    }

    /** Returns the values of one process; empty if it has ended. */
    private Optional<Map<Quantity, Long>> values(
            long process, boolean proportional, Optional<Map<String, Switches>> threads) {
        Map<Quantity, Long> values = new EnumMap<>(Quantity.class);
        Optional<String[]> stat = stat(process);
        if (stat.isEmpty()) {
            return Optional.empty();
        }
        String[] fields = stat.get();
        long cpu = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[KERNEL_TICKS]);
        if (tree) {
            cpu += Long.parseLong(fields[USER_TICKS_OF_CHILDREN]) + Long.parseLong(fields[KERNEL_TICKS_OF_CHILDREN]);
        }
        values.put(Quantity.CPU, cpu * tick);
        ProcFile.read(file(process, "status")).ifPresent(status -> {
            put(values, Quantity.RESIDENT, ProcFile.number(status, "VmRSS"), 1024);
            put(values, Quantity.THREADS, ProcFile.number(status, "Threads"), 1);
        });
        ProcFile.read(file(process, "io")).ifPresent(io -> {
            put(values, Quantity.CHARACTERS_READ, ProcFile.number(io, "rchar"), 1);
            put(values, Quantity.CHARACTERS_WRITTEN, ProcFile.number(io, "wchar"), 1);
            put(values, Quantity.BYTES_READ, ProcFile.number(io, "read_bytes"), 1);
            put(values, Quantity.BYTES_WRITTEN, ProcFile.number(io, "write_bytes"), 1);
        });
        put(values, Quantity.DESCRIPTORS, descriptors(process), 1);
        threads.ifPresent(present -> {
            Switches sum = switches(process, present);
            values.put(Quantity.VOLUNTARY_SWITCHES, sum.voluntary);
            values.put(Quantity.INVOLUNTARY_SWITCHES, sum.involuntary);
        });
        if (proportional) {
            put(values, Quantity.PROPORTIONAL, proportional(process), 1024);
        }
        // a process that ended meanwhile: what was read of it is a part
        return stat(process).isEmpty() ? Optional.empty() : Optional.of(values);
    }

    private static void put(Map<Quantity, Long> values, Quantity quantity, OptionalLong value, long factor) {
        value.ifPresent(number -> values.put(quantity, number * factor));
    }

    private OptionalLong proportional(long process) {
        long begin = nanos.getAsLong();
        OptionalLong value = ProcFile.read(file(process, "smaps_rollup"))
                .map(text -> ProcFile.number(text, "Pss"))
                .orElse(OptionalLong.empty());
        long end = nanos.getAsLong();
        long next = end + (end - begin) * (PROPORTIONAL_SHARE - 1);
        // of several processes, those read before took their time, too
        proportionalAfter =
                measuredProportional && proportionalAfter - end > 0 ? proportionalAfter + (next - end) : next;
        measuredProportional = true;
        return value;
    }

    private OptionalLong descriptors(long process) {
        long count = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(file(process, "fd"))) {
            for (var file = files.iterator(); file.hasNext(); file.next()) {
                count++;
            }
            return OptionalLong.of(count);
        } catch (IOException | DirectoryIteratorException e) {
            return OptionalLong.empty();
        }
    }

    private Switches switches(long process, Map<String, Switches> present) {
        Switches sum = Switches.NONE;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(file(process, "task"))) {
            for (Path thread : threads) {
                String status = ProcFile.read(thread.resolve("status")).orElse("");
                OptionalLong voluntary = ProcFile.number(status, "voluntary_ctxt_switches");
                OptionalLong involuntary = ProcFile.number(status, "nonvoluntary_ctxt_switches");
                if (voluntary.isPresent() && involuntary.isPresent()) {
                    Switches one = new Switches(voluntary.getAsLong(), involuntary.getAsLong());
                    present.put(process + "/" + thread.getFileName(), one);
                    sum = sum.plus(one);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // it has ended: the next reading counts what is known
        }
        return sum;
    }

    /** Returns the processes that a reading sums over, parents first. */
    public List<Long> processes() {
        return tree ? ProcessTree.of(proc, pid) : List.of(pid);
    }

    @Override
    public List<Figure> figures() {
        ProcessReading reading = read();
        List<Figure> figures = new ArrayList<>();
        reading.value(Quantity.RESIDENT)
                .ifPresent(value -> figures.add(Figure.level("process.resident", "bytes", value)));
        reading.value(Quantity.PROPORTIONAL)
                .ifPresent(value -> figures.add(Figure.level("process.proportional", "bytes", value)));
        reading.value(Quantity.CPU).ifPresent(value -> figures.add(Figure.total("process.cpu", "cores", value / 1e9)));
        reading.value(Quantity.THREADS).ifPresent(value -> figures.add(Figure.level("process.threads", "", value)));
        reading.value(Quantity.DESCRIPTORS)
                .ifPresent(value -> figures.add(Figure.level("process.descriptors", "", value)));
        reading.value(Quantity.VOLUNTARY_SWITCHES)
                .ifPresent(value -> figures.add(Figure.total(
                        "process.switches",
                        "1/s",
                        value + reading.value(Quantity.INVOLUNTARY_SWITCHES).orElse(0))));
        reading.value(Quantity.CHARACTERS_READ)
                .ifPresent(value -> figures.add(Figure.total("process.read", "bytes/s", value)));
        reading.value(Quantity.CHARACTERS_WRITTEN)
                .ifPresent(value -> figures.add(Figure.total("process.written", "bytes/s", value)));
        return figures;
    }
}
