package dev.evenkeel.graph;

/**
 * A function that was passed to an operator failed. Its step is rolled back: no table has changed. The cause is the
 * function's exception.
 */
public final class GraphException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String table;
    private final transient Object key;

    GraphException(String table, Object key, RuntimeException cause) {
        super(table + ": the function failed for key " + key + ", and the step is rolled back: " + cause, cause);
        this.table = table;
        this.key = key;
    }

    /** Returns the name of the operator's table. */
    public String table() {
        return table;
    }

    /** Returns the key of the row. */
    public Object key() {
        return key;
    }
}
