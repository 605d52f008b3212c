package dev.evenkeel.controller.internal.queue;

/** Entries of one flow and one priority, in the order of their arrival. */
final class Line<K> extends EntryList<K> {
    final Lane<K> lane;
    final Object flow;

    /** Neighbours in the round of its lane. */
    Line<K> previous = this;

    Line<K> next = this;

    Line(Lane<K> lane, Object flow) {
        this.lane = lane;
        this.flow = flow;
    }

    void add(Entry<K> entry) {
        append(entry);
        entry.line = this;
    }

    void remove(Entry<K> entry) {
        unlink(entry);
        entry.line = null;
    }
}
