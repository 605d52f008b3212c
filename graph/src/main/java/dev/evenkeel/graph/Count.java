package dev.evenkeel.graph;

/** Counts rows. */
record Count() implements Aggregate<Object, Object, Integer, Integer> {
    @Override
    public Integer empty() {
        return 0;
    }

    @Override
    public Integer add(Integer accumulator, Object key, Object value) {
        return accumulator + 1;
    }

    @Override
    public Integer remove(Integer accumulator, Object key, Object value) {
        return accumulator - 1;
    }

    @Override
    public Integer result(Integer accumulator) {
        return accumulator;
    }
}
