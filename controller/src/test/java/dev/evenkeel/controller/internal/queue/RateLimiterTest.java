package dev.evenkeel.controller.internal.queue;

import static dev.evenkeel.controller.internal.queue.WorkQueueTest.ms;
import static dev.evenkeel.controller.internal.queue.WorkQueueTest.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.controller.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private final SplittableRandom random = new SplittableRandom(7);

    /** The delays of so many failures in a row, at one moment. */
    private List<Duration> row(RateLimiter limiter, int count) {
        return row(limiter.start(), count);
    }

    private List<Duration> row(RateLimiter.Delays delays, int count) {
        List<Duration> row = new ArrayList<>();
        for (int failures = 0; failures < count; failures++) {
            row.add(Duration.ofNanos(delays.nanos("key", failures, 0, random)));
        }
        return row;
    }

    @Test
    void exponentialDoubles() {
        assertThat(row(RateLimiter.exponential(ms(1), s(1)), 5)).containsExactly(ms(1), ms(2), ms(4), ms(8), ms(16));
        assertThat(row(RateLimiter.exponential(Duration.ofMinutes(1), Duration.ofMinutes(10)), 5))
                .containsExactly(
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(4),
                        Duration.ofMinutes(8),
                        Duration.ofMinutes(10));
    }

    @Test
    void aThousandFailuresDoNotOverflow() {
        RateLimiter.Delays delays = RateLimiter.exponential(ms(1), s(1000)).start();
        for (int failures : new int[] {20, 30, 31, 32, 43, 44, 62, 63, 64, 1000, Integer.MAX_VALUE}) {
            assertThat(Duration.ofNanos(delays.nanos("key", failures, 0, random)))
                    .isEqualTo(s(1000));
        }
    }

    @Test
    void longestDelaysDoNotOverflow() {
        RateLimiter limiter = RateLimiter.exponential(s(1), Duration.ofSeconds(Long.MAX_VALUE))
                .jitter(1e300);

        assertThat(row(limiter, 100)).allSatisfy(delay -> assertThat(delay).isPositive());
    }

    @Test
    void theStandardIsUpToATenthLonger() {
        RateLimiter.Delays delays = RateLimiter.standard().start();
        for (int i = 0; i < 1000; i++) {
            assertThat(Duration.ofNanos(delays.nanos("key", 3, 0, random))).isBetween(ms(40), ms(44));
            assertThat(Duration.ofNanos(delays.nanos("key", 99, 0, random))).isBetween(s(1000), s(1100));
        }
        assertThat(delays.nanos("key", 99, 0, random)).isNotEqualTo(delays.nanos("key", 99, 0, random));
    }

    @Test
    void fastSlowIsFastForTheFirstFailures() {
        assertThat(row(RateLimiter.fastSlow(ms(5), s(10), 3), 5)).containsExactly(ms(5), ms(5), ms(5), s(10), s(10));
    }

    @Test
    void maxOfIsTheLongestAndForgetsInAll() {
        RateLimiter limiter =
                RateLimiter.maxOf(RateLimiter.fastSlow(ms(5), s(3), 3), RateLimiter.exponential(ms(1), s(1)));
        assertThat(row(limiter, 5)).containsExactly(ms(5), ms(5), ms(5), s(3), s(3));

        List<Object> forgotten = new ArrayList<>();
        RateLimiter recording = () -> new RateLimiter.Delays() {
            @Override
            public long nanos(Object key, int failures, long now, java.util.random.RandomGenerator random) {
                return 0;
            }

            @Override
            public void forget(Object key) {
                forgotten.add(key);
            }
        };
        RateLimiter.maxOf(recording, recording.jitter(0.1), recording.maxWait(s(1)))
                .start()
                .forget("key");
        assertThat(forgotten).containsExactly("key", "key", "key");
    }

    @Test
    void withMaxWaitIsNeverLonger() {
        RateLimiter steps = () -> (key, failures, now, chance) -> failures < 100 ? 5_000_000L : s(5000).toNanos();
        List<Duration> row = row(steps.maxWait(s(500)), 102);

        assertThat(row.subList(0, 100)).containsOnly(ms(5));
        assertThat(row.subList(100, 102)).containsOnly(s(500));
    }

    @Test
    void aBucketGivesItsBurstAndThenItsRate() {
        RateLimiter.Delays bucket = RateLimiter.bucket(10, 3).start();
        assertThat(row(bucket, 6))
                .containsExactly(Duration.ZERO, Duration.ZERO, Duration.ZERO, ms(100), ms(200), ms(300));
        // 450 ms later the three reserved ones are through, and one and a half have come
        assertThat(bucket.nanos("other", 0, 450_000_000, random)).isZero();
        assertThat(bucket.nanos("other", 0, 450_000_000, random)).isEqualTo(50_000_000);
        // after a rest it is full, and no fuller
        assertThat(bucket.nanos("other", 0, s(100).toNanos(), random)).isZero();
        assertThat(bucket.nanos("other", 0, s(100).toNanos(), random)).isZero();
        assertThat(bucket.nanos("other", 0, s(100).toNanos(), random)).isZero();
        assertThat(bucket.nanos("other", 0, s(100).toNanos(), random)).isEqualTo(100_000_000);
    }

    @Test
    void aBucketMayBeUsedWhereTheClockOverflows() {
        RateLimiter.Delays bucket = RateLimiter.bucket(10, 1).start();
        long now = Long.MAX_VALUE - 50_000_000;

        assertThat(bucket.nanos("key", 0, now, random)).isZero();
        assertThat(bucket.nanos("key", 0, now, random)).isEqualTo(100_000_000);
        assertThat(bucket.nanos("key", 0, now + 100_000_000, random)).isEqualTo(100_000_000);
    }

    @Test
    void aBucketPerKeyIsIndependentAndDroppedWithItsKey() {
        RateLimiter.Delays buckets =
                RateLimiter.perKey(RateLimiter.bucket(1, 1)).start();
        assertThat(buckets.nanos("a", 0, 0, random)).isZero();
        assertThat(buckets.nanos("b", 0, 0, random)).isZero();
        assertThat(buckets.nanos("a", 1, 0, random)).isEqualTo(1_000_000_000);
        buckets.forget("a");
        assertThat(buckets.nanos("a", 0, 0, random)).isZero();
    }

    @Test
    void aLimiterIsAValueWithoutState() {
        RateLimiter limiter = RateLimiter.bucket(1, 1);

        assertThat(row(limiter, 2)).isEqualTo(row(limiter, 2)).containsExactly(Duration.ZERO, s(1));
    }

    @Test
    void invalidValuesAreRefused() {
        assertThatThrownBy(() -> RateLimiter.exponential(Duration.ZERO, s(1))).hasMessageContaining("positive");
        assertThatThrownBy(() -> RateLimiter.exponential(s(2), s(1))).hasMessageContaining("max");
        assertThatThrownBy(() -> RateLimiter.fastSlow(s(-1), s(1), 1)).hasMessageContaining("negative");
        assertThatThrownBy(() -> RateLimiter.bucket(0, 1)).hasMessageContaining("more than 0 a second");
        assertThatThrownBy(() -> RateLimiter.bucket(Double.NaN, 1)).hasMessageContaining("more than 0 a second");
        assertThatThrownBy(() -> RateLimiter.standard().jitter(Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> RateLimiter.standard().maxWait(s(-1))).hasMessageContaining("negative");
    }
}
