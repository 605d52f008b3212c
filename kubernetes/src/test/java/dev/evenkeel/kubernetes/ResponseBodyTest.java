package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

class ResponseBodyTest {
    private final ResponseBody body = new ResponseBody(Duration.ZERO);
    private int cancelled;

    private final Flow.Subscription subscription = new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {
            cancelled++;
        }
    };

    @Test
    void aBodyThatWasReceivedIsNotCancelled() throws IOException {
        // over HTTP/2 the stream of each request was reset after its answer
        body.onSubscribe(subscription);
        body.onNext(List.of(ByteBuffer.wrap("text".getBytes(UTF_8))));
        body.onComplete();

        assertThat(body.readAllBytes()).asString(UTF_8).isEqualTo("text");
        body.close();

        assertThat(cancelled).isZero();
    }

    @Test
    void theRestOfABodyIsCancelled() {
        body.onSubscribe(subscription);
        body.onNext(List.of(ByteBuffer.wrap("te".getBytes(UTF_8))));
        body.close();

        assertThat(cancelled).isOne();
    }
}
