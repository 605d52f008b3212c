package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.controller.internal.ContextLogger;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;

/**
 * An admission request as a reconciliation of an object that is not stored yet. So there are no caches, nothing is
 * tracked, and the status is written by leaving it in the object.
 */
record AdmissionReconciliation<T extends HasMetadata>(
        Kind<T> kind,
        AdmissionRequest question,
        Optional<Client> reader,
        EventRecorder events,
        Clock clock,
        Instant now,
        Instant end,
        Stash stash,
        AtomicReference<T> subject)
        implements Reconciliation<T> {
    /** Returns the key of the object, existing or not; without a name when the server generates it. */
    @Override
    public ObjectKey key() {
        return ObjectKey.of(
                Objects.requireNonNullElse(question.getNamespace(), ""),
                Objects.requireNonNullElse(question.getName(), ""));
    }

    /** Returns the object with its defaults, before any part changed it. */
    @Override
    public Optional<T> resource() {
        return Optional.ofNullable(subject.get()).map(ModelCodec::copy);
    }

    @Override
    public Client client() {
        return reader.orElseThrow(
                () -> new IllegalStateException("the admission webhook has no client: set one with client(...)"));
    }

    @Override
    public <W extends HasMetadata> Cache<W> cache(Kind<W> wanted) {
        throw new IllegalArgumentException(
                "an admission webhook has no caches, and so none of " + wanted.id() + ": read with client()");
    }

    @Override
    public List<String> causes() {
        return List.of("admission: " + question.getOperation() + " " + kind.kind() + " " + key());
    }

    @Override
    public int failures() {
        return 0;
    }

    @Override
    public Duration remaining() {
        Duration left = Duration.between(clock.instant(), end);
        return left.isPositive() ? left : Duration.ZERO;
    }

    @Override
    public Optional<Fence> fence() {
        return Optional.empty();
    }

    @Override
    public boolean updateStatus(T object) {
        throw new IllegalStateException("an admission webhook does not write " + kind.kind() + " " + key()
                + ", the object of its request: change it in memory; the changes are the response");
    }

    @Override
    public Logger logger() {
        return ContextLogger.of(AdmissionWebhookAdapter.class.getName(), key());
    }

    @Override
    public Tracker tracker() {
        // nothing triggers an admission request
        return ReconciliationView.tracker(this, tracked -> {});
    }
}
