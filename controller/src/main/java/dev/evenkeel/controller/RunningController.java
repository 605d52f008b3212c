package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller at work: changes become keys, and workers reconcile them.
 *
 * <p>Workers begin when all informers are in sync, so that no reconciler takes an object for gone that was just not
 * listed yet.
 */
final class RunningController<T extends HasMetadata> {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final Controller<T> controller;
    private final Client client;
    private final Clock clock;
    private final WorkQueue<Request> queue;
    private final Informer<T> primary;
    private final List<Informer<?>> informers = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    private CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile boolean stopping;

    RunningController(
            Controller<T> controller, Client client, Clock clock, WorkQueue<Request> queue, Informers informers) {
        this.controller = controller;
        this.client = client;
        this.clock = clock;
        this.queue = queue;
        this.primary = informers.of(controller.primary());
        primary.listen(change -> queue.add(new Request(ObjectKey.of(change.object()))));
        this.informers.add(primary);
        controller.owned().forEach(kind -> {
            Informer<?> owned = informers.of(kind);
            listen(owned);
            this.informers.add(owned);
        });
    }

    private <C extends HasMetadata> void listen(Informer<C> owned) {
        owned.listen(change -> {
            addOwner(change.object());
            if (change instanceof Change.Updated<C> updated) {
                // who lost the object must know too
                addOwner(updated.before());
            }
        });
    }

    private void addOwner(HasMetadata object) {
        OwnerReferences.controllerOf(object).filter(this::isPrimary).ifPresent(owner -> {
            String namespace =
                    controller.primary().namespaced() ? ObjectKey.of(object).namespace() : "";
            queue.add(new Request(ObjectKey.of(namespace, owner.getName())));
        });
    }

    /** The version of a reference may be another one that is served. */
    private boolean isPrimary(OwnerReference owner) {
        String apiVersion = owner.getApiVersion();
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return owner.getKind().equals(controller.primary().kind())
                && group.equals(controller.primary().group());
    }

    void start() {
        ready = CompletableFuture.allOf(informers.stream().map(Informer::synced).toArray(CompletableFuture<?>[]::new));
        for (int i = 1; i <= controller.workers(); i++) {
            workers.add(Thread.ofVirtual()
                    .name("controller " + controller.name() + " worker " + i)
                    .start(this::work));
        }
    }

    /** Lets reconciliations that run come to their end, and begins no others. */
    void stop() throws InterruptedException {
        stopping = true;
        queue.shutDown();
        ready.cancel(false);
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void work() {
        try {
            ready.get();
            for (Optional<Request> next = queue.take(); next.isPresent() && !stopping; next = queue.take()) {
                Request request = next.get();
                try {
                    reconcile(request);
                } finally {
                    queue.done(request);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CancellationException | ExecutionException e) {
            LOG.atDebug().addKeyValue("controller", controller.name()).log("stopped before it was in sync");
        }
    }

    // Whatever a reconciler does wrong is its own: the worker goes on with other keys.
    @SuppressWarnings("CatchThrowable")
    private void reconcile(Request request) {
        Result result;
        try {
            result = controller.reconciler().reconcile(reconciliation(request));
        } catch (ConflictException e) {
            LOG.atDebug()
                    .addKeyValue("controller", controller.name())
                    .addKeyValue("key", request)
                    .log("conflict, trying again: {}", e.getMessage());
            queue.addRateLimited(request);
            return;
        } catch (Throwable e) {
            queue.addRateLimited(request);
            LOG.atError()
                    .addKeyValue("controller", controller.name())
                    .addKeyValue("key", request)
                    .addKeyValue("failures", queue.failures(request))
                    .setCause(e)
                    .log("reconciliation failed");
            return;
        }
        switch (result) {
            case Result.Done _ -> queue.forget(request);
            case Result.After(var delay) -> {
                queue.forget(request);
                queue.addAfter(request, delay);
            }
            case Result.Retry _ -> queue.addRateLimited(request);
        }
    }

    private Reconciliation<T> reconciliation(Request request) {
        return new Reconciliation<>() {
            @Override
            public Request request() {
                return request;
            }

            @Override
            public Optional<T> resource() {
                return primary.find(request.key());
            }

            @Override
            public Client client() {
                return client;
            }

            @Override
            public Clock clock() {
                return clock;
            }
        };
    }
}
