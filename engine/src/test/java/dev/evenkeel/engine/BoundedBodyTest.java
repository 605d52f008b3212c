package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BoundedBodyTest {
    private final AtomicBoolean cancelled = new AtomicBoolean();

    private CompletableFuture<byte[]> read(int... sizes) {
        BoundedBody body = new BoundedBody(10);
        body.onSubscribe(new Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {
                cancelled.set(true);
            }
        });
        for (int size : sizes) {
            body.onNext(List.of(ByteBuffer.allocate(size)));
        }
        body.onComplete();
        return body.getBody().toCompletableFuture();
    }

    @Test
    void bodyUpToTheBoundIsRead() {
        assertThat(read(4, 6)).isCompletedWithValueMatching(bytes -> bytes.length == 10);
        assertThat(cancelled).isFalse();
    }

    @Test
    void largerBodyFailsAndIsCancelled() {
        assertThatThrownBy(read(4, 6, 1, 1)::join)
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("the answer is larger than 10 bytes");
        assertThat(cancelled).isTrue();
    }
}
