package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.internal.model.Cidr;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Blocks of addresses, which may contain others, and those of them that no other contains: interval sets of nftables
 * refuse overlaps. A change costs the blocks inside of the changed one.
 */
final class Blocks {
    private final NavigableSet<Cidr> blocks = new TreeSet<>();
    private final NavigableSet<Cidr> widest = new TreeSet<>();

    /** Returns the blocks of some that no other of them contains. */
    static List<Cidr> widest(Collection<Cidr> blocks) {
        List<Cidr> widest = new ArrayList<>();
        // a block is sorted before those that it contains
        for (Cidr block : new TreeSet<>(blocks)) {
            if (widest.isEmpty() || !widest.getLast().contains(block)) {
                widest.add(block);
            }
        }
        return widest;
    }

    /**
     * A change of the widest blocks.
     *
     * @param removed those that are not among them any more
     * @param added those that are among them now
     */
    record Change(Set<Cidr> removed, Set<Cidr> added) {}

    boolean isEmpty() {
        return blocks.isEmpty();
    }

    Change add(Cidr block) {
        blocks.add(block);
        return refresh(block);
    }

    Change remove(Cidr block) {
        blocks.remove(block);
        return refresh(block);
    }

    private Change refresh(Cidr block) {
        for (int length = 0; length < block.length(); length++) {
            Cidr wider = new Cidr(block.high(), block.low(), length);
            if (wider.contains(block) && blocks.contains(wider)) {
                return new Change(Set.of(), Set.of());
            }
        }
        Set<Cidr> before = new HashSet<>(inside(widest, block));
        Set<Cidr> after = new HashSet<>(blocks.contains(block) ? List.of(block) : widest(inside(blocks, block)));
        widest.removeAll(before);
        widest.addAll(after);
        Set<Cidr> removed = new HashSet<>(before);
        removed.removeAll(after);
        after.removeAll(before);
        return new Change(removed, after);
    }

    private static List<Cidr> inside(NavigableSet<Cidr> sorted, Cidr block) {
        List<Cidr> inside = new ArrayList<>();
        for (Cidr other : sorted.tailSet(block, true)) {
            if (!block.contains(other)) {
                break;
            }
            inside.add(other);
        }
        return inside;
    }
}
