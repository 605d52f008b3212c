package dev.evenkeel.controller.internal.queue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
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
 * <p>Cost: O(1) within a lane, O(log lanes) when heads of lanes change places. Not thread-safe.
 */
final class Lanes<K> {
    /** The number of lanes that are kept when they are empty. */
    private static final int KEPT = 32;

    private final long step;
    private final boolean aged;
    private final boolean flows;
    private final Lane<K> normal;
    private final Map<Integer, Lane<K>> others = new HashMap<>();
    private @Nullable Lane<K>[] heap = heap(4);
    private int active;
    private int size;

    Lanes(long step, boolean aged, boolean flows) {
        this.step = step;
        this.aged = aged;
        this.flows = flows;
        this.normal = lane(Priority.NORMAL);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K> @Nullable Lane<K>[] heap(int length) {
        return new Lane[length];
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

    /** Returns how many entries wait with each priority. */
    Map<Integer, Integer> sizes() {
        Map<Integer, Integer> sizes = new TreeMap<>();
        for (int i = 0; i < active; i++) {
            Lane<K> lane = heap[i];
            if (lane != null) {
                sizes.put(lane.priority, lane.size);
            }
        }
        return sizes;
    }

    /** Adds an entry at the end of the lane of its priority. */
    void add(Entry<K> entry, long now) {
        int priority = entry.priority;
        Lane<K> lane = priority == Priority.NORMAL ? normal : others.computeIfAbsent(priority, this::lane);
        entry.placed = now;
        lane.add(entry);
        size++;
        if (lane.index < 0) {
            if (active == heap.length) {
                heap = Arrays.copyOf(heap, 2 * active);
            }
            lane.rank = rank(lane, now);
            up(active++, lane);
        }
    }

    private long rank(Lane<K> lane, long placed) {
        return aged ? placed - lane.advantage : -(long) lane.priority;
    }

    /** Raises the priority of a waiting entry. */
    void raise(Entry<K> entry, Line<K> line, int priority, long now) {
        entry.priority = priority;
        if (!aged || now - advantage(priority) < rank(line.lane, entry.placed)) {
            remove(entry, line);
            add(entry, now);
        }
    }

    @Nullable
    Entry<K> poll() {
        Lane<K> lane = heap[0];
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

    /** Updates the heap after the first entry of a lane may have changed. */
    private void settle(Lane<K> lane) {
        Entry<K> first = lane.first();
        int index = lane.index;
        if (first != null) {
            lane.rank = rank(lane, first.placed);
            if (active > 1) {
                replace(index, lane);
            }
            return;
        }
        Lane<K> last = heap[--active];
        heap[active] = null;
        lane.index = -1;
        if (last != null && last != lane) {
            replace(index, last);
        }
        if (lane != normal && others.size() > KEPT) {
            others.remove(lane.priority);
        }
    }

    private void replace(int index, Lane<K> lane) {
        up(index, lane);
        if (lane.index == index) {
            down(index, lane);
        }
    }

    private static <K> boolean before(Lane<K> lane, Lane<K> other) {
        return lane.rank != other.rank ? lane.rank < other.rank : lane.priority > other.priority;
    }

    private void up(int from, Lane<K> lane) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >> 1;
            Lane<K> above = heap[parent];
            if (above == null || !before(lane, above)) {
                break;
            }
            place(index, above);
            index = parent;
        }
        place(index, lane);
    }

    private void down(int from, Lane<K> lane) {
        int index = from;
        while (true) {
            int child = 2 * index + 1;
            Lane<K> least = child < active ? heap[child] : null;
            Lane<K> right = child + 1 < active ? heap[child + 1] : null;
            if (least != null && right != null && before(right, least)) {
                least = right;
                child++;
            }
            if (least == null || !before(least, lane)) {
                break;
            }
            place(index, least);
            index = child;
        }
        place(index, lane);
    }

    private void place(int index, Lane<K> lane) {
        lane.index = index;
        heap[index] = lane;
    }
}
