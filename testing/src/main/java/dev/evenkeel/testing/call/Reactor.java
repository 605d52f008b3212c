package dev.evenkeel.testing.call;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Status;
import dev.evenkeel.testing.call.CallDispatcher.Exchange;
import dev.evenkeel.testing.call.RecordedCall.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * An intervention in some calls, created by {@link Calls} and added to a client by {@link ReactiveClient#react}. A
 * value: its client keeps the counts, so one may be used in many cases.
 */
public final class Reactor {
    final Calls calls;
    final Function<Exchange, Answer> reaction;
    final int times;
    final boolean optional;
    private final String words;

    Reactor(Calls calls, String words, Function<Exchange, Answer> reaction, int times, boolean optional) {
        this.calls = calls;
        this.words = words;
        this.reaction = reaction;
        this.times = times;
        this.optional = optional;
    }

    /** Returns a copy for the first such call only. */
    public Reactor once() {
        return times(1);
    }

    /**
     * Returns a copy for the first calls only.
     *
     * @throws IllegalArgumentException when the count is less than 1
     */
    public Reactor times(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("times(" + count + "): must be positive");
        }
        return new Reactor(calls, words, reaction, count, optional);
    }

    /** Returns a copy that is not {@linkplain ReactiveClient#unused reported} when it never fires. */
    public Reactor optional() {
        return new Reactor(calls, words, reaction, times, true);
    }

    /** Returns a description, such as {@code create configmaps named default/child: fails, once}. */
    @Override
    public String toString() {
        String often = times == Integer.MAX_VALUE ? "" : times == 1 ? ", once" : ", " + times + " times";
        return calls + ": " + words + often;
    }

    private record Refusal(int code, String reason, Function<RecordedCall, Status> status) implements Failure {
        @Override
        public RuntimeException of(RecordedCall call) {
            return ApiException.of(status.apply(call));
        }

        @Override
        public String words() {
            return "fails with " + code + " " + reason;
        }
    }

    /**
     * Creates the error of a failed call, with the message of an API server.
     *
     * <p>Each error is a new one, so that its stack is that of the call.
     */
    @FunctionalInterface
    public interface Failure {
        /** Returns the error for this call. */
        RuntimeException of(RecordedCall call);

        /** Returns the description in a reactor: {@code fails with 404 NotFound}. */
        default String words() {
            return "fails";
        }

        /** 404: the object does not exist. {@code find} returns an empty answer, as with any client. */
        static Failure notFound() {
            return refusal(404, "NotFound", call -> quoted(call) + " not found");
        }

        /** 409: an object of that name exists. */
        static Failure alreadyExists() {
            return refusal(409, "AlreadyExists", call -> quoted(call) + " already exists");
        }

        /** 409: the object changed since it was read. */
        static Failure conflict() {
            String why =
                    ": the object has been modified; please apply your changes to the latest version and try again";
            return refusal(409, "Conflict", call -> "Operation cannot be fulfilled on " + quoted(call) + why);
        }

        /** 403: not permitted, for this reason. */
        static Failure forbidden(String why) {
            return refusal(403, "Forbidden", call -> quoted(call) + " is forbidden: " + why);
        }

        /** 422: this field is invalid. */
        static Failure invalid(String field, String message) {
            return new Refusal(422, "Invalid", call -> {
                Kind<?> kind = call.kind();
                String what = kind.group().isEmpty() ? kind.kind() : kind.kind() + "." + kind.group();
                String why = "Invalid value: " + message;
                String text = what + " \"" + call.key().name() + "\" is invalid: " + field + ": " + why;
                Status.Details details = Status.Details.of(call.key().name(), kind.group(), kind.kind());
                Status.Cause cause = new Status.Cause("FieldValueInvalid", why, field);
                return Status.of(422, "Invalid", text, details.causes(List.of(cause)));
            });
        }

        /** 429: to be tried again after this time; whole seconds, at least one. */
        static Failure tooManyRequests(Duration retryAfter) {
            int seconds = Math.toIntExact(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
            String reason = "TooManyRequests";
            String text = "the server has received too many requests and has asked us to try again later";
            return new Refusal(
                    429,
                    reason,
                    call -> Status.of(429, reason, text, details(call).retryAfterSeconds(seconds)));
        }

        /** 504: the server did not complete the request in time. */
        static Failure serverTimeout() {
            return refusal(504, "Timeout", unused -> "Timeout: request did not complete within the requested timeout");
        }

        /** 500: an internal error of the server. */
        static Failure internal() {
            return refusal(500, "InternalError", call -> "Internal error occurred: " + call.question());
        }

        /** 503: the server is temporarily unavailable. */
        static Failure unavailable() {
            return refusal(503, "ServiceUnavailable", unused -> "the server is currently unable to handle the request");
        }

        /** 410: the requested version or page is too old. */
        static Failure expired() {
            return refusal(410, "Expired", unused -> "The resourceVersion for the provided list is too old.");
        }

        /** No answer: the connection broke. The error does not show whether the call took effect. */
        static Failure connectionLost() {
            return call -> new UncheckedIOException(new IOException("the connection is lost: " + call.question()));
        }

        private static Failure refusal(int code, String reason, Function<RecordedCall, String> message) {
            return new Refusal(code, reason, call -> Status.of(code, reason, message.apply(call), details(call)));
        }

        private static String quoted(RecordedCall call) {
            return call.kind().id() + " \"" + call.key().name() + "\"";
        }

        private static Status.Details details(RecordedCall call) {
            return Status.Details.of(
                    call.key().name(), call.kind().group(), call.kind().plural());
        }
    }
}
