package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    private ResponseBody received(String... buffers) {
        body.onSubscribe(subscription);
        for (String text : buffers) {
            body.onNext(List.of(ByteBuffer.wrap(text.getBytes(UTF_8))));
        }
        return body;
    }

    @Test
    void aBodyOfSeveralBuffersIsReadAtOnce() throws IOException {
        received("a", "", "bcd", "efghijklm").onComplete();

        assertThat(body.readNBytes(100)).asString(UTF_8).isEqualTo("abcdefghijklm");
        assertThat(body.readNBytes(100)).isEmpty();
    }

    @Test
    void noMoreIsReadThanAskedFor() throws IOException {
        received("abc", "def").onComplete();

        assertThat(body.readNBytes(0)).isEmpty();
        assertThat(body.readNBytes(4)).asString(UTF_8).isEqualTo("abcd");
        assertThat(body.read()).isEqualTo('e');
        assertThat(body.readAllBytes()).asString(UTF_8).isEqualTo("f");
    }

    @Test
    void aBodyThatBreaksIsNotTakenForComplete() {
        received("abc").onError(new IOException("reset"));

        assertThatThrownBy(() -> body.readNBytes(100))
                .isInstanceOf(IOException.class)
                .hasMessage("reset");
    }
}
