package dev.evenkeel.controller.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SystemSchedulerTest {
    /** Else the reader waits for a watch that nobody reads. */
    @Test
    void anErrorOfAWatchIsReportedToItsReader() {
        CompletableFuture<RuntimeException> told = new CompletableFuture<>();
        Watch<ConfigMap> watch = new Watch<>() {
            @Override
            public boolean ready() {
                return true;
            }

            @Override
            public Optional<Event<ConfigMap>> next() {
                throw new OutOfMemoryError("an event that is too large");
            }

            @Override
            public void close() {}
        };
        try (SystemScheduler scheduler = new SystemScheduler()) {
            scheduler
                    .read("test", watch, new Scheduler.WatchReader<>() {
                        @Override
                        public void event(Watch.Event<ConfigMap> event) {}

                        @Override
                        public void ended() {}

                        @Override
                        public void failed(RuntimeException failure) {
                            told.complete(failure);
                        }
                    })
                    .ended()
                    .join();
        }

        assertThat(told).isDone();
        assertThat(told.join()).hasRootCauseInstanceOf(OutOfMemoryError.class);
    }
}
