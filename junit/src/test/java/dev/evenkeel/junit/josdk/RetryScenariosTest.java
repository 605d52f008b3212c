package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.RetryExecution;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Failures, retries, rates and intervals; hours pass at once. */
class RetryScenariosTest extends OperatorScenarios {
    private final AtomicInteger runs = new AtomicInteger();
    private final List<Integer> attempts = concurrentList();

    private static GenericRetry retries(int most, Duration interval) {
        return new GenericRetry()
                .setInitialInterval(interval.toMillis())
                .setIntervalMultiplier(1)
                .setMaxAttempts(most);
    }

    private Custom failing(int times) {
        return new Custom((widget, context) -> {
            attempts.add(context.getRetryInfo().map(RetryInfo::getAttemptCount).orElse(-1));
            if (runs.incrementAndGet() <= times) {
                throw new IllegalStateException("on purpose");
            }
            widget.status().message = "succeeded";
            return UpdateControl.patchStatus(widget);
        });
    }

    @Scenario("Retry")
    void aFailureIsRetriedUntilItSucceeds() {
        start(failing(3), settings -> settings.withRetry(retries(5, Duration.ofMinutes(10))));
        create(Widget.of("a", "1"));
        settle();
        assertThat(runs).hasValue(1);
        assertThat(control.next())
                .hasValueSatisfying(next -> assertThat(next).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10)));
        control.advance(Duration.ofHours(1));
        assertThat(runs).hasValue(4);
        assertThat(attempts).containsExactly(-1, 1, 2, 3);
        assertThat(widget("a").getStatus().message).isEqualTo("succeeded");
    }

    /** A retry that knows when it was scheduled, as those of JOSDK do since version 5.4. */
    private static final class Dated implements RetryExecution {
        private static final Duration INTERVAL = Duration.ofMinutes(10);

        private final List<Duration> left;
        private int attempts;
        private Long lastNextDelayCallEpochMillis;

        Dated(List<Duration> left) {
            this.left = left;
        }

        @Override
        public Optional<Long> nextDelay() {
            if (lastNextDelayCallEpochMillis != null) {
                left.add(INTERVAL.minusMillis(System.currentTimeMillis() - lastNextDelayCallEpochMillis));
            }
            attempts++;
            lastNextDelayCallEpochMillis = System.currentTimeMillis();
            return Optional.of(INTERVAL.toMillis());
        }

        @Override
        public int getAttemptCount() {
            return attempts;
        }

        @Override
        public boolean isLastAttempt() {
            return false;
        }

        /** A method of version 5.4. */
        public Optional<Duration> remainingDurationUntilNextRetry() {
            return Optional.empty();
        }
    }

    @Test
    void aRetryThatKnowsWhenItWasScheduledIsDue() {
        List<Duration> left = concurrentList();
        start(failing(3), settings -> settings.withRetry(() -> new Dated(left)));
        create(Widget.of("a", "1"));
        control.advance(Duration.ofHours(1));
        assertThat(attempts).containsExactly(-1, 1, 2, 3);
        assertThat(left).hasSize(2).noneMatch(Duration::isPositive);
    }

    @Scenario("RetryMaxAttempt")
    void retriesEndAfterTheLastAttempt() {
        start(
                failing(100),
                settings ->
                        settings.withRetry(retries(3, Duration.ofMinutes(1))).withReconciliationMaxInterval(null));
        create(Widget.of("a", "1"));
        control.advance(Duration.ofHours(9));
        assertThat(runs).hasValue(4);
        assertThat(control.next()).isEmpty();
    }

    @Scenario("retry intervals grow")
    void retriesComeLaterEachTime() {
        start(
                failing(100),
                settings -> settings.withRetry(new GenericRetry()
                        .setInitialInterval(60_000)
                        .setIntervalMultiplier(2)
                        .setMaxInterval(Duration.ofHours(1).toMillis())
                        .setMaxAttempts(10)));
        create(Widget.of("a", "1"));
        // the first two intervals are equal
        control.advance(Duration.ofMinutes(2));
        assertThat(runs).hasValue(3);
        control.advance(Duration.ofSeconds(119));
        assertThat(runs).hasValue(3);
        control.advance(Duration.ofSeconds(1));
        assertThat(runs).hasValue(4);
    }

    @Scenario("new events reconcile at once")
    void aChangeIsReconciledBeforeTheRetry() {
        start(failing(1), settings -> settings.withRetry(retries(5, Duration.ofMinutes(10))));
        create(Widget.of("a", "1"));
        settle();
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(runs).hasValue(2);
        assertThat(widget("a").getStatus().message).isEqualTo("succeeded");
    }

    @ControllerConfiguration
    private static final class ErrorStatus extends Custom {
        private final boolean retry;

        ErrorStatus(boolean retry, Body body) {
            super(body);
            this.retry = retry;
        }

        @Override
        public ErrorStatusUpdateControl<Widget> updateErrorStatus(
                Widget widget, Context<Widget> context, Exception failure) {
            widget.status().message = failure.getMessage();
            widget.status().count =
                    context.getRetryInfo().map(RetryInfo::getAttemptCount).orElse(0);
            ErrorStatusUpdateControl<Widget> update = ErrorStatusUpdateControl.patchStatus(widget);
            return retry ? update : update.withNoRetry();
        }
    }

    private ErrorStatus failingWithStatus(boolean retry) {
        return new ErrorStatus(retry, (widget, context) -> {
            runs.incrementAndGet();
            throw new IllegalStateException("on purpose");
        });
    }

    @Scenario("ErrorStatusHandler")
    void theStatusTellsOfEachFailedAttempt() {
        start(failingWithStatus(true), settings -> settings.withRetry(retries(3, Duration.ofMinutes(1))));
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("on purpose");
        assertThat(widget("a").getStatus().count).isZero();
        control.advance(Duration.ofMinutes(10));
        assertThat(widget("a").getStatus().count).isEqualTo(3);
        assertThat(runs).hasValue(4);
    }

    @Scenario("ErrorStatusHandler, without retry")
    void anErrorStatusCanEndTheRetries() {
        start(
                failingWithStatus(false),
                settings ->
                        settings.withRetry(retries(3, Duration.ofMinutes(1))).withReconciliationMaxInterval(null));
        create(Widget.of("a", "1"));
        control.advance(Duration.ofHours(1));
        assertThat(runs).hasValue(1);
        assertThat(widget("a").getStatus().message).isEqualTo("on purpose");
    }

    @Scenario("MaxInterval")
    void aQuietResourceIsReconciledAfterTheInterval() {
        start(failing(0), settings -> settings.withReconciliationMaxInterval(Duration.ofHours(1)));
        create(Widget.of("a", "1"));
        settle();
        control.advance(Duration.ofHours(5));
        assertThat(runs).hasValue(6);
    }

    @Scenario("MaxIntervalAfterRetry")
    void theIntervalHoldsAfterExhaustedRetries() {
        start(
                failing(100),
                settings -> settings.withRetry(retries(1, Duration.ofMinutes(1)))
                        .withReconciliationMaxInterval(Duration.ofHours(1)));
        create(Widget.of("a", "1"));
        settle();
        control.advance(Duration.ofMinutes(1));
        assertThat(runs).hasValue(2);
        control.advance(Duration.ofHours(1));
        assertThat(runs.get()).isGreaterThan(2);
    }

    @Scenario("reschedule")
    void aReconcilerReschedulesItself() {
        start(new Custom((widget, context) -> {
            runs.incrementAndGet();
            return UpdateControl.<Widget>noUpdate().rescheduleAfter(Duration.ofMinutes(30));
        }));
        create(Widget.of("a", "1"));
        settle();
        assertThat(runs).hasValue(1);
        control.advance(Duration.ofMinutes(29));
        assertThat(runs).hasValue(1);
        control.advance(Duration.ofMinutes(1));
        assertThat(runs).hasValue(2);
        control.advance(Duration.ofHours(10));
        assertThat(runs).hasValue(22);
    }

    @Scenario("RateLimit")
    void changesWithinThePeriodAreReconciledTogether() {
        start(failing(0), settings -> settings.withRateLimiter(new LinearRateLimiter(Duration.ofMinutes(10), 1)));
        create(Widget.of("a", "0"));
        settle();
        for (int i = 1; i <= 10; i++) {
            String value = "" + i;
            edit(Widget.class, "a", w -> w.getSpec().value = value);
        }
        settle();
        assertThat(runs).hasValue(1);
        assertThat(control.next()).isPresent();
    }

    @Scenario("NextReconciliationImminent")
    void aReconcilerSeesThatAnotherEventWaits() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch changed = new CountDownLatch(1);
        List<Boolean> imminent = concurrentList();
        start(new Custom((widget, context) -> {
            if (runs.incrementAndGet() == 1) {
                begun.countDown();
                changed.await();
            }
            imminent.add(context.isNextReconciliationImminent());
            return UpdateControl.noUpdate();
        }));
        create(Widget.of("a", "1"));
        assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        cluster.awaitQuiet();
        changed.countDown();
        settle();
        assertThat(imminent).containsExactly(true, false);
    }
}
