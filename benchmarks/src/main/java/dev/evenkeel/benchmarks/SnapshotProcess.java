package dev.evenkeel.benchmarks;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.graph.Transaction;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.internal.calculation.PolicyGraph;
import dev.evenkeel.policy.v1.Update;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Calculates the state of a host from a {@link PolicyWorld}, the first time in a new process and then again and again, with
 * {@link PolicyGraph} or with {@link PolicyRecomputation}.
 */
final class SnapshotProcess {
    /** The number of changes in a step, as of an informer that lists. */
    private static final int STEP = 1_000;

    private SnapshotProcess() {}

    /**
     * The measurements of a process.
     *
     * @param coldConversion milliseconds of the first conversion of the objects of the cluster
     * @param conversion milliseconds of later ones, the median
     * @param cold milliseconds of the first calculation
     * @param warm milliseconds of later ones, the median
     * @param removal milliseconds of the removal of all pods of the host, the median
     * @param removed the number of messages of that
     * @param heap bytes that a calculation keeps; the objects of the cluster are not among them
     * @param allocated bytes that it allocates
     * @param messages the number of messages
     * @param kinds the messages of each kind
     */
    record Result(
            double coldConversion,
            double conversion,
            double cold,
            double warm,
            double removal,
            int removed,
            long heap,
            long allocated,
            int messages,
            String kinds) {}

    static Result run(String world, boolean ours, int rounds) throws Exception {
        try (JavaProcess process = new JavaProcess(
                "calculation",
                SnapshotProcess.class,
                List.of("-Xms3g", "-Xmx3g", "-XX:+UseCompactObjectHeaders"),
                List.of(world, Boolean.toString(ours), Integer.toString(rounds)))) {
            String[] words = process.answer("result");
            return new Result(
                    Double.parseDouble(words[1]),
                    Double.parseDouble(words[2]),
                    Double.parseDouble(words[3]),
                    Double.parseDouble(words[4]),
                    Double.parseDouble(words[5]),
                    Integer.parseInt(words[6]),
                    Long.parseLong(words[7]),
                    Long.parseLong(words[8]),
                    Integer.parseInt(words[9]),
                    words[10]);
        }
    }

    public static void main(String[] args) throws Exception {
        Supplier<Calculation> start = Boolean.parseBoolean(args[1]) ? Incremental::new : PolicyRecomputation::new;
        int rounds = Integer.parseInt(args[2]);
        double[] converting = new double[rounds + 1];
        double[] calculating = new double[rounds + 1];
        double[] removing = new double[rounds];
        int[] removed = {0};
        long[] allocated = {0};
        Map<String, Integer> kinds = new TreeMap<>();
        long before = Heap.used();
        try (Calculation last =
                run(PolicyWorld.of(args[0]), start, converting, calculating, removing, removed, allocated, kinds)) {
            // the world is garbage now, except for the strings that the calculation keeps
            long heap = Heap.used() - before;
            System.out.printf(
                    "result %s %s %s %s %s %d %d %d %d %s%n",
                    converting[0],
                    median(converting),
                    calculating[0],
                    median(calculating),
                    median(removing),
                    removed[0],
                    heap,
                    allocated[0],
                    kinds.values().stream().mapToInt(Integer::intValue).sum(),
                    kinds.toString().replace(" ", ""));
            ReportSection.check(last.calculations() == 1, "the calculation was measured while it was in memory");
        }
    }

    /** Returns the median of all but the first. */
    private static double median(double[] millis) {
        double[] later = Arrays.copyOfRange(millis, 1, millis.length);
        Arrays.sort(later);
        return later[later.length / 2];
    }

    private static Calculation run(
            PolicyWorld world,
            Supplier<Calculation> start,
            double[] converting,
            double[] calculating,
            double[] removing,
            int[] removed,
            long[] allocated,
            Map<String, Integer> kinds) {
        Calculation last = start.get();
        for (int i = 0; i < calculating.length; i++) {
            last = start.get();
            System.gc();
            long bytes = allocated();
            long begin = System.nanoTime();
            last.convert(world);
            long converted = System.nanoTime();
            Map<String, Integer> messages = last.calculate();
            calculating[i] = (System.nanoTime() - converted) / 1e6;
            converting[i] = (converted - begin) / 1e6;
            allocated[0] = allocated() - bytes;
            ReportSection.check(kinds.isEmpty() || messages.equals(kinds), "the messages are the same each time");
            kinds.putAll(messages);
            if (i < calculating.length - 1) {
                // the last calculation stays whole, for its heap
                long complete = System.nanoTime();
                removed[0] = last.removeLocal(world);
                removing[i] = (System.nanoTime() - complete) / 1e6;
            }
        }
        return last;
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /** Calculates once. */
    interface Calculation extends AutoCloseable {
        /** Converts the objects of the cluster to the model, in which Felix's benchmark has them already. */
        void convert(PolicyWorld world);

        /** Calculates from the model; returns the number of messages of each kind. */
        Map<String, Integer> calculate();

        /** Removes the pods of the host; returns the number of messages. */
        int removeLocal(PolicyWorld world);

        /** Returns how often it has calculated. */
        int calculations();

        @Override
        void close();
    }

    /** With the graph: in steps, as informers deliver. */
    private static final class Incremental implements Calculation {
        private final PolicyGraph graph = new PolicyGraph(Optional.of(PolicyWorld.HOST));
        private final Cursor<Update> cursor = graph.sink().open(PolicyWorld.HOST);
        private List<Consumer<Transaction>> changes = List.of();
        private int calculations;

        @Override
        public int calculations() {
            return calculations;
        }

        @Override
        public void convert(PolicyWorld world) {
            changes = Stream.of(world.before(), world.local())
                    .flatMap(List::stream)
                    .map(object -> graph.source(object.getClass()).orElseThrow().change(object))
                    .toList();
        }

        @Override
        public Map<String, Integer> calculate() {
            calculations++;
            for (int i = 0; i < changes.size(); i += STEP) {
                List<Consumer<Transaction>> step = changes.subList(i, Math.min(i + STEP, changes.size()));
                graph.graph().transact(tx -> step.forEach(change -> change.accept(tx)));
            }
            changes = List.of();
            graph.graph()
                    .transact(tx -> PolicyCalculation.kinds()
                            .forEach(kind -> graph.source(kind).orElseThrow().synced(tx)));
            Map<String, Integer> kinds = new TreeMap<>();
            for (Update update : cursor.poll().messages()) {
                kinds.merge(update.getKindCase().name(), 1, Integer::sum);
            }
            return kinds;
        }

        @Override
        public int removeLocal(PolicyWorld world) {
            graph.graph()
                    .transact(tx -> world.local()
                            .forEach(object -> graph.source(object.getClass())
                                    .orElseThrow()
                                    .remove(tx, ObjectKey.of(object))));
            return cursor.poll().messages().size();
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
