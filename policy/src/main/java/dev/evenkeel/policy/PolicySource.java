package dev.evenkeel.policy;

import dev.evenkeel.client.Backoff;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.controller.cache.Projection;
import dev.evenkeel.graph.Feed;
import dev.evenkeel.policy.internal.calculation.PolicyGraph;
import dev.evenkeel.policy.internal.calculation.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the objects of a {@link PolicyCalculation} equal to those of a cluster.
 *
 * <pre>{@code
 * PolicyCalculation calculation = PolicyCalculation.forHost("node-1");
 * try (SystemScheduler scheduler = new SystemScheduler();
 *         PolicySource source = PolicySource.start(calculation, client, scheduler);
 *         Cursor<Update> updates = calculation.open("node-1")) {
 *     List<Update> batch = updates.poll(Duration.ofSeconds(10)).messages();
 * }
 * }</pre>
 *
 * <p>It lists and watches each kind. What changes during a step is the next step together. A gap in a watch changes only
 * what differs after it. A kind that the cluster does not have, as its CustomResourceDefinition is missing, counts as one
 * without objects, until the definition is created; {@link #problems} has it.
 */
public final class PolicySource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolicySource.class);

    /** The number of changes that wait for a step before informers wait. */
    private static final int CAPACITY = 10_000;

    private static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30));

    /** The fields that are used, of kinds that have many others. */
    private static final Map<Class<? extends HasMetadata>, Projection> PROJECTIONS = Map.of(
            Pod.class,
            Projection.of(
                    "spec.nodeName",
                    "spec.hostNetwork",
                    "spec.serviceAccountName",
                    "spec.containers.ports",
                    "spec.initContainers.ports",
                    "status.phase",
                    "status.podIP",
                    "status.podIPs"),
            Node.class,
            Projection.of("spec.podCIDR", "spec.podCIDRs", "status.addresses"),
            EndpointSlice.class,
            Projection.of("addressType", "endpoints.addresses", "ports"));

    private final PolicyCalculation calculation;
    private final Client client;
    private final Scheduler scheduler;
    private final Map<Class<? extends HasMetadata>, Informer<?>> informers = new LinkedHashMap<>();

    /** The kinds that the cluster does not have, each with the problem. */
    private final Map<String, String> absent = new ConcurrentSkipListMap<>();

    private volatile boolean closed;

    private PolicySource(PolicyCalculation calculation, Client client, Scheduler scheduler) {
        this.calculation = calculation;
        this.client = client;
        this.scheduler = scheduler;
    }

    /**
     * Starts to list and watch; returns at once.
     *
     * @param client reads the kinds of {@link PolicyCalculation#kinds} in all namespaces
     * @param scheduler runs the steps of the calculation, one at a time
     */
    public static PolicySource start(PolicyCalculation calculation, Client client, Scheduler scheduler) {
        PolicySource source = new PolicySource(calculation, client, scheduler);
        source.start();
        return source;
    }

    private void start() {
        PolicyGraph graph = calculation.graph();
        Feed feed = new Feed(
                graph.graph(),
                task -> {
                    Scheduler.Job unused = scheduler.execute("policy calculation", task);
                },
                CAPACITY);
        for (Class<? extends HasMetadata> type : PolicyCalculation.kinds()) {
            Source<?, ?, ?> source = graph.source(type).orElseThrow();
            InformerOptions options = InformerOptions.DEFAULT
                    .mode(InformerOptions.Mode.STREAM)
                    .projection(PROJECTIONS.getOrDefault(type, InformerOptions.DEFAULT.projection()));
            Informer<?> informer = source.informer(client, scheduler, options, feed);
            informers.put(type, informer);
            if (CustomResource.class.isAssignableFrom(type)) {
                startWhenDefined(Kind.of(type), informer, source, feed, 0);
            } else {
                informer.start();
            }
        }
    }

    /** Starts an informer when the cluster has its kind, and looks again while it has not. */
    private void startWhenDefined(Kind<?> kind, Informer<?> informer, Source<?, ?, ?> source, Feed feed, int attempt) {
        Scheduler.Job unusedJob = scheduler.execute("kind " + kind.id(), () -> {
            if (closed) {
                return;
            }
            try {
                client.list(kind, ListOptions.ALL.limit(1));
                absent.remove(kind.id());
                informer.start();
                if (closed) {
                    informer.close();
                }
                return;
            } catch (NotFoundException e) {
                absent.put(
                        kind.id(),
                        kind.id() + ": the cluster does not have this kind; it counts as one without objects until its"
                                + " CustomResourceDefinition is created");
                var unusedStep = feed.submit(source::synced);
            } catch (RuntimeException e) {
                LOG.atWarn().addKeyValue("kind", kind.id()).setCause(e).log("cannot list a kind; trying again");
            }
            Scheduler.Timer unusedTimer = scheduler.schedule(
                    BACKOFF.delay(attempt + 1, scheduler.random()),
                    () -> startWhenDefined(kind, informer, source, feed, attempt + 1));
        });
    }

    /** Returns the problems of the calculation, and the kinds that the cluster does not have. */
    public List<String> problems() {
        List<String> all = new ArrayList<>(absent.values());
        all.addAll(calculation.problems());
        return List.copyOf(all);
    }

    /** Returns the kinds whose first list is missing, such as {@code pods}. */
    public List<String> unsynced() {
        return informers.values().stream()
                .filter(informer -> !absent.containsKey(informer.kind().id()))
                .flatMap(informer -> informer.unsynced().stream())
                .toList();
    }

    /** Ends the watches; the calculation keeps its objects. */
    @Override
    public void close() {
        closed = true;
        informers.values().forEach(Informer::close);
    }
}
