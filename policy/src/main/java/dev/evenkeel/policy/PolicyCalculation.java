package dev.evenkeel.policy;

import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.internal.calculation.PolicyGraph;
import dev.evenkeel.policy.internal.convert.PolicyModel;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Calculates what each host needs to know to enforce network policy, and sends it as small changes.
 *
 * <pre>{@code
 * PolicyCalculation calculation = PolicyCalculation.forHost("node-1");
 * Cursor<Update> updates = calculation.open("node-1");
 * calculation.transact(tx -> {
 *     objects.forEach(tx::put);
 *     PolicyCalculation.kinds().forEach(tx::synced);
 * });
 * List<Update> batch = updates.poll().messages();
 * }</pre>
 *
 * <p>A host receives its endpoints, the policies and profiles that apply to these, the IP sets that the rules of these
 * mention, and its node. Each batch is one consistent step, in an order in which references resolve: IP sets, policies and
 * profiles, endpoints, and then removals in reverse. What was sent depends on the current objects only, not on the changes
 * that led to them: what changes and returns between two polls is not sent.
 *
 * <p>Endpoints are held back until all kinds are {@linkplain PolicyTransaction#synced in sync}, so no host enforces a part of
 * the policies. The first batch after that ends with the message {@code InSync}. A profile that does not exist is sent as
 * one that denies. A host that opens later, or again, receives its state.
 *
 * <p>Objects are converted when they are put; an update that leaves the converted form equal, such as of the status of a
 * pod that keeps its address, costs no calculation. Fields that cannot be converted never allow more; {@link #problems}
 * lists them.
 *
 * <p>Thread-safe. A transaction runs on the thread of its caller.
 */
public final class PolicyCalculation {
    private final PolicyGraph graph;
    private final Optional<String> host;

    private PolicyCalculation(Optional<String> host) {
        this.host = host;
        graph = new PolicyGraph(host);
    }

    /** Returns a calculation for one host. It needs all objects of the cluster, and keeps those that matter. */
    public static PolicyCalculation forHost(String host) {
        return new PolicyCalculation(Optional.of(host));
    }

    /** Returns a calculation for all hosts, of which each receives what it needs. */
    public static PolicyCalculation forAllHosts() {
        return new PolicyCalculation(Optional.empty());
    }

    /** Returns the classes of the objects that policy is calculated from. */
    public static List<Class<? extends HasMetadata>> kinds() {
        return PolicyModel.kinds();
    }

    /** Returns the tables. */
    PolicyGraph graph() {
        return graph;
    }

    /**
     * Changes objects, and then all that is calculated from them, in one step.
     *
     * @throws RuntimeException that the function throws; nothing has changed then
     */
    public void transact(Consumer<? super PolicyTransaction> body) {
        graph.graph().transact(transaction -> body.accept(new PolicyTransaction(graph, transaction)));
    }

    /**
     * Adds a consumer of the updates of a host, to which nothing was sent. The host may be unknown yet.
     *
     * @throws IllegalArgumentException if this is the calculation for another host
     */
    public Cursor<Update> open(String name) {
        host.filter(only -> !only.equals(name)).ifPresent(only -> {
            throw new IllegalArgumentException(
                    "host: \"" + name + "\" is not \"" + only + "\", the only one that is calculated");
        });
        return graph.sink().open(name);
    }

    /** Returns true if all kinds are in sync. */
    public boolean isInSync() {
        return graph.synced().isOpen();
    }

    /**
     * Returns the fields that are invalid or not supported, each with the consequence, sorted. Such a field never makes a
     * policy allow more.
     */
    public List<String> problems() {
        return graph.problems();
    }

    /** Describes the tables of the calculation with their sizes, and the work of the last step and of all. */
    public String explain() {
        return graph.graph().explain();
    }

    /**
     * Describes what the message of an endpoint is calculated from, back to the objects.
     *
     * @param endpoint a pod as {@code namespace/name}, or the name of a host endpoint
     */
    public String why(String endpoint) {
        return graph.graph().why(graph.endpoints(), endpoint);
    }

    /**
     * Calculates everything again from the objects, and compares.
     *
     * @throws IllegalStateException if something differs
     */
    public void verify() {
        graph.graph().verify();
    }
}
