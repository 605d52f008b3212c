package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.ObjectKey;
import java.util.Collection;

/**
 * Maps keys to slots and slots to members: each process computes the same answer without communication.
 *
 * <p>The owner of a slot is the member with the highest weight for it, and the weight is a hash of the two. So a member
 * that leaves distributes its own slots to the remaining members and moves no other; one that joins takes only the
 * slots that it will have. A ring would need many points for each member to spread as well.
 *
 * <p>The hashes are part of the protocol between members of different versions: they must never change.
 */
final class Rendezvous {
    private Rendezvous() {}

    static int slot(ObjectKey key, int slots) {
        long hash = hash(hash(0xcbf29ce484222325L, key.namespace()) * 31 + '/', key.name());
        return (int) Long.remainderUnsigned(mixed(hash), slots);
    }

    /** Returns the member that should have a slot; empty if there are no members. */
    static String owner(int slot, Collection<String> members) {
        String best = "";
        long most = 0;
        for (String member : members) {
            long weight = mixed(hash(0xcbf29ce484222325L, member) ^ mixed(slot + 1));
            int order = best.isEmpty() ? 1 : Long.compareUnsigned(weight, most);
            if (order > 0 || (order == 0 && member.compareTo(best) < 0)) {
                best = member;
                most = weight;
            }
        }
        return best;
    }

    /** FNV-1a over UTF-16 units. */
    private static long hash(long from, String text) {
        long hash = from;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Spreads a hash over all bits (the finalizer of SplitMix64). */
    private static long mixed(long hash) {
        long z = hash + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
