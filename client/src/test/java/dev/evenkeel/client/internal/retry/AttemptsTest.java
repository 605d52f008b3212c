package dev.evenkeel.client.internal.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.TokenSource;
import dev.evenkeel.client.internal.retry.Attempts.Repeat;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptsTest {
    private final List<Duration> pauses = new ArrayList<>();
    private final Timing time = new Timing() {
        private long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void pause(Duration pause) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            pauses.add(pause);
            now += pause.toNanos();
        }

        @Override
        public RandomGenerator random() {
            return new Random(1);
        }
    };
    private final List<String> tokens = new ArrayList<>();
    private final Attempts attempts = new Attempts(RetryPolicy.DEFAULT.attempts(3), Optional.empty(), time);

    private static Attempts.Refused refused(int code, Optional<Duration> retryAfter) {
        return new Attempts.Refused(ApiException.of(Status.of(code, "Reason", "refused")), retryAfter);
    }

    private static ConnectionException broken() {
        return new ConnectionException("the connection broke", new java.io.IOException("reset"));
    }

    /** Sends a request whose first attempts fail, and returns how often it was sent. */
    private int sent(Attempts attempts, Repeat repeat, Supplier<RuntimeException> failure, int failures) {
        Deque<RuntimeException> left = new ArrayDeque<>();
        for (int i = 0; i < failures; i++) {
            left.add(failure.get());
        }
        int before = tokens.size();
        try {
            String answer = attempts.send("a request", repeat, token -> {
                tokens.add(token);
                if (!left.isEmpty()) {
                    throw left.remove();
                }
                return "answer";
            });
            assertThat(answer).isEqualTo("answer");
        } catch (ApiException | ConnectionException e) {
            // given up
        }
        return tokens.size() - before;
    }

    @ParameterizedTest
    @CsvSource({
        "429, READ, 2",
        "429, SAME_EFFECT, 2",
        "429, NEVER, 2",
        "503, READ, 2",
        "503, SAME_EFFECT, 1",
        "503, NEVER, 1",
        "502, READ, 2",
        "504, READ, 2",
        "500, READ, 1",
        "409, READ, 1",
        "404, READ, 1"
    })
    void repeatsWhatWasNotDoneOrHasNoEffect(int code, Repeat repeat, int times) {
        assertThat(sent(attempts, repeat, () -> refused(code, Optional.empty()), 1))
                .isEqualTo(times);
    }

    @ParameterizedTest
    @CsvSource({"500, READ, 2", "500, SAME_EFFECT, 2", "500, NEVER, 1", "409, SAME_EFFECT, 1"})
    void repeatsWhatTheServerWantsRepeated(int code, Repeat repeat, int times) {
        assertThat(sent(attempts, repeat, () -> refused(code, Optional.of(Duration.ofSeconds(2))), 1))
                .isEqualTo(times);
        assertThat(pauses).allMatch(pause -> pause.compareTo(Duration.ofSeconds(2)) >= 0);
    }

    @ParameterizedTest
    @CsvSource({"READ, 2", "SAME_EFFECT, 1", "NEVER, 1"})
    void repeatsReadsWithoutAnswer(Repeat repeat, int times) {
        assertThat(sent(attempts, repeat, AttemptsTest::broken, 1)).isEqualTo(times);
    }

    @Test
    void givesUpAsThePolicySays() {
        assertThat(sent(attempts, Repeat.READ, AttemptsTest::broken, 10)).isEqualTo(3);
        assertThat(pauses).hasSize(2);
    }

    @Test
    void repeatsNothingWithoutAnswerAfterTheEnd() {
        attempts.end();
        assertThat(sent(attempts, Repeat.READ, AttemptsTest::broken, 1)).isEqualTo(1);
    }

    @Test
    void refreshesARefusedTokenOnce() {
        Attempts withToken = new Attempts(
                RetryPolicy.DEFAULT,
                Optional.of(new TokenSource() {
                    @Override
                    public String token() {
                        return "old";
                    }

                    @Override
                    public String refresh(String refused) {
                        return "new after " + refused;
                    }
                }),
                time);
        assertThat(sent(withToken, Repeat.NEVER, () -> refused(401, Optional.empty()), 1))
                .isEqualTo(2);
        assertThat(tokens).containsExactly("old", "new after old");
        assertThat(sent(withToken, Repeat.NEVER, () -> refused(401, Optional.empty()), 9))
                .isEqualTo(2);
        assertThat(pauses).isEmpty();
    }

    @Test
    void anInterruptedThreadDoesNotWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> attempts.send("a request", Repeat.READ, token -> {
                    throw broken();
                }))
                .isInstanceOf(RequestInterruptedException.class)
                .hasMessageContaining("a request");
        assertThat(Thread.interrupted()).isTrue();
    }
}
