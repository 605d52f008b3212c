package dev.evenkeel.load.internal.kubelet;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.controller.cache.Projection;
import dev.evenkeel.load.PodDelays;
import dev.evenkeel.simulation.internal.workload.PodReport;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler and the kubelets of all nodes, which run no containers: pods get a node and an address, run, become ready,
 * and end when they are deleted, each step after a delay.
 *
 * <h2>The problem</h2>
 *
 * <p>Controllers react to the life of pods, and without kubelets pods have none. Real kubelets need a machine each; this
 * has the same effects on the API, for tens of thousands of pods, and repeatably.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A pod has at most one step ahead of it, the one that its last known state needs. A state that needs another one
 *       cancels it; the result of a cancelled step that has begun does not count.
 *   <li>No two pods have the same address of the range at the same time. An address is given again after its pod is gone.
 *   <li>A pod is bound to a node that has the labels of its selector, takes pods, and has the fewest of such nodes,
 *       counting pods that are being bound.
 *   <li>The delays depend on the seed and the names of pods, not on the order of events.
 *   <li>At rest there are no writes: no heartbeats, and no report is repeated.
 * </ol>
 *
 * <h2>Concurrency and cost</h2>
 *
 * <p>A step ahead is a timer of the {@link Scheduler}, a step that is due waits in a queue for one of a few writers, tasks
 * that end when the queue is empty. So it runs in virtual time, too. It holds one cached state of each pod. Taints,
 * affinity and resources of nodes are not considered.
 */
public final class Kubelets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Kubelets.class);
    private static final Kind<Pod> PODS = Kind.of(Pod.class);
    /** Pods in answers, which are not read. */
    private static final Kind<Encoded> ANSWERS = PODS.encoded();

    private static final Kind<Node> NODES = Kind.of(Node.class);
    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(10));
    private static final WriteOptions SCHEDULER = WriteOptions.DEFAULT.fieldManager("kube-scheduler");
    private static final WriteOptions KUBELET = WriteOptions.DEFAULT.fieldManager("kubelet");

    private final Client client;
    private final Scheduler scheduler;
    private final PodDelays delays;
    private final long seed;
    private final int mostWriters;
    private final Informer<Node> nodeInformer;
    private final Informer<Pod> podInformer;

    // with the lock
    private final NodeTable nodes = new NodeTable();
    private final AddressPool addresses;
    private final Map<ObjectKey, Tracked> pods = new HashMap<>();
    private final Set<Tracked> unplaced = new LinkedHashSet<>();
    private final Queue<Due> queue = new ArrayDeque<>();
    private int writers;
    private int ahead;
    private long written;
    private long failed;
    private boolean closed;

    /** A pod, from its first event to its last. */
    private static final class Tracked {
        final ObjectKey key;
        final String uid;
        Cache.Entry<Pod> state;
        /** The node that it is counted on; empty if none. */
        String node = "";
        /** Its address of the range; empty if none. */
        String address = "";

        Optional<PodStep> step = Optional.empty();
        /** Grows with each planned step, so that cancelled ones are known. */
        int turn;

        boolean isAhead;
        int failures;
        Scheduler.@Nullable Timer timer;

        Tracked(ObjectKey key, Cache.Entry<Pod> state) {
            this.key = key;
            this.uid = state.uid();
            this.state = state;
        }
    }

    /** A step whose time has come. */
    private record Due(Tracked pod, int turn, PodStep step) {}

    /**
     * The state of the work.
     *
     * @param pods the number of pods
     * @param ahead the number of steps that are planned or run
     * @param unplaced the number of pods that fit on no node
     * @param written the number of steps that were made, each with one write
     * @param failed the number of failed attempts
     */
    public record Progress(int pods, int ahead, int unplaced, long written, long failed) {}

    private Kubelets(Builder builder) {
        client = builder.client;
        scheduler = builder.scheduler;
        delays = builder.delays;
        seed = builder.seed;
        mostWriters = builder.writers;
        addresses = new AddressPool(builder.addresses);
        InformerOptions options = InformerOptions.DEFAULT;
        nodeInformer = new Informer<>(
                client,
                NODES,
                ListOptions.ALL,
                scheduler,
                options.projection(Projection.of("spec.unschedulable", "status.addresses")));
        podInformer = new Informer<>(
                client,
                PODS,
                ListOptions.ALL,
                scheduler,
                options.projection(Projection.of(
                        "spec.nodeName",
                        "spec.nodeSelector",
                        "spec.hostNetwork",
                        "spec.schedulingGates",
                        "spec.containers.name",
                        "spec.containers.image",
                        "status.phase",
                        "status.podIP",
                        "status.startTime",
                        "status.conditions")));
    }

    /** Returns a builder for the cluster of a client. */
    public static Builder of(Client client, Scheduler scheduler) {
        return new Builder(client, scheduler);
    }

    /** Builds and starts it. */
    public static final class Builder {
        private final Client client;
        private final Scheduler scheduler;
        private PodDelays delays = PodDelays.DEFAULT;
        private long seed = 1;
        private String addresses = "10.128.0.0/9";
        private int writers = 4;

        private Builder(Client client, Scheduler scheduler) {
            this.client = client;
            this.scheduler = scheduler;
        }

        /** Sets the delays of the steps. */
        public Builder delays(PodDelays value) {
            delays = value;
            return this;
        }

        /** Sets the seed of the variation of delays. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Sets the range of IPv4 addresses of pods; {@code 10.128.0.0/9} by default. */
        public Builder addresses(String value) {
            addresses = value;
            return this;
        }

        /** Sets the number of writes that run at the same time; 4 by default. */
        public Builder writers(int value) {
            if (value <= 0) {
                throw new IllegalArgumentException("writers must be positive: " + value);
            }
            writers = value;
            return this;
        }

        /**
         * Starts to watch pods and nodes; returns at once.
         *
         * @throws IllegalArgumentException when the addresses are not a range of IPv4
         */
        public Kubelets start() {
            Kubelets kubelets = new Kubelets(this);
            kubelets.start();
            return kubelets;
        }
    }

    private void start() {
        Informer.Registration ofNodes = nodeInformer.handle("nodes of kubelets", this::nodeChanged);
        Informer.Registration unused = podInformer.handle("pods of kubelets", this::podChanged);
        nodeInformer.start();
        // before all nodes are known, the first one would get all pods
        var unusedStart = ofNodes.synced().thenRun(podInformer::start);
    }

    private void nodeChanged(Informer.Change<Node> change) {
        String name = change.key().name();
        if (change instanceof Informer.Change.Deleted) {
            synchronized (this) {
                nodes.remove(name);
            }
            return;
        }
        Node node = change.object().object();
        boolean schedulable =
                node.getSpec() == null || !Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        var properties = new NodeTable.Properties(change.object().labels(), schedulable, address(node));
        synchronized (this) {
            if (nodes.put(name, properties)) {
                for (Tracked pod : unplaced) {
                    ahead(pod, true);
                    enqueue(new Due(pod, pod.turn, PodStep.BIND));
                }
                unplaced.clear();
            }
        }
    }

    private static String address(Node node) {
        return node.getStatus() == null
                ? ""
                : node.getStatus().getAddresses().stream()
                        .filter(address -> "InternalIP".equals(address.getType()))
                        .map(NodeAddress::getAddress)
                        .findFirst()
                        .orElse("");
    }

    private void podChanged(Informer.Change<Pod> change) {
        if (change instanceof Informer.Change.Deleted) {
            synchronized (this) {
                Tracked pod = pods.remove(change.key());
                if (pod != null) {
                    forget(pod);
                }
            }
            return;
        }
        Cache.Entry<Pod> state = change.object();
        Pod object = state.object();
        Optional<PodStep> step = PodStep.next(object);
        synchronized (this) {
            Tracked pod = pods.get(state.key());
            if (pod != null && !pod.uid.equals(state.uid())) {
                forget(pod);
                pod = null;
            }
            if (pod == null) {
                pod = new Tracked(state.key(), state);
                pods.put(state.key(), pod);
            }
            pod.state = state;
            String node = PodStep.node(object);
            // one that is being bound is counted, and has no node yet
            if (!node.isEmpty()) {
                move(pod, node);
            }
            PodStatus status = object.getStatus();
            String address = status == null || status.getPodIP() == null ? "" : status.getPodIP();
            // of an earlier process; one that others have set may be that of another pod
            if (pod.address.isEmpty() && addresses.reserve(address)) {
                pod.address = address;
            }
            if (!step.equals(pod.step)) {
                pod.failures = 0;
                plan(pod, step, step.map(next -> delay(next, object)).orElse(Duration.ZERO));
            }
        }
    }

    /** Returns the delay of a step, varied by half. */
    private Duration delay(PodStep step, Pod pod) {
        ObjectKey key = ObjectKey.of(pod);
        long hash = 31L * (31L * key.namespace().hashCode() + key.name().hashCode())
                + step.name().hashCode();
        double factor = 0.5 + new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ hash).nextDouble();
        Duration delay = Duration.ofNanos((long) (step.delay(delays).toNanos() * factor));
        Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
        return step == PodStep.STOP && grace != null && delay.compareTo(Duration.ofSeconds(grace)) > 0
                ? Duration.ofSeconds(grace)
                : delay;
    }

    /** Counts a pod on another node than before. With the lock. */
    private void move(Tracked pod, String node) {
        if (!node.equals(pod.node)) {
            if (!pod.node.isEmpty()) {
                nodes.count(pod.node, -1);
            }
            if (!node.isEmpty()) {
                nodes.count(node, 1);
            }
            pod.node = node;
        }
    }

    /** Ends the tracking of a pod that is gone. With the lock. */
    private void forget(Tracked pod) {
        plan(pod, Optional.empty(), Duration.ZERO);
        move(pod, "");
        if (!pod.address.isEmpty()) {
            addresses.release(pod.address);
        }
    }

    /** Replaces the step ahead of a pod. With the lock. */
    private void plan(Tracked pod, Optional<PodStep> step, Duration delay) {
        if (pod.timer != null) {
            pod.timer.cancel();
            pod.timer = null;
        }
        unplaced.remove(pod);
        pod.turn++;
        pod.step = step;
        ahead(pod, step.isPresent());
        step.filter(next -> !closed).ifPresent(next -> {
            Due due = new Due(pod, pod.turn, next);
            pod.timer = scheduler.schedule(delay, () -> {
                synchronized (this) {
                    enqueue(due);
                }
            });
        });
    }

    private void ahead(Tracked pod, boolean value) {
        if (pod.isAhead != value) {
            pod.isAhead = value;
            ahead += value ? 1 : -1;
        }
    }

    /** With the lock. */
    private void enqueue(Due due) {
        if (closed) {
            return;
        }
        queue.add(due);
        if (writers < mostWriters) {
            writers++;
            Scheduler.Job unused = scheduler.execute("kubelets", this::drain);
        }
    }

    private void drain() {
        while (true) {
            Due due;
            synchronized (this) {
                due = queue.poll();
                if (due == null || closed) {
                    writers--;
                    return;
                }
                if (due.turn != due.pod.turn) {
                    continue;
                }
            }
            try {
                if (perform(due)) {
                    synchronized (this) {
                        written++;
                        done(due);
                    }
                }
            } catch (NotFoundException e) {
                // it is gone, and its event is on the way
                synchronized (this) {
                    done(due);
                }
            } catch (RuntimeException e) {
                failed(due, e);
            }
        }
    }

    /** Notes that a step was made; the event of its write brings the next one. With the lock. */
    private void done(Due due) {
        if (due.turn == due.pod.turn) {
            ahead(due.pod, false);
            due.pod.failures = 0;
        }
    }

    private void failed(Due due, RuntimeException failure) {
        boolean first;
        synchronized (this) {
            failed++;
            Tracked pod = due.pod;
            if (closed || due.turn != pod.turn) {
                return;
            }
            first = pod.failures++ == 0;
            if (due.step == PodStep.BIND) {
                move(pod, "");
            }
            plan(pod, Optional.of(due.step), RETRY.delay(pod.failures, scheduler.random()));
        }
        // conflicts are part of life
        if (first
                && !(failure instanceof ApiException refused && refused.status().code() == 409)) {
            LOG.atWarn()
                    .addKeyValue("pod", due.pod.key)
                    .addKeyValue("step", due.step)
                    .setCause(failure)
                    .log("a pod can't be advanced; trying again");
        }
    }

    /** Makes the write of a step; returns false if there is none yet. */
    private boolean perform(Due due) {
        Cache.Entry<Pod> state;
        synchronized (this) {
            state = due.pod.state;
        }
        Pod pod = state.object();
        switch (due.step) {
            case BIND -> {
                return bind(due, pod);
            }
            case START -> {
                String address;
                String host;
                synchronized (this) {
                    host = nodes.address(due.pod.node);
                    address = Boolean.TRUE.equals(pod.getSpec().getHostNetwork()) && !host.isEmpty()
                            ? host
                            : address(due.pod);
                }
                PodReport report = new PodReport(pod, scheduler.clock().instant());
                Encoded unused = client.patchStatus(
                        ANSWERS,
                        due.pod.key,
                        report.running(address, host, delays.ready().isZero()),
                        KUBELET);
            }
            case READY -> {
                PodReport report = new PodReport(pod, scheduler.clock().instant());
                Encoded unused = client.patchStatus(ANSWERS, due.pod.key, report.ready(), KUBELET);
            }
            case STOP -> {
                var unused = client.delete(
                        ANSWERS,
                        due.pod.key,
                        DeleteOptions.DEFAULT.gracePeriod(Duration.ZERO).uid(due.pod.uid));
            }
        }
        return true;
    }

    private boolean bind(Due due, Pod pod) {
        Map<String, String> selector = Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.of());
        String node;
        synchronized (this) {
            if (due.turn != due.pod.turn) {
                return false;
            }
            Optional<String> chosen = nodes.choose(selector);
            if (chosen.isEmpty()) {
                unplaced.add(due.pod);
                ahead(due.pod, false);
                return false;
            }
            node = chosen.get();
            move(due.pod, node);
        }
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withNamespace(due.pod.key.namespace())
                .withName(due.pod.key.name())
                .withUid(due.pod.uid)
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build();
        client.createSubresource(PODS, due.pod.key, "binding", binding, SCHEDULER);
        return true;
    }

    /** Returns the address of a pod, which it gets if it has none. With the lock. */
    private String address(Tracked pod) {
        if (pod.address.isEmpty()) {
            pod.address = addresses
                    .take()
                    .orElseThrow(() -> new IllegalStateException(
                            "addresses: no address of " + addresses + " is left: give a larger range"));
        }
        return pod.address;
    }

    /** Returns the state of the work. */
    public synchronized Progress progress() {
        return new Progress(pods.size(), ahead, unplaced.size(), written, failed);
    }

    /** Returns the state of the work, for display. */
    @Override
    public String toString() {
        return "kubelets " + progress();
    }

    /** Returns the kinds whose first list is missing, such as {@code pods}. */
    public List<String> unsynced() {
        return Stream.of(nodeInformer, podInformer)
                .flatMap(informer -> informer.unsynced().stream())
                .toList();
    }

    /** Ends it: pods stay as they are. Writes that run are completed. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            for (Tracked pod : pods.values()) {
                if (pod.timer != null) {
                    pod.timer.cancel();
                }
            }
            queue.clear();
        }
        podInformer.close();
        nodeInformer.close();
    }
}
