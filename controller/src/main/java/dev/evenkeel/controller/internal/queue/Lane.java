package dev.evenkeel.controller.internal.queue;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The waiting entries of one priority: one line, or, when there are flows, a round of lines that take turns. */
final class Lane<K> {
    final int priority;

    /** By how much earlier an entry of this lane counts as having arrived. */
    final long advantage;

    /** The rank among the lanes: the least comes first. */
    long rank;

    /** The line whose turn it is; null when nothing waits. */
    @Nullable
    Line<K> turn;

    int size;

    private final Line<K> only;
    private final @Nullable Map<Object, Line<K>> lines;

    Lane(int priority, long advantage, boolean flows) {
        this.priority = priority;
        this.advantage = advantage;
        this.only = new Line<>(this, "");
        this.lines = flows ? new HashMap<>() : null;
    }

    void add(Entry<K> entry) {
        Line<K> line = only;
        if (lines != null) {
            line = lines.computeIfAbsent(entry.flow, flow -> new Line<>(this, flow));
        }
        if (line.first == null) {
            join(line);
        }
        line.add(entry);
        size++;
    }

    private void join(Line<K> line) {
        Line<K> now = turn;
        if (now == null) {
            line.previous = line;
            line.next = line;
            turn = line;
        } else {
            Line<K> last = now.previous;
            line.previous = last;
            line.next = now;
            last.next = line;
            now.previous = line;
        }
    }

    @Nullable
    Entry<K> first() {
        Line<K> line = turn;
        return line == null ? null : line.first;
    }

    /** Removes the first entry, and passes the turn to the next line. */
    void removeFirst(Entry<K> entry, Line<K> line) {
        turn = line.next;
        remove(entry, line);
    }

    void remove(Entry<K> entry, Line<K> line) {
        line.remove(entry);
        size--;
        if (line.first != null) {
            return;
        }
        if (line.next == line) {
            turn = null;
        } else {
            if (turn == line) {
                turn = line.next;
            }
            line.previous.next = line.next;
            line.next.previous = line.previous;
        }
        if (lines != null) {
            lines.remove(line.flow);
        }
    }
}
