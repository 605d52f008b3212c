package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.controller.Result.Problem;
import dev.evenkeel.controller.Result.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final RuntimeException ERROR = new IllegalStateException("first");
    private static final RuntimeException OTHER = new IllegalArgumentException("second");

    /** Any outcome; few values, so that equal ones meet. */
    private static Result any(RandomGenerator random) {
        Result outcome = switch (random.nextInt(7)) {
            case 0 -> Result.done();
            case 1 -> Result.after(Duration.ofSeconds(1 + random.nextInt(4)));
            case 2 -> Result.retry();
            case 3 -> Result.halted();
            case 4 -> Result.quiet(ERROR);
            case 5 -> Result.durable(OTHER);
            default -> Result.failed(random.nextBoolean() ? ERROR : OTHER);
        };
        if (random.nextInt(3) == 0) {
            outcome = outcome.within(Duration.ofSeconds(1 + random.nextInt(4)));
        }
        if (random.nextInt(3) == 0) {
            outcome = outcome.priority(random.nextInt(3) - 1);
        }
        return random.nextInt(4) == 0 ? outcome.skipStatus() : outcome;
    }

    @Test
    void aggregationIsAMonoidThatLosesNothing() {
        long seed = Long.getLong("outcome.seed", System.nanoTime());
        System.out.println("-Doutcome.seed=" + seed);
        RandomGenerator random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            Result a = any(random);
            Result b = any(random);
            Result c = any(random);
            String about = "seed " + seed + ": " + a + " | " + b + " | " + c;

            assertThat(a.plus(b).plus(c)).as(about).isEqualTo(a.plus(b.plus(c)));
            assertThat(a.plus(Result.done())).as(about).isEqualTo(a);
            assertThat(Result.done().plus(a)).as(about).isEqualTo(a);

            Result both = a.plus(b);
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
    void factories() {
        assertThat(Result.done())
                .returns(Severity.DONE, Result::severity)
                .returns(false, Result::stops)
                .returns(true, Result::succeeded)
                .returns(true, Result::settled);
        assertThat(Result.after(SHORT))
                .returns(Severity.DONE, Result::severity)
                .returns(Optional.of(SHORT), Result::delay)
                .returns(false, Result::retries)
                .returns(false, Result::settled);
        assertThat(Result.retry())
                .returns(Severity.DONE, Result::severity)
                .returns(true, Result::retries)
                .returns(false, Result::stops);
        assertThat(Result.halted())
                .returns(Severity.HALTED, Result::severity)
                .returns(true, Result::stops)
                .returns(true, Result::succeeded)
                .returns(true, Result::settled);
        assertThat(Result.quiet(ERROR))
                .returns(Severity.QUIET, Result::severity)
                .returns(true, Result::stops)
                .returns(true, Result::retries)
                .returns(false, Result::succeeded)
                .returns(Optional.empty(), Result::failure);
        assertThat(Result.durable(ERROR))
                .returns(Severity.DURABLE, Result::severity)
                .returns(true, Result::stops)
                .returns(true, Result::settled)
                .returns(Optional.of(ERROR), Result::failure);
        assertThat(Result.failed(ERROR))
                .returns(Severity.FAILED, Result::severity)
                .returns(true, Result::stops)
                .returns(true, Result::retries)
                .returns(Optional.of(ERROR), Result::failure);
    }

    @Test
    void aTerminalExceptionIsDurable() {
        TerminalException terminal = new TerminalException("the object is wrong");

        assertThat(Result.failed(terminal)).isEqualTo(Result.durable(terminal)).returns(true, Result::settled);
    }

    @Test
    void aDelayIsKeptWithAnError() {
        assertThat(Result.after(SHORT).plus(Result.halted()).delay()).contains(SHORT);
        assertThat(Result.after(SHORT).plus(Result.durable(ERROR)).delay()).contains(SHORT);
        assertThat(Result.failed(ERROR).plus(Result.after(SHORT)))
                .returns(Optional.of(SHORT), Result::delay)
                .returns(true, Result::retries);
    }

    @Test
    void aRetryOutlivesADurableFailure() {
        Result both = Result.durable(ERROR).plus(Result.quiet(OTHER));

        assertThat(both)
                .returns(Severity.DURABLE, Result::severity)
                .returns(true, Result::retries)
                .returns(Optional.of(ERROR), Result::failure);
    }

    @Test
    void theEarlierDelayStays() {
        assertThat(Result.after(SHORT).within(LONG).delay()).contains(SHORT);
        assertThat(Result.after(LONG).within(SHORT).delay()).contains(SHORT);
    }

    @Test
    void severalFailuresAreOneExceptionThatHasThemAll() {
        RuntimeException third = new UnsupportedOperationException("third");
        Result all = Result.durable(ERROR)
                .plus(Result.quiet(new IllegalStateException("nobody hears of")))
                .plus(Result.failed(OTHER))
                .plus(Result.failed(third));

        RuntimeException failure = all.failure().orElseThrow();

        assertThat(failure)
                .hasMessageContainingAll("first", "second", "third")
                .hasMessageNotContaining("nobody hears of")
                .hasCause(OTHER);
        assertThat(failure.getSuppressed()).containsExactly(ERROR, third);
    }

    @Test
    void textHasAllParts() {
        assertThat(Result.done()).hasToString("DONE");
        assertThat(Result.failed(ERROR).within(SHORT).priority(3).skipStatus())
                .hasToString("FAILED, again after PT1S, retried, priority 3, status not written: "
                        + "[FAILED java.lang.IllegalStateException: first]");
    }

    @Test
    void nowIsTheEarliestDelay() {
        assertThat(Result.after(SHORT).plus(Result.now())).isEqualTo(Result.now());
        assertThat(Result.now().settled()).isFalse();
        assertThat(Result.now().retries()).isFalse();
        assertThat(Result.now()).hasToString("DONE, again now");
    }

    @Test
    void invalidValuesAreRefused() {
        assertThatThrownBy(() -> Result.after(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("delay must not be negative: PT-0.001S; use now() to requeue at once");
        assertThatThrownBy(() -> Result.done().within(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay must not be negative");
        assertThatThrownBy(() -> new Problem(Severity.HALTED, ERROR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("severity must be QUIET, DURABLE or FAILED: HALTED");
    }

    @Test
    void constructedResultsAreConsistent() {
        Result made = new Result(
                false,
                Optional.empty(),
                false,
                OptionalInt.empty(),
                false,
                List.of(new Problem(Severity.QUIET, ERROR)));

        assertThat(made).isEqualTo(Result.quiet(ERROR));
    }
}
