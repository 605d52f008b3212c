package dev.evenkeel.testing.call;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import java.util.function.Function;

/** A failure with a status of the API. */
record Refusal(int code, String reason, Function<RecordedCall, Status> status) implements Reactor.Failure {
    @Override
    public RuntimeException of(RecordedCall call) {
        return ApiException.of(status.apply(call));
    }

    @Override
    public String words() {
        return "fails with " + code + " " + reason;
    }
}
