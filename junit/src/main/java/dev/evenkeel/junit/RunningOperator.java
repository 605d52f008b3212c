package dev.evenkeel.junit;

import dev.evenkeel.junit.internal.RequestTap;
import dev.evenkeel.junit.internal.TappedWatch;
import dev.evenkeel.server.internal.resource.ApiCall;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An operator of JOSDK between its start and its crash, with a client whose requests the run sees. After its crash they
 * are refused.
 *
 * <p>Its state is guarded by the run, as the run's own.
 */
final class RunningOperator implements RequestTap {
    private static final long PAUSE_NANOS = 200_000;

    private final JosdkRun run;
    private final EngineCluster cluster;
    private final KubernetesClient client;
    private final Operator operator;
    private final Set<TappedWatch> watches = new LinkedHashSet<>();
    private final ReopenedWatches reopened = new ReopenedWatches();

    /** Virtual threads: an operator starts and ends many times in a check, and its threads with it. */
    private final ThreadPoolExecutor reconciliations = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofVirtual().factory());

    private long cutAt;
    private @Nullable JosdkOperator control;
    private volatile boolean dead;

    RunningOperator(JosdkRun run, JosdkCheckSpec spec, EngineCluster cluster) {
        this.run = run;
        this.cluster = cluster;
        client = cluster.newClient(this);
        operator = new Operator(settings -> {
            settings.withKubernetesClient(client)
                    .withCloseClientOnStop(false)
                    .withConcurrentReconciliationThreads(1)
                    .withExecutorService(reconciliations);
            spec.settings.forEach(each -> each.accept(settings));
        });
        int threads = operator.getConfigurationService().concurrentReconciliationThreads();
        reconciliations.setMaximumPoolSize(threads);
        reconciliations.setCorePoolSize(threads);
        spec.reconcilers.forEach(register -> register.accept(operator));
    }

    void start() {
        try {
            operator.start();
            control = JosdkOperator.of(cluster, operator);
        } catch (RuntimeException e) {
            if (!dead) {
                run.fail("the operator does not start", List.of(String.valueOf(e)));
            }
        }
    }

    void stop() {
        dead = true;
        JosdkOperator running = control;
        if (running != null) {
            running.settle();
        } else {
            cluster.awaitQuiet();
        }
        operator.stop();
        client.close();
    }

    /** Lets none of its requests have an effect any more. */
    void crash() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    /** Returns the kinds that it reconciles. */
    Set<String> kinds() {
        return operator.getRegisteredControllers().stream()
                .map(controller ->
                        HasMetadata.getKind(controller.getConfiguration().getResourceClass()))
                .collect(Collectors.toSet());
    }

    /** Returns its open watches. */
    List<TappedWatch> watches() {
        return List.copyOf(watches);
    }

    /** Returns its open watches of a resource. */
    List<TappedWatch> watches(String resource) {
        return watches.stream()
                .filter(watch -> watch.call().resource().equals(resource))
                .toList();
    }

    /** Waits until it is at rest; false if there may be something to do. */
    boolean settle() {
        JosdkOperator running = control;
        if (running == null) {
            return false;
        }
        long started = running.settled();
        synchronized (run) {
            boolean open = reopened.areOpen(this::open, () -> cluster.activity().quietSince(started));
            if (open || dead) {
                return !dead;
            }
            if (System.nanoTime() - cutAt > EngineCluster.MOST_WAIT.toNanos()) {
                run.fail("the operator does not watch again after its watches were cut", reopened.missing());
            }
        }
        // fabric8's client connects again after a millisecond of real time
        LockSupport.parkNanos(PAUSE_NANOS);
        return false;
    }

    /** Returns the time until its next retry or reschedule; empty if there is none. */
    Optional<Duration> next() {
        JosdkOperator running = control;
        return running == null ? Optional.empty() : running.next();
    }

    /** Advances its timers. */
    void advance(Duration time) {
        JosdkOperator running = control;
        if (running != null) {
            running.advance(time);
        }
    }

    /** Cuts some of its watches. */
    void cut(List<TappedWatch> some) {
        expectAgain(some);
        some.forEach(TappedWatch::cut);
    }

    /** Lets some of its watches that were held deliver again. Those that have ended since must be opened again. */
    void release(List<TappedWatch> some) {
        expectAgain(some.stream().filter(TappedWatch::hasEnded).toList());
        some.forEach(TappedWatch::release);
    }

    private void expectAgain(List<TappedWatch> ending) {
        cutAt = System.nanoTime();
        ending.forEach(watch -> {
            String kind = watch.call().toString();
            reopened.cut(kind, open(kind));
        });
        // they do not count any more, although their ends come later
        ending.forEach(watches::remove);
    }

    private long open(String kind) {
        return watches.stream()
                .filter(watch -> watch.call().toString().equals(kind))
                .count();
    }

    @Override
    public Decision arrived(ApiCall call) {
        synchronized (run) {
            if (dead) {
                return new RequestTap.Refuse(RequestFault.status(403, "the operator has crashed"));
            }
            return call.isWork() ? run.arrived(call) : Decision.PASS;
        }
    }

    @Override
    public OptionalLong revision(ApiCall call) {
        synchronized (run) {
            return run.revision(call);
        }
    }

    @Override
    public Decision answered(ApiCall call, int status) {
        synchronized (run) {
            if (dead) {
                return Decision.DROP;
            }
            return call.isWork() ? run.answered(call, status) : Decision.PASS;
        }
    }

    @Override
    public void opened(TappedWatch watch) {
        synchronized (run) {
            watches.add(watch);
            run.opened(watch);
        }
    }

    @Override
    public void closed(TappedWatch watch) {
        synchronized (run) {
            watches.remove(watch);
        }
    }
}
