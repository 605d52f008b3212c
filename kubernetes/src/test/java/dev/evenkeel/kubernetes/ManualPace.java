package dev.evenkeel.kubernetes;

import dev.evenkeel.client.internal.retry.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Time that passes only in pauses, which take none; the jitter is always the same. */
final class ManualPace implements Timing {
    final List<Duration> pauses = new ArrayList<>();
    private long now;
    private Runnable onPause = () -> {};

    /** Sets an action to run in each pause. */
    void onPause(Runnable action) {
        onPause = action;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        onPause.run();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pauses.add(time);
        now += time.toNanos();
    }

    @Override
    public RandomGenerator random() {
        return new Random() {
            @Override
            public double nextDouble() {
                return 0;
            }
        };
    }
}
