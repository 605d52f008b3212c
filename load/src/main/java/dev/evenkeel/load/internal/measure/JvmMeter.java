package dev.evenkeel.load.internal.measure;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Measures a JVM from outside: attaches to it, has it start its local management agent, and reads its beans.
 *
 * <h2>The problem</h2>
 *
 * <p>The heap in use says little: most of it is garbage, the more the longer the collector waits. What a leak shows in is
 * the heap after a full collection, the {@linkplain #retained occupancy}; and collectors report it in different ways.
 * Moreover, to attach to a process means to send it SIGQUIT, which JVMs take as a request, but which ends nearly every
 * other program.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A process is attached to only if it has mapped the library of a JVM into its memory.
 *   <li>Occupancy is the sum of all instances that a full collection leaves. The heap in use after it has gaps, too: with ZGC a
 *       quarter or more of a small heap; with Serial and Parallel up to a twentieth, which grows from one collection to the
 *       next as a leak would.
 * </ol>
 *
 * <p>Cost: the agent adds some threads and about 2 MB to the JVM, and a reading allocates some 100 KB in it. Why not
 * {@code jcmd}: a process of its own for each reading costs a hundred times as much, and its output is made for people.
 */
public final class JvmMeter implements Meter, AutoCloseable {
    private static final Path PROC = Path.of("/proc");
    private static final ObjectName MEMORY = name(ManagementFactory.MEMORY_MXBEAN_NAME);
    private static final ObjectName THREADING = name(ManagementFactory.THREAD_MXBEAN_NAME);
    private static final ObjectName COMMANDS = name("com.sun.management:type=DiagnosticCommand");

    /** A difference between two readings of the occupancy that counts as none. */
    private static final double SAME = 0.001;

    private static final int MOST_COLLECTIONS = 5;

    private final long pid;
    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final List<ObjectName> pools;
    private final List<ObjectName> collectors;

    private JvmMeter(long pid, JMXConnector connector) throws IOException, JMException {
        this.pid = pid;
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
        List<ObjectName> heap = new ArrayList<>();
        for (ObjectName pool : names(ManagementFactory.MEMORY_POOL_MXBEAN_DOMAIN_TYPE)) {
            if (beans.getAttribute(pool, "Type").equals("HEAP")) {
                heap.add(pool);
            }
        }
        this.pools = List.copyOf(heap);
        this.collectors = names(ManagementFactory.GARBAGE_COLLECTOR_MXBEAN_DOMAIN_TYPE);
    }

    private List<ObjectName> names(String type) throws IOException {
        return List.copyOf(new TreeSet<>(beans.queryNames(name(type + ",*"), null)));
    }

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (JMException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /**
     * Attaches to a JVM: the process or, if that is none, the first JVM below it.
     *
     * @param problem receives the reason if the result is empty
     * @return empty if there is no JVM, or it can't be attached to
     */
    public static Optional<JvmMeter> attach(long pid, Consumer<String> problem) {
        if (pid <= 0) {
            throw new IllegalArgumentException("pid must be positive: " + pid);
        }
        List<Long> tree = ProcessTree.of(PROC, pid);
        Optional<String> maps = ProcFile.read(PROC.resolve(Long.toString(pid)).resolve("maps"));
        if (maps.isEmpty()) {
            problem.accept(
                    ProcessHandle.of(pid).isPresent()
                            ? "process " + pid + " belongs to another user: run as that user to measure its JVM"
                            : "process " + pid + " has ended");
            return Optional.empty();
        }
        Optional<Long> jvm = tree.stream().filter(JvmMeter::isJvm).findFirst();
        if (jvm.isEmpty()) {
            problem.accept("process " + pid + " is not a JVM, and none is below it");
        }
        return jvm.flatMap(found -> connect(found, problem));
    }

    private static boolean isJvm(long process) {
        return ProcFile.read(PROC.resolve(Long.toString(process)).resolve("maps"))
                .filter(maps -> maps.contains("/libjvm.so"))
                .isPresent();
    }

    // the address is from the JVM itself, which belongs to the same user
    @SuppressWarnings("BanJNDI")
    private static Optional<JvmMeter> connect(long process, Consumer<String> problem) {
        String reason;
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(process));
            String address;
            try {
                address = machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
            JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address));
            try {
                return Optional.of(new JvmMeter(process, connector));
            } catch (IOException | JMException | RuntimeException e) {
                connector.close();
                throw e;
            }
        } catch (AttachNotSupportedException e) {
            reason = e.getMessage() + "; is it stopped, or started with -XX:+DisableAttachMechanism?";
        } catch (IOException | JMException | RuntimeException e) {
            reason = e.toString();
        } catch (NoClassDefFoundError e) {
            reason = "this Java runtime lacks the module jdk.attach: run on a JDK";
        }
        problem.accept("JVM " + process + " can't be attached to: " + reason);
        return Optional.empty();
    }

    /** Returns the number of the process that runs the JVM. */
    public long pid() {
        return pid;
    }

    /**
     * Returns the present values.
     *
     * @throws IOException when the JVM has ended, or does not answer
     */
    public JvmReading read() throws IOException {
        long collections = 0;
        long millis = 0;
        for (ObjectName collector : collectors) {
            if (!isConcurrent(collector)) {
                for (Attribute attribute : attributes(collector, "CollectionCount", "CollectionTime")) {
                    // -1 if it is not known
                    long value = Math.max(0, (Long) attribute.getValue());
                    if (attribute.getName().equals("CollectionCount")) {
                        collections += value;
                    } else {
                        millis += value;
                    }
                }
            }
        }
        return new JvmReading(heap(), afterCollection(), allocated(), collections, Duration.ofMillis(millis));
    }

    /**
     * Returns whether the bean of a collector counts what runs while the program runs. ZGC and Shenandoah have one bean for
     * cycles and one for pauses; that of the concurrent collections of G1 is of their pauses.
     */
    private static boolean isConcurrent(ObjectName collector) {
        return collector.getKeyProperty("name").endsWith(" Cycles");
    }

    private long heap() throws IOException {
        return usage(MEMORY, "HeapMemoryUsage")
                .orElseThrow(() -> gone("no heap"))
                .getUsed();
    }

    private SortedMap<String, Long> afterCollection() throws IOException {
        SortedMap<String, Long> used = new TreeMap<>();
        for (ObjectName pool : pools) {
            usage(pool, "CollectionUsage").ifPresent(usage -> used.put(pool.getKeyProperty("name"), usage.getUsed()));
        }
        return used;
    }

    private Optional<MemoryUsage> usage(ObjectName bean, String attribute) throws IOException {
        for (Attribute found : attributes(bean, attribute)) {
            // null if the pool does not support it
            if (found.getValue() instanceof CompositeData data) {
                return Optional.of(MemoryUsage.from(data));
            }
        }
        return Optional.empty();
    }

    private OptionalLong allocated() throws IOException {
        for (Attribute total : attributes(THREADING, "TotalThreadAllocatedBytes")) {
            long value = (Long) total.getValue();
            return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
        }
        // before JDK 21: threads that live; what those that have ended have allocated is lost
        Object ids = attributes(THREADING, "AllThreadIds").stream()
                .<Object>map(Attribute::getValue)
                .findFirst()
                .orElse(new long[0]);
        try {
            long sum = 0;
            for (long value : (long[]) invoke(THREADING, "getThreadAllocatedBytes", ids, "[J")) {
                sum += Math.max(0, value);
            }
            return OptionalLong.of(sum);
        } catch (JMException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the attributes that the bean has of these. */
    private List<Attribute> attributes(ObjectName bean, String... names) throws IOException {
        try {
            return beans.getAttributes(bean, names).asList();
        } catch (JMException e) {
            throw new IOException("JVM " + pid + " has no bean " + bean, e);
        }
    }

    private Object invoke(ObjectName bean, String operation, Object argument, String type)
            throws IOException, JMException {
        return beans.invoke(bean, operation, new Object[] {argument}, new String[] {type});
    }

    private IOException gone(String what) {
        return new IOException("JVM " + pid + ": " + what);
    }

    /**
     * Collects all garbage, and returns the instances that are left: at least twice, as finalizers and references are
     * cleared by the next collection, until the bytes of two agree within 0.1 %, at most {@value #MOST_COLLECTIONS} times.
     * Those with the fewest bytes are returned.
     *
     * @throws IOException when the JVM has ended, or has no class histogram
     */
    public ClassHistogram retained() throws IOException {
        ClassHistogram least = histogram();
        for (int i = 1; i < MOST_COLLECTIONS; i++) {
            ClassHistogram now = histogram();
            boolean same = Math.abs(now.bytes() - least.bytes()) <= SAME * least.bytes();
            least = now.bytes() < least.bytes() ? now : least;
            if (same) {
                break;
            }
        }
        return least;
    }

    /**
     * Collects all garbage, and returns the instances that are left.
     *
     * @throws IOException when the JVM has ended, or does not support it
     */
    public ClassHistogram histogram() throws IOException {
        try {
            return ClassHistogram.parse(
                    (String) invoke(COMMANDS, "gcClassHistogram", new String[0], String[].class.getName()));
        } catch (JMException | IllegalArgumentException e) {
            throw new IOException("JVM " + pid + " has no class histogram", e);
        }
    }

    /**
     * Starts a recording of Java Flight Recorder, with the settings {@code profile}.
     *
     * @throws IOException when the JVM has ended, or does not support it
     */
    public JvmRecording record() throws IOException {
        try {
            return JvmRecording.start(pid, beans);
        } catch (JMException | UndeclaredThrowableException e) {
            throw new IOException("JVM " + pid + " can't record: it lacks the module jdk.management.jfr", e);
        }
    }

    @Override
    public List<Figure> figures() throws IOException {
        JvmReading reading = read();
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.level("jvm.heap", "bytes", reading.heap()));
        reading.afterCollection()
                .forEach((pool, bytes) -> figures.add(Figure.level(
                        "jvm.after-collection." + pool.toLowerCase(Locale.ROOT).replace(' ', '-'), "bytes", bytes)));
        reading.allocated().ifPresent(value -> figures.add(Figure.total("jvm.allocated", "bytes/s", value)));
        figures.add(Figure.total("jvm.pauses", "ms/s", reading.paused().toMillis()));
        return figures;
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
