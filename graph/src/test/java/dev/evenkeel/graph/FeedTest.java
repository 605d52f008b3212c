package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class FeedTest {
    private final Graph graph = Graph.create();
    private final Input<Integer, Integer> input = graph.input("numbers");
    private final Table<Integer, Integer> quotient = input.map((key, value) -> 100 / value);

    @Test
    void changesThatArriveBeforeAStepAreOneStep() {
        List<Runnable> tasks = new ArrayList<>();
        Feed feed = new Feed(graph, tasks::add, 100);
        List<CompletableFuture<Void>> applied = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            int key = i;
            applied.add(feed.submit(tx -> tx.put(input, key, key)));
        }
        assertThat(tasks).hasSize(1);
        assertThat(applied).noneMatch(CompletableFuture::isDone);

        tasks.removeFirst().run();

        assertThat(graph.steps()).isEqualTo(1);
        assertThat(quotient.size()).isEqualTo(10);
        assertThat(applied).allMatch(CompletableFuture::isDone);
        var unused = feed.submit(tx -> tx.remove(input, 1));
        assertThat(tasks).hasSize(1);
    }

    @Test
    void aChangeThatFailsIsLeftOut() {
        List<Runnable> tasks = new ArrayList<>();
        Feed feed = new Feed(graph, tasks::add, 100);
        List<CompletableFuture<Void>> applied = new ArrayList<>();
        for (int i = -3; i <= 3; i++) {
            int number = i;
            applied.add(feed.submit(tx -> tx.put(input, number, number)));
        }
        tasks.removeFirst().run();

        assertThat(quotient.toMap()).isEqualTo(Map.of(-3, -33, -2, -50, -1, -100, 1, 100, 2, 50, 3, 33));
        assertThat(applied.stream().filter(CompletableFuture::isCompletedExceptionally))
                .containsExactly(applied.get(3));
        assertThatThrownBy(() -> applied.get(3).join()).hasRootCauseInstanceOf(ArithmeticException.class);
    }

    @Test
    void sourcesWaitWhileTheQueueIsFull() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Feed feed = new Feed(graph, threads, 2);
            List<Future<?>> sources = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int source = i;
                sources.add(threads.submit(() -> {
                    for (int number = 1; number <= 50; number++) {
                        int key = source * 100 + number;
                        CompletableFuture<Void> last = feed.submit(tx -> tx.put(input, key, key));
                        if (number == 50) {
                            last.join();
                        }
                    }
                }));
            }
            for (Future<?> source : sources) {
                source.get();
            }
        }
        assertThat(input.size()).isEqualTo(1000);
        graph.verify();
    }
}
