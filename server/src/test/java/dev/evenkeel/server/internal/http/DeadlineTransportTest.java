package dev.evenkeel.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers of handlers that take longer than their requests may. */
class DeadlineTransportTest {
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final CountDownLatch expired = new CountDownLatch(1);

    /** Records calls that answer a request. */
    private final Transport carrier = (Transport) Proxy.newProxyInstance(
            Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, arguments) -> {
                switch (method.getName()) {
                    case "write" -> calls.add("write " + StandardCharsets.UTF_8.decode((ByteBuffer) arguments[1]));
                    case "status" -> {
                        if (arguments == null) {
                            return 0;
                        }
                        calls.add("status " + arguments[0]);
                    }
                    case "setHeader" -> calls.add(arguments[0] + ": " + arguments[1]);
                    case "end", "abort", "closeConnection" -> calls.add(method.getName());
                    case "committed" -> {
                        return false;
                    }
                    default -> {}
                }
                return null;
            });

    private final DeadlineTransport transport = new DeadlineTransport(carrier, timers, Runnable::run);

    @AfterEach
    void close() {
        timers.shutdownNow();
    }

    private Transport.Expiry expiry(Duration after, String body) {
        return new Transport.Expiry(
                after, "text/plain", () -> body.getBytes(StandardCharsets.UTF_8), expired::countDown);
    }

    private String next() throws InterruptedException {
        return String.valueOf(calls.poll(120, TimeUnit.SECONDS));
    }

    @Test
    void theEarliestOfSeveralTimesCounts() throws Exception {
        transport.setHeader("Audit-Id", "1");
        transport.setHeader("ETag", "2");
        transport.expire(expiry(Duration.ofDays(1), "late"));
        transport.expire(expiry(Duration.ofMillis(1), "early"));
        transport.expire(expiry(Duration.ofHours(1), "later"));
        assertThat(List.of(next(), next(), next(), next(), next(), next()))
                .containsExactly(
                        "status 504",
                        "Audit-Id: 1",
                        "Content-Type: text/plain",
                        "closeConnection",
                        "write early",
                        "end");
        assertThat(expired.await(120, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> transport.write(true, ByteBuffer.allocate(0))).isInstanceOf(IOException.class);
        transport.end();
        transport.abort(new IOException());
        assertThat(transport.status()).isEqualTo(504);
        assertThat(calls).isEmpty();
    }

    @Test
    void anAnswerThatHasBegunIsAborted() throws Exception {
        transport.expire(expiry(Duration.ofSeconds(3), "never"));
        transport.status(200);
        transport.write(false, ByteBuffer.wrap("begun".getBytes(StandardCharsets.UTF_8)));
        assertThat(List.of(next(), next(), next())).containsExactly("status 200", "write begun", "abort");
    }

    @Test
    void anAnswerInTimeEndsTheTimer() throws Exception {
        transport.expire(expiry(Duration.ofMinutes(10), "never"));
        transport.write(true, ByteBuffer.wrap("done".getBytes(StandardCharsets.UTF_8)));
        transport.end();
        assertThat(List.of(next(), next())).containsExactly("write done", "end");
        assertThat(timers.shutdownNow()).allMatch(task -> task instanceof Future<?> future && future.isCancelled());
    }
}
