package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.controller.Outcome.Problem;
import dev.evenkeel.controller.Outcome.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final RuntimeException ERROR = new IllegalStateException("first");
    private static final RuntimeException OTHER = new IllegalArgumentException("second");

    /** Any outcome; few values, so that equal ones meet. */
    private static Outcome any(RandomGenerator random) {
        Outcome outcome = switch (random.nextInt(7)) {
            case 0 -> Outcome.done();
            case 1 -> Outcome.after(Duration.ofSeconds(1 + random.nextInt(4)));
            case 2 -> Outcome.retry();
            case 3 -> Outcome.halted();
            case 4 -> Outcome.quiet(ERROR);
            case 5 -> Outcome.durable(OTHER);
            default -> Outcome.failed(random.nextBoolean() ? ERROR : OTHER);
        };
        if (random.nextInt(3) == 0) {
            outcome = outcome.within(Duration.ofSeconds(1 + random.nextInt(4)));
        }
        if (random.nextInt(3) == 0) {
            outcome = outcome.withPriority(random.nextInt(3) - 1);
        }
        return random.nextInt(4) == 0 ? outcome.withStatusSkipped() : outcome;
    }

    @Test
    void aggregationIsAMonoidThatLosesNothing() {
        long seed = Long.getLong("outcome.seed", System.nanoTime());
        System.out.println("-Doutcome.seed=" + seed);
        RandomGenerator random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            Outcome a = any(random);
            Outcome b = any(random);
            Outcome c = any(random);
            String about = "seed " + seed + ": " + a + " | " + b + " | " + c;

            assertThat(a.plus(b).plus(c)).as(about).isEqualTo(a.plus(b.plus(c)));
            assertThat(a.plus(Outcome.done())).as(about).isEqualTo(a);
            assertThat(Outcome.done().plus(a)).as(about).isEqualTo(a);

            Outcome both = a.plus(b);
            assertThat(both.delay())
                    .as(about)
                    .isEqualTo(Stream.of(a, b)
                            .flatMap(outcome -> outcome.delay().stream())
                            .min(Duration::compareTo));
            OptionalInt highest = Stream.of(a, b)
                    .flatMapToInt(outcome -> outcome.priority().stream())
                    .max();
            assertThat(both.priority()).as(about).isEqualTo(highest);
            assertThat(both.retries()).as(about).isEqualTo(a.retries() || b.retries());
            assertThat(both.stops()).as(about).isEqualTo(a.stops() || b.stops());
            assertThat(both.skipsStatus()).as(about).isEqualTo(a.skipsStatus() || b.skipsStatus());
            assertThat(both.problems())
                    .as(about)
                    .isEqualTo(Stream.concat(a.problems().stream(), b.problems().stream())
                            .toList());
            assertThat(both.severity())
                    .as(about)
                    .isEqualTo(a.severity().compareTo(b.severity()) >= 0 ? a.severity() : b.severity());
        }
    }

    @Test
    void eachFactorySaysWhatHappenedAndWhenToComeBack() {
        assertThat(Outcome.done())
                .returns(Severity.DONE, Outcome::severity)
                .returns(false, Outcome::stops)
                .returns(true, Outcome::succeeded)
                .returns(true, Outcome::rests);
        assertThat(Outcome.after(SHORT))
                .returns(Severity.DONE, Outcome::severity)
                .returns(Optional.of(SHORT), Outcome::delay)
                .returns(false, Outcome::retries)
                .returns(false, Outcome::rests);
        assertThat(Outcome.retry())
                .returns(Severity.DONE, Outcome::severity)
                .returns(true, Outcome::retries)
                .returns(false, Outcome::stops);
        assertThat(Outcome.halted())
                .returns(Severity.HALTED, Outcome::severity)
                .returns(true, Outcome::stops)
                .returns(true, Outcome::succeeded)
                .returns(true, Outcome::rests);
        assertThat(Outcome.quiet(ERROR))
                .returns(Severity.QUIET, Outcome::severity)
                .returns(true, Outcome::stops)
                .returns(true, Outcome::retries)
                .returns(false, Outcome::succeeded)
                .returns(Optional.empty(), Outcome::failure);
        assertThat(Outcome.durable(ERROR))
                .returns(Severity.DURABLE, Outcome::severity)
                .returns(true, Outcome::stops)
                .returns(true, Outcome::rests)
                .returns(Optional.of(ERROR), Outcome::failure);
        assertThat(Outcome.failed(ERROR))
                .returns(Severity.FAILED, Outcome::severity)
                .returns(true, Outcome::stops)
                .returns(true, Outcome::retries)
                .returns(Optional.of(ERROR), Outcome::failure);
    }

    @Test
    void aTerminalExceptionIsDurableHoweverItComes() {
        TerminalException terminal = new TerminalException("the object is wrong");

        assertThat(Outcome.failed(terminal))
                .isEqualTo(Outcome.durable(terminal))
                .returns(true, Outcome::rests);
    }

    @Test
    void anAppointmentOutlivesTheErrorBesideIt() {
        assertThat(Outcome.after(SHORT).plus(Outcome.halted()).delay()).contains(SHORT);
        assertThat(Outcome.after(SHORT).plus(Outcome.durable(ERROR)).delay()).contains(SHORT);
        assertThat(Outcome.failed(ERROR).plus(Outcome.after(SHORT)))
                .returns(Optional.of(SHORT), Outcome::delay)
                .returns(true, Outcome::retries);
    }

    @Test
    void aRetryOutlivesADurableFailure() {
        Outcome both = Outcome.durable(ERROR).plus(Outcome.quiet(OTHER));

        assertThat(both)
                .returns(Severity.DURABLE, Outcome::severity)
                .returns(true, Outcome::retries)
                .returns(Optional.of(ERROR), Outcome::failure);
    }

    @Test
    void theEarlierDelayStays() {
        assertThat(Outcome.after(SHORT).within(LONG).delay()).contains(SHORT);
        assertThat(Outcome.after(LONG).within(SHORT).delay()).contains(SHORT);
    }

    @Test
    void severalFailuresAreOneExceptionThatHasThemAll() {
        RuntimeException third = new UnsupportedOperationException("third");
        Outcome all = Outcome.durable(ERROR)
                .plus(Outcome.quiet(new IllegalStateException("nobody hears of")))
                .plus(Outcome.failed(OTHER))
                .plus(Outcome.failed(third));

        RuntimeException failure = all.failure().orElseThrow();

        assertThat(failure)
                .hasMessageContainingAll("first", "second", "third")
                .hasMessageNotContaining("nobody hears of")
                .hasCause(OTHER);
        assertThat(failure.getSuppressed()).containsExactly(ERROR, third);
    }

    @Test
    void resultsAreOutcomes() {
        assertThat(Outcome.of(Result.done())).isEqualTo(Outcome.done());
        assertThat(Outcome.of(Result.after(LONG))).isEqualTo(Outcome.after(LONG));
        assertThat(Outcome.of(Result.retry())).isEqualTo(Outcome.retry());
        Outcome failed = Outcome.failed(ERROR).withPriority(7);
        assertThat(Outcome.of(failed)).isSameAs(failed);
    }

    @Test
    void itSaysAllOfItself() {
        assertThat(Outcome.done()).hasToString("DONE");
        assertThat(Outcome.failed(ERROR).within(SHORT).withPriority(3).withStatusSkipped())
                .hasToString("FAILED, again after PT1S, retried, priority 3, status not written: "
                        + "[FAILED java.lang.IllegalStateException: first]");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> Outcome.after(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("delay must be positive, and is PT0S: use retry()");
        assertThatThrownBy(() -> Outcome.done().within(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay must be positive");
        assertThatThrownBy(() -> new Problem(Severity.HALTED, ERROR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("severity: a problem is QUIET, DURABLE or FAILED, and not HALTED");
    }

    @Test
    void whatIsMadeByHandFitsToo() {
        Outcome made = new Outcome(
                false,
                Optional.empty(),
                false,
                OptionalInt.empty(),
                false,
                List.of(new Problem(Severity.QUIET, ERROR)));

        assertThat(made).isEqualTo(Outcome.quiet(ERROR));
    }
}
