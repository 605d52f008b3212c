package dev.evenkeel.engine;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Collects a response body in memory; fails as soon as the body exceeds a bound. */
final class BoundedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
    private final int bound;
    private long length;
    private @Nullable Subscription subscription;

    BoundedBody(int bound) {
        this.bound = bound;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return bytes.getBody();
    }

    @Override
    public void onSubscribe(Subscription begun) {
        subscription = begun;
        bytes.onSubscribe(begun);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            length += buffer.remaining();
        }
        if (length <= bound) {
            bytes.onNext(buffers);
        } else if (subscription != null) {
            subscription.cancel();
            bytes.onError(new IOException("the answer is larger than " + bound + " bytes"));
            subscription = null;
        }
    }

    @Override
    public void onError(Throwable failure) {
        bytes.onError(failure);
    }

    @Override
    public void onComplete() {
        bytes.onComplete();
    }
}
