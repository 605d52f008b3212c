package dev.evenkeel.grpc.internal;

import dev.evenkeel.grpc.internal.call.Answers;
import dev.evenkeel.grpc.internal.call.LargeCalls;
import dev.evenkeel.grpc.internal.verb.WriteCalls;
import dev.evenkeel.grpc.resource.v1.WriteManyResponse;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * A stream of writes. The next request is read when the connection can take another answer, so that neither side keeps
 * more than a few of them.
 */
final class WriteManyCall implements StreamObserver<WriteRequest> {
    private final WriteCalls writes;
    private final LargeCalls large;
    private final ServerCallStreamObserver<WriteManyResponse> client;
    private long index;
    private boolean waiting;

    WriteManyCall(WriteCalls writes, LargeCalls large, ServerCallStreamObserver<WriteManyResponse> client) {
        this.writes = writes;
        this.large = large;
        this.client = client;
        client.disableAutoRequest();
        client.setOnReadyHandler(this::resume);
        waiting = true;
    }

    private void resume() {
        if (waiting && client.isReady()) {
            waiting = false;
            client.request(1);
        }
    }

    @Override
    public void onNext(WriteRequest request) {
        WriteManyResponse.Builder answer = WriteManyResponse.newBuilder().setIndex(index++);
        try {
            answer.setResource(large.process(request.getSerializedSize(), () -> writes.write(request))
                    .getResource());
        } catch (RuntimeException e) {
            answer.setError(Answers.status(e));
        }
        client.onNext(answer.build());
        waiting = true;
        resume();
    }

    @Override
    public void onError(Throwable problem) {
        // the client is gone; what was answered is written
    }

    @Override
    public void onCompleted() {
        client.onCompleted();
    }
}
