/**
 * Incremental collections: tables that are computed from tables, in transactions, and sent to consumers as ordered
 * changes.
 *
 * <p>A {@link Graph} has {@linkplain Input inputs}, to which {@linkplain Transaction transactions} write, and {@linkplain
 * Table tables} that operators compute. There is one mechanism:
 *
 * <ul>
 *   <li>A table has at most one value for each key. A {@link Relation} is a table whose keys are {@linkplain Pair pairs}
 *       and whose values are weights: the number of rows that a pair was computed from, the reference count that decides
 *       when it is removed.
 *   <li>The change of a table in a step is a list of rows: the key, and the values before and after. An operator turns the
 *       changes of its inputs into its own. Rows that are equal before and after are not in it.
 *   <li>A step runs the operators in the order of their heights (the longest path to an input), each at most once, and
 *       only those with a changed input. So an operator never sees the change of one of its inputs without that of the
 *       other, and what depends on unchanged rows is not computed.
 *   <li>All state of operators is in journaled tables. If a function fails, the journal is undone and no table has
 *       changed; or, with {@link FailureMode#FAIL_KEY}, the row is absent until its inputs change.
 *   <li>{@link Graph#verify()} computes each table by a second definition of its operator, without state, and compares.
 * </ul>
 *
 * <p>A {@link Sink} makes messages of the changes. It declares the order in which references between messages resolve. Its
 * consumers each have a {@link Cursor}, so each receives the difference between what was sent to it and the current state.
 */
@NullMarked
package dev.evenkeel.graph;

import org.jspecify.annotations.NullMarked;
