package dev.evenkeel.reconcile.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.testing.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailureStreaksTest {
    private static ConfigMap map(String uid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withUid(uid)
                .withGeneration(1L)
                .endMetadata()
                .build();
    }

    @Test
    void isBounded() {
        FailureStreaks streaks = new FailureStreaks(10);
        for (int i = 0; i < 1000; i++) {
            var unused = streaks.failed(map("u" + i), TestCluster.NOW);
        }
        assertThat(streaks.size()).isEqualTo(10);
        assertThat(streaks.failed(map("u999"), TestCluster.NOW).count()).isEqualTo(2);
        assertThat(streaks.failed(map("u1"), TestCluster.NOW).count()).isEqualTo(1);
    }

    @Test
    void forgetsOldFailures() {
        FailureStreaks streaks = new FailureStreaks();
        var unused = streaks.failed(map("a"), TestCluster.NOW);
        var unused2 = streaks.failed(map("b"), TestCluster.NOW.plus(Duration.ofHours(23)));
        assertThat(streaks.failed(map("b"), TestCluster.NOW.plus(Duration.ofHours(24))))
                .isEqualTo(new FailureStreaks.Streak(
                        1, 2, TestCluster.NOW.plus(Duration.ofHours(23)), TestCluster.NOW.plus(Duration.ofHours(24))));
        assertThat(streaks.size()).isEqualTo(1);
    }

    @Test
    void countsWhateverThreadsDoD12() throws InterruptedException {
        FailureStreaks streaks = new FailureStreaks();
        List<Thread> threads = Stream.of("a", "b", "c", "d")
                .map(uid -> Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 5000; i++) {
                        var unused = streaks.failed(map(uid), TestCluster.NOW);
                        var unused2 = streaks.failed(map("all"), TestCluster.NOW);
                        var unused3 = streaks.failed(map(uid + i), TestCluster.NOW);
                        streaks.ended(map(uid + i));
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(streaks.size()).isEqualTo(5);
        assertThat(streaks.failed(map("all"), TestCluster.NOW).count()).isEqualTo(20_001);
        assertThat(streaks.failed(map("c"), TestCluster.NOW).count()).isEqualTo(5_001);
    }
}
