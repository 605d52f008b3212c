package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** A watch of which is known what it is of. */
record Feed<T extends HasMetadata>(String kind, Watch<T> watch) implements Watch<T> {
    @Override
    public Optional<Event<T>> next() throws InterruptedException {
        return watch.next();
    }

    @Override
    public boolean ready() {
        return watch.ready();
    }

    @Override
    public void close() {
        watch.close();
    }
}
