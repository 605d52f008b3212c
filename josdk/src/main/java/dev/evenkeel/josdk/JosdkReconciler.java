package dev.evenkeel.josdk;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.RateLimiter;
import dev.evenkeel.controller.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.ResolvedControllerConfiguration;
import io.javaoperatorsdk.operator.api.config.informer.InformerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an Evenkeel controller as a reconciler of JOSDK, in an operator with other JOSDK reconcilers: JOSDK's queue,
 * threads, retries, metrics and leader election; Evenkeel's caches, client, parts and rules.
 *
 * <h2>The problem</h2>
 *
 * <p>A working operator is not rewritten at once. One reconciler after the other moves, and a moved one must behave as
 * it will when all have: triggered by the same events, backed by the same caches, its outcomes kept.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>All that the controller declares triggers it, and nothing need be declared again: changes of the primary object
 *       (including its metadata, its deletion timestamp, and its removal), of objects that it owns, watches and tracks;
 *       sources; the interval.
 *   <li>The reconciler reads from its own caches, which are never older than its own writes. JOSDK's cache of the
 *       primary objects only decides whether one exists.
 *   <li>All that is cached is of the namespaces of JOSDK's configuration, also when they are changed while it runs; see
 *       {@link dev.evenkeel.controller.Manager.Builder#namespaces}.
 *   <li>Nothing of an {@link Result} is lost: see the table.
 * </ol>
 *
 * <table>
 *   <caption>Outcomes in JOSDK</caption>
 *   <tr><th>outcome</th><th>JOSDK sees</th></tr>
 *   <tr><td>done, halted</td><td>no update; rescheduled when there is a delay</td></tr>
 *   <tr><td>quiet, or a wish to retry</td><td>no update; rescheduled with the growing delays of the
 *   controller</td></tr>
 *   <tr><td>durable</td><td>an error without retry; rescheduled when there is a delay</td></tr>
 *   <tr><td>failed</td><td>an error: JOSDK's retry; a delay that is shorter counts</td></tr>
 * </table>
 *
 * <p>By default JOSDK gives up after some tries; {@link #register} makes it continue, with delays up to five minutes.
 *
 * <p>The controller's workers, placement, deadline and fairness are ignored: JOSDK has its own.
 *
 * @param <T> class of the primary objects
 */
public final class JosdkReconciler<T extends HasMetadata> implements Reconciler<T> {
    private static final Logger LOG = LoggerFactory.getLogger(JosdkReconciler.class);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);

    private final Controller<T> controller;
    private final ControllerEventSource<T> wakes;
    private final RateLimiter.Delays delays;
    private final Map<ObjectKey, Integer> again = new ConcurrentHashMap<>();

    /** The failures thrown, until JOSDK calls back to handle them. */
    private final Map<ObjectKey, Result> failures = new ConcurrentHashMap<>();

    private JosdkReconciler(Controller<T> controller, Client client) {
        this.controller = controller;
        this.wakes = new ControllerEventSource<>(controller, client);
        this.delays = controller.retry().start();
    }

    /**
     * Returns a reconciler that runs the controller.
     *
     * @param client reads and writes; of the same cluster as the operator's, such as one made of
     *     {@link Fabric8Connection}
     */
    public static <T extends HasMetadata> JosdkReconciler<T> of(Controller<T> controller, Client client) {
        return new JosdkReconciler<>(controller, client);
    }

    /** Registers it with an operator, from its start to its stop. */
    public RegisteredController<T> register(Operator operator) {
        return register(operator, more -> {});
    }

    /**
     * Registers it with an operator.
     *
     * @param more changes the configuration: namespaces, retry, rate limits. It must still be called for all events
     */
    public RegisteredController<T> register(Operator operator, Consumer<ControllerConfigurationOverrider<T>> more) {
        ControllerConfigurationOverrider<T> configuration =
                ControllerConfigurationOverrider.override(configuration(operator));
        more.accept(configuration);
        return operator.register(this, configuration.build());
    }

    private ControllerConfiguration<T> configuration(Operator operator) {
        Class<T> type = controller.primary().javaType();
        return new ResolvedControllerConfiguration<T>(
                controller.name().toLowerCase(Locale.ROOT),
                // changes without a new generation trigger it as well: by Evenkeel's caches
                true,
                JosdkReconciler.class.getName(),
                new GenericRetry()
                        .setInitialInterval(1000)
                        .setIntervalMultiplier(2)
                        .setMaxInterval(LONGEST_RETRY.toMillis())
                        .withoutMaxAttempts(),
                LinearRateLimiter.deactivatedRateLimiter(),
                null,
                ControllerConfiguration.ensureValidFinalizerName(
                        Constants.NO_VALUE_SET, controller.primary().id()),
                Map.of(),
                controller.name(),
                operator.getConfigurationService(),
                InformerConfiguration.builder(type).buildForController(),
                true,
                null);
    }

    /** Returns the event source of all that the controller declares. */
    @Override
    public List<EventSource<?, T>> prepareEventSources(EventSourceContext<T> context) {
        wakes.changeNamespaces(context.getControllerConfiguration().getEffectiveNamespaces());
        return List.of(wakes);
    }

    @Override
    public UpdateControl<T> reconcile(T resource, Context<T> context) {
        ObjectKey key = ObjectKey.of(resource);
        int failed = context.getRetryInfo().map(RetryInfo::getAttemptCount).orElse(0);
        if (context.isPrimaryResourceDeleted()) {
            wakes.awaitDeletion(key, resource.getMetadata().getUid());
        }
        Result outcome = wakes.reconcile(key, failed);
        Optional<Duration> next = next(key, outcome);
        Optional<RuntimeException> failure = outcome.failure();
        if (failure.isPresent()) {
            failures.put(key, outcome);
            throw failure.get();
        }
        UpdateControl<T> control = UpdateControl.noUpdate();
        next.ifPresent(control::rescheduleAfter);
        return control;
    }

    /** Returns the delay until the next reconciliation without an event. */
    private Optional<Duration> next(ObjectKey key, Result outcome) {
        if (!outcome.retries() || outcome.severity() == Result.Severity.FAILED) {
            again.remove(key);
            delays.forget(key);
            return outcome.delay();
        }
        int before = again.merge(key, 1, Integer::sum) - 1;
        Duration growing = Duration.ofNanos(delays.nanos(key, before, System.nanoTime(), ThreadLocalRandom.current()));
        return outcome.delay().filter(delay -> delay.compareTo(growing) < 0).or(() -> Optional.of(growing));
    }

    @Override
    public ErrorStatusUpdateControl<T> updateErrorStatus(T resource, Context<T> context, Exception error) {
        ObjectKey key = ObjectKey.of(resource);
        Result outcome = Optional.ofNullable(failures.remove(key)).orElse(Result.done());
        if (outcome.severity() == Result.Severity.DURABLE) {
            LOG.atError()
                    .addKeyValue("controller", controller.name())
                    .addKeyValue("key", key)
                    .setCause(error)
                    .log("reconciliation failed; not retried before something changes");
            ErrorStatusUpdateControl<T> control =
                    ErrorStatusUpdateControl.<T>noStatusUpdate().withNoRetry();
            outcome.delay().ifPresent(control::rescheduleAfter);
            return control;
        }
        // JOSDK has one delay for a retry, and it is its own
        outcome.delay().ifPresent(delay -> wakes.wakeAfter(key, delay));
        return ErrorStatusUpdateControl.defaultErrorProcessing();
    }

    /** Returns the controller's name. */
    @Override
    public String toString() {
        return "JosdkReconciler of " + controller.name();
    }
}
