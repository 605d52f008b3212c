package dev.evenkeel.controller.internal.queue;

import org.jspecify.annotations.Nullable;

/** Entries of one flow and one priority, in the order of their arrival: a list that runs through the entries. */
final class Line<K> {
    final Lane<K> lane;
    final Object flow;

    @Nullable
    Entry<K> first;

    @Nullable
    Entry<K> last;

    /** Neighbours in the round of its lane. */
    Line<K> previous = this;

    Line<K> next = this;

    Line(Lane<K> lane, Object flow) {
        this.lane = lane;
        this.flow = flow;
    }

    void add(Entry<K> entry) {
        Entry<K> before = last;
        entry.line = this;
        entry.previous = before;
        if (before == null) {
            first = entry;
        } else {
            before.next = entry;
        }
        last = entry;
    }

    void remove(Entry<K> entry) {
        Entry<K> before = entry.previous;
        Entry<K> after = entry.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        // a popped entry must not keep its neighbours reachable
        entry.previous = null;
        entry.next = null;
        entry.line = null;
    }
}
