package dev.evenkeel.testing;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.StandaloneController;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.Tracker.Target;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Runs a controller in a cluster, and observes its effects. */
final class Runner<T extends HasMetadata> implements AutoCloseable {
    private final TestCluster cluster;
    private final StandaloneController<T> rehearsal;

    /** Starts a controller: its caches have the present objects of the cluster, and its initializer was called. */
    Runner(TestCluster cluster, Controller<T> controller) {
        this.cluster = cluster;
        EventRecorder events = cluster.recorder();
        this.rehearsal = new StandaloneController<>(
                controller, cluster.reactive(), cluster.source(), cluster.namespaces, cluster.scheduler, events);
        try {
            rehearsal.initialize();
        } catch (RuntimeException | Error e) {
            rehearsal.close();
            throw e;
        }
    }

    void settle() {
        cluster.settle();
    }

    /** Records what earlier reconciliations of an object have tracked. */
    void tracked(ObjectKey observer, List<Target> targets) {
        Tracker tracker =
                rehearsal.reconciliation(observer, new Stash(), target -> {}).tracker();
        targets.forEach(tracker::track);
    }

    CaseResult.Observed run(
            ObjectKey key, Stash stash, Reconciler<T> reconciler, Expectations<?> expected, CaseResult verdict) {
        List<Target> tracks = new ArrayList<>();
        Reconciliation<T> reconciliation = rehearsal.reconciliation(key, stash, tracks::add);
        return observe(cluster, tracks, stash, () -> reconciler.reconcile(reconciliation), expected, verdict);
    }

    static CaseResult.Observed observe(
            TestCluster cluster,
            List<Target> tracks,
            Stash stash,
            Supplier<Result> run,
            Expectations<?> expected,
            CaseResult verdict) {
        TestCluster.Mark before = cluster.mark();
        List<String> logs = new ArrayList<>();
        boolean listens = !expected.logs.isEmpty() && logsWithLogback();
        if (!expected.logs.isEmpty() && !listens) {
            verdict.problem("expectLog: log lines can be captured with logback-classic behind SLF4J only: add it to"
                    + " the tests");
        }
        Attempt attempt = listens ? LogLines.during(() -> Attempt.of(run), logs) : Attempt.of(run);
        return new CaseResult.Observed(cluster, before, tracks, logs, attempt.outcome(), attempt.thrown(), stash);
    }

    /** Returns an object as a root loads it from the cache; the given one when the cache does not have it. */
    T cached(T object) {
        ObjectKey key = ObjectKey.of(object);
        return rehearsal
                .reconciliation(key, new Stash(), tracked -> {})
                .resource()
                .orElse(object);
    }

    CaseResult.Observed reconcile(ObjectKey key, Expectations<?> expected, CaseResult verdict) {
        return run(key, new Stash(), rehearsal::reconcile, expected, verdict);
    }

    /** Waits for another thread that starts SLF4J: it holds this lock, and others get a substitute meanwhile. */
    @SuppressWarnings("LockOnNonEnclosingClassLiteral")
    private static boolean logsWithLogback() {
        synchronized (LoggerFactory.class) {
            return LoggerFactory.getILoggerFactory()
                    .getClass()
                    .getName()
                    .equals("ch.qos.logback.classic.LoggerContext");
        }
    }

    private record Attempt(Result outcome, @Nullable Throwable thrown) {
        static Attempt of(Supplier<Result> run) {
            try {
                return new Attempt(run.get(), null);
            } catch (RuntimeException e) {
                return new Attempt(Result.failed(e), e);
            } catch (AssertionError | StackOverflowError e) {
                return new Attempt(Result.failed(new IllegalStateException(e)), e);
            }
        }
    }

    @Override
    public void close() {
        rehearsal.close();
    }
}
