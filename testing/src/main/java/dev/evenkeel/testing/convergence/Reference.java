package dev.evenkeel.testing.convergence;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What came of a trial; that of the calm one is what others are compared with.
 *
 * @param finding what was wrong
 * @param worlds how the world was, by how many changes users had made, and then what was left after the deletion; only
 *     in a calm one
 * @param done all writes
 * @param children what was made, and by which write
 * @param primaries what is reconciled
 * @param inTheWay what fails without faults, since there is something that is not its own
 * @param followed ids of the kinds that are cached
 * @param readsAfter how often something was read after a write, by its number
 * @param struck the faults that had an effect
 * @param steps what happened, in words, if that was wanted
 */
record Reference(
        Optional<Finding> finding,
        List<World> worlds,
        List<Done> done,
        Map<Place, Integer> children,
        Set<Place> primaries,
        Set<Place> inTheWay,
        Set<String> followed,
        Map<Integer, Integer> readsAfter,
        Set<Fault> struck,
        List<String> steps) {
    /** How often something was read after a write and before the next. */
    int reads(int write) {
        return readsAfter.getOrDefault(write, 0);
    }

    /**
     * A write.
     *
     * @param edits how many changes users had made before
     * @param deleting whether what is reconciled was being deleted
     * @param effective whether it changed anything
     * @param difference the fields that it changed, for people
     */
    record Done(int number, int edits, boolean deleting, Write write, boolean effective, String difference) {
        String what() {
            return write.toString();
        }

        String kind() {
            return write.kind().id();
        }
    }
}
