package dev.evenkeel.controller.internal.queue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The waiting entries, in the order in which they are handed out.
 *
 * <h2>The problem</h2>
 *
 * <p>Higher priorities come first, keys of one priority in the order of their arrival, and no key waits indefinitely. A
 * heap of all entries would cost a walk through cold memory for every key, and ageing keys would have to be moved in it
 * as time passes.
 *
 * <h2>The idea</h2>
 *
 * <p>A key gains a step of priority for each interval that it waits. All keys gain at the same speed, so the order of
 * two keys never changes while they wait: with {@code priority + (now - placed) / step} the time cancels out, and
 * {@code placed - priority * step}, the <em>rank</em>, decides. Within one priority the order of ranks is the order of
 * arrival, so each priority is a plain list, a lane, and only the heads of the lanes have to be compared. There are as
 * many lanes as priorities in use, which are few; with one it is an ordinary queue.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The heap holds the lanes that are not empty, the least rank on top; of equal ranks the higher priority.
 *   <li>The rank of a lane is that of its next entry.
 *   <li>An entry whose priority is raised moves to the end of its new lane, unless it has aged so much that it comes
 *       earlier in its present one.
 *   <li>Without ageing the rank is the priority, and a lower lane waits until the higher ones are empty.
 * </ol>
 *
 * <p>Cost: O(1) within a lane, O(log lanes) when its first entry is taken, O(lanes) when another is removed. Not thread-safe.
 */
final class Lanes<K> {
    /** The number of lanes that are kept when they are empty. */
    private static final int KEPT = 32;

    private final long step;
    private final boolean aged;
    private final boolean flows;
    private final Lane<K> normal;
    private final Map<Integer, Lane<K>> others = new HashMap<>();
    private final PriorityQueue<Lane<K>> heap = new PriorityQueue<>(
            Comparator.<Lane<K>>comparingLong(lane -> lane.rank).thenComparingInt(lane -> -lane.priority));
    private int size;

    Lanes(long step, boolean aged, boolean flows) {
        this.step = step;
        this.aged = aged;
        this.flows = flows;
        this.normal = lane(Priority.NORMAL);
    }

    private Lane<K> lane(int priority) {
        return new Lane<>(priority, advantage(priority), flows);
    }

    private long advantage(int priority) {
        long steps = Math.abs((long) priority);
        long most = steps > Nanos.LONGEST / step ? Nanos.LONGEST : steps * step;
        return priority < 0 ? -most : most;
    }

    int size() {
        return size;
    }

    void add(Entry<K> entry, long now) {
        int priority = entry.priority;
        Lane<K> lane = priority == Priority.NORMAL ? normal : others.computeIfAbsent(priority, this::lane);
        entry.placed = now;
        lane.add(entry);
        size++;
        if (lane.size == 1) {
            lane.rank = rank(lane, now);
            heap.add(lane);
        }
    }

    private long rank(Lane<K> lane, long placed) {
        return aged ? placed - lane.advantage : -(long) lane.priority;
    }

    void raise(Entry<K> entry, Line<K> line, int priority, long now) {
        entry.priority = priority;
        if (!aged || now - advantage(priority) < rank(line.lane, entry.placed)) {
            remove(entry, line);
            add(entry, now);
        }
    }

    @Nullable
    Entry<K> poll() {
        Lane<K> lane = heap.peek();
        if (lane == null) {
            return null;
        }
        Line<K> line = lane.turn;
        Entry<K> entry = lane.first();
        if (line == null || entry == null) {
            throw new IllegalStateException("an empty lane is in the heap: " + lane.priority);
        }
        lane.removeFirst(entry, line);
        size--;
        settle(lane);
        return entry;
    }

    void remove(Entry<K> entry, Line<K> line) {
        line.lane.remove(entry, line);
        size--;
        settle(line.lane);
    }

    private void settle(Lane<K> lane) {
        Entry<K> first = lane.first();
        if (first != null && heap.size() == 1) {
            lane.rank = rank(lane, first.placed);
            return;
        }
        boolean unused = heap.remove(lane);
        if (first != null) {
            lane.rank = rank(lane, first.placed);
            heap.add(lane);
        } else if (lane != normal && others.size() > KEPT) {
            others.remove(lane.priority);
        }
    }
}
