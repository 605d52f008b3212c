package dev.evenkeel.controller.internal.queue;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Delays, the soonest first: a heap of four branches, with the times next to the objects, so that a step down touches
 * one line of memory rather than five. It shrinks again. Not thread-safe.
 */
final class Delays<K> {
    private static final int SMALLEST = 16;

    private long[] due = new long[SMALLEST];
    private @Nullable Delay<K>[] heap = heap(SMALLEST);
    private int size;
    private long numbers;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K> @Nullable Delay<K>[] heap(int length) {
        return new Delay[length];
    }

    int size() {
        return size;
    }

    int capacity() {
        return heap.length;
    }

    /** Returns when the first is due; never when there is none. */
    long firstDue() {
        return size == 0 ? Long.MAX_VALUE : due[0];
    }

    void add(Delay<K> delay) {
        if (size == heap.length) {
            resize(2 * size);
        }
        delay.number = numbers++;
        up(size++, delay);
    }

    /** Moves a delay that has become due earlier. */
    void advance(Delay<K> delay) {
        delay.number = numbers++;
        up(delay.index, delay);
    }

    /** Returns the first, of which there must be one. */
    Delay<K> first() {
        return Objects.requireNonNull(heap[0]);
    }

    void remove(Delay<K> delay) {
        Delay<K> last = heap[--size];
        heap[size] = null;
        if (last != null && last != delay) {
            int index = delay.index;
            up(index, last);
            if (last.index == index) {
                down(index, last);
            }
        }
        if (heap.length > SMALLEST && size < heap.length >> 3) {
            resize(heap.length >> 1);
        }
    }

    private void resize(int length) {
        due = Arrays.copyOf(due, length);
        heap = Arrays.copyOf(heap, length);
    }

    private boolean before(Delay<K> delay, int other) {
        if (delay.due != due[other]) {
            return delay.due < due[other];
        }
        Delay<K> that = heap[other];
        return that == null || delay.number < that.number;
    }

    private void up(int from, Delay<K> delay) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) >> 2;
            if (!before(delay, parent)) {
                break;
            }
            move(parent, index);
            index = parent;
        }
        place(index, delay);
    }

    private void down(int from, Delay<K> delay) {
        int index = from;
        while (true) {
            int child = 4 * index + 1;
            if (child >= size) {
                break;
            }
            int least = child;
            for (int other = child + 1; other < Math.min(child + 4, size); other++) {
                Delay<K> candidate = heap[other];
                if (due[other] < due[least]
                        || (due[other] == due[least] && candidate != null && before(candidate, least))) {
                    least = other;
                }
            }
            if (before(delay, least)) {
                break;
            }
            move(least, index);
            index = least;
        }
        place(index, delay);
    }

    private void move(int from, int to) {
        Delay<K> delay = heap[from];
        if (delay != null) {
            place(to, delay);
        }
    }

    private void place(int index, Delay<K> delay) {
        delay.index = index;
        heap[index] = delay;
        due[index] = delay.due;
    }
}
