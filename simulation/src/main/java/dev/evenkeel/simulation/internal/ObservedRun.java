package dev.evenkeel.simulation.internal;

import dev.evenkeel.client.ForwardingClient.Operation;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The events of a run without faults: the places where faults can be injected.
 *
 * @param writes all writes
 * @param calls all calls of external systems that were declared as interfaces
 * @param children created objects, and the number of the write that created each
 * @param primaries the reconciled objects
 * @param cached ids of the kinds that are cached
 * @param readsAfter number of reads after a write and before the next, by its number
 * @param migratable ids of the kinds whose definition has another version in which objects can be stored
 */
public record ObservedRun(
        List<Write> writes,
        List<Call> calls,
        Map<ObjectRef, Integer> children,
        Set<ObjectRef> primaries,
        Set<String> cached,
        Map<Integer, Integer> readsAfter,
        Set<String> migratable) {
    /**
     * A write.
     *
     * @param edits number of changes that users had made before
     * @param deleting whether the reconciled objects were being deleted
     * @param effective whether it changed anything
     */
    public record Write(int number, int edits, boolean deleting, Operation operation, boolean effective) {}

    /**
     * A call of an external system.
     *
     * @param after number of the last write before it
     * @param edits number of changes that users had made before
     * @param deleting whether the reconciled objects were being deleted
     * @param effective whether it changed anything that counts
     */
    public record Call(int number, int after, int edits, boolean deleting, boolean effective) {}

    int reads(int write) {
        return readsAfter.getOrDefault(write, 0);
    }
}
