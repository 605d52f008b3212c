package dev.evenkeel.examples.stream;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.Function;

/** Looks up the broker of an object once, tracks it, and leaves it in the stash for later parts. */
final class BrokerLookup {
    static final Kind<Broker> BROKERS = Kind.of(Broker.class);
    private static final Stash.Key<Broker> FOUND = Stash.Key.of("broker", Broker.class);

    private BrokerLookup() {}

    /**
     * Returns the part.
     *
     * @param name of the broker, in the namespace of the object
     */
    static <T extends HasMetadata> Part<T> of(Function<T, String> name) {
        Part.Description description =
                Part.Description.of("BrokerLookup").needs(new Part.Requirement.Tracks<>(BROKERS));
        return Part.of(description, (reconciliation, object) -> {
            ObjectKey key = ObjectKey.of(reconciliation.key().namespace(), name.apply(object));
            Optional<Broker> broker = reconciliation.tracker().find(BROKERS, key);
            broker.ifPresent(found -> reconciliation.stash().put(FOUND, found));
            return Result.done();
        });
    }

    /** Returns the broker; empty when it does not exist. */
    static Optional<Broker> found(Reconciliation<?> reconciliation) {
        return reconciliation.stash().get(FOUND);
    }
}
