package dev.evenkeel.graph;

import java.util.Set;

/**
 * The messages of a part of a {@link Sink} that has groups with many members: a change of the members is sent as a
 * difference.
 *
 * @param <A> groups
 * @param <V> values of groups
 * @param <B> members
 * @param <M> messages
 */
public interface GroupMessages<A, V, B, M> {
    /** Returns the message of a new group, or of one whose value has changed. */
    M full(A group, V value, Set<B> members);

    /** Returns the message of changed members of a group that was sent. */
    M delta(A group, Set<B> added, Set<B> removed);

    /** Returns the message of a group that is removed. */
    M removal(A group);
}
