package dev.evenkeel.engine.internal.admission;

import java.util.function.Consumer;

/** One step of every write; the class Pipeline has the list. */
public interface WriteStep {
    /** The name of the step in the list. */
    String name();

    /**
     * Checks or changes the object of a write; returns at once for operations that do not concern it.
     *
     * @throws dev.evenkeel.client.ApiException to refuse the write
     */
    void run(Write write);

    /** Returns a step that consists of one method. */
    static WriteStep of(String name, Consumer<Write> method) {
        return new Named(name, method);
    }

    record Named(String name, Consumer<Write> method) implements WriteStep {
        @Override
        public void run(Write write) {
            method.accept(write);
        }
    }
}
