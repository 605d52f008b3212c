package dev.evenkeel.graph;

/**
 * A table whose rows are set by {@linkplain Graph#transact transactions}.
 *
 * @param <K> keys, immutable
 * @param <V> values, immutable
 */
public final class Input<K, V> extends Table<K, V> {
    private final InputNode<K, V> input;

    Input(InputNode<K, V> input) {
        super(input);
        this.input = input;
    }

    InputNode<K, V> input() {
        return input;
    }

    @Override
    public Input<K, V> rename(String name) {
        super.rename(name);
        return this;
    }
}
