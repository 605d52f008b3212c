package dev.evenkeel.testing.convergence;

/** The calls of a farm. */
interface Fields {
    boolean has(String field);

    void plant(String field, String crop);

    void fence(String field);

    String rent(String crop);

    void clear(String field);
}
