package dev.evenkeel.policy;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.Transaction;
import dev.evenkeel.policy.internal.calculation.PolicyGraph;
import dev.evenkeel.policy.internal.calculation.Source;
import dev.evenkeel.policy.internal.convert.PolicyModel;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;

/**
 * The changes of one step of a {@link PolicyCalculation}: hosts never see a part of them. Valid until the function returns
 * that {@link PolicyCalculation#transact} passed it to.
 */
public final class PolicyTransaction {
    private final PolicyGraph graph;
    private final Transaction transaction;

    PolicyTransaction(PolicyGraph graph, Transaction transaction) {
        this.graph = graph;
        this.transaction = transaction;
    }

    /**
     * Adds or replaces an object, of its class or a generic one. Objects of kinds that are not among {@link
     * PolicyCalculation#kinds} do not matter.
     *
     * @throws IllegalArgumentException if a generic object does not fit the class of its kind
     */
    public PolicyTransaction put(HasMetadata object) {
        HasMetadata typed = PolicyModel.typed(object);
        graph.source(typed.getClass()).ifPresent(source -> source.put(transaction, typed));
        return this;
    }

    /** Removes an object, if it is present. */
    public PolicyTransaction remove(HasMetadata object) {
        HasMetadata typed = PolicyModel.typed(object);
        graph.source(typed.getClass()).ifPresent(source -> source.remove(transaction, ObjectKey.of(typed)));
        return this;
    }

    /**
     * Removes an object, if it is present.
     *
     * @throws IllegalArgumentException if the class is not among {@link PolicyCalculation#kinds}
     */
    public PolicyTransaction remove(Class<? extends HasMetadata> kind, ObjectKey object) {
        source(kind).remove(transaction, object);
        return this;
    }

    /**
     * Replaces all objects of a kind, such as after a new list: only what differs is a change.
     *
     * @throws IllegalArgumentException if the class is not among {@link PolicyCalculation#kinds}
     */
    public <T extends HasMetadata> PolicyTransaction replace(Class<T> kind, Collection<? extends T> objects) {
        source(kind).replace(transaction, objects);
        return this;
    }

    /**
     * Notes that all objects of a kind are there. Endpoints are sent when that is true of all kinds.
     *
     * @throws IllegalArgumentException if the class is not among {@link PolicyCalculation#kinds}
     */
    public PolicyTransaction synced(Class<? extends HasMetadata> kind) {
        source(kind).synced(transaction);
        return this;
    }

    private Source<?, ?, ?> source(Class<? extends HasMetadata> kind) {
        return graph.source(kind)
                .orElseThrow(() -> new IllegalArgumentException("kind: " + kind.getSimpleName()
                        + " is not one that policy is calculated from; those are "
                        + PolicyCalculation.kinds().stream()
                                .map(Class::getSimpleName)
                                .sorted()
                                .toList()));
    }
}
