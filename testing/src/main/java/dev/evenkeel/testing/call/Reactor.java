package dev.evenkeel.testing.call;

import dev.evenkeel.client.Client.Replicas;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Status;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Something that happens to some calls, made by {@link Calls} and put in front of a client by
 * {@link ReactiveClient#react}. A value: what it has seen so far, its client counts, so one may serve many cases.
 */
public final class Reactor {
    private final Calls calls;
    private final String words;
    private final Reaction reaction;
    private final int times;
    private final boolean optional;

    Reactor(Calls calls, String words, Reaction reaction, int times, boolean optional) {
        this.calls = calls;
        this.words = words;
        this.reaction = reaction;
        this.times = times;
        this.optional = optional;
    }

    /** What happens to a call. */
    interface Reaction {
        /** Makes the answer, or throws. */
        RecordedCall.Answer react(Exchange exchange);
    }

    /** A call that a reaction has in its hands. */
    interface Exchange {
        RecordedCall call();

        /** Goes on: to the next reactor, and in the end to the server. */
        default RecordedCall.Answer proceed() {
            return proceed(call().body());
        }

        /** Goes on with another body. */
        RecordedCall.Answer proceed(RecordedCall.Body body);

        /** The answer that the verb needs, with this object. */
        RecordedCall.Answer answer(HasMetadata object);

        /** The answer that the verb needs, with these objects. */
        RecordedCall.Answer answer(List<? extends HasMetadata> objects);

        /** The answer that the verb needs, with this scale. */
        RecordedCall.Answer answer(Replicas replicas);

        /** The answer to a read when there is nothing. */
        RecordedCall.Answer nothing();

        /** The answer to a write as if it had been done. */
        RecordedCall.Answer ignore();

        /** Lets time pass. */
        void delay(Duration duration);
    }

    /** The same, but at the first such call only. */
    public Reactor once() {
        return times(1);
    }

    /**
     * The same, but at the first so many such calls only.
     *
     * @throws IllegalArgumentException when it is less than 1
     */
    public Reactor times(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("times(" + count + "): a reactor that never fires is none");
        }
        return new Reactor(calls, words, reaction, count, optional);
    }

    /** The same, and it is not {@linkplain ReactiveClient#unused reported} when it never fires. */
    public Reactor optional() {
        return new Reactor(calls, words, reaction, times, true);
    }

    Calls calls() {
        return calls;
    }

    Reaction reaction() {
        return reaction;
    }

    int limit() {
        return times;
    }

    boolean isOptional() {
        return optional;
    }

    /** In words, such as {@code create configmaps named default/child: fails, once}. */
    @Override
    public String toString() {
        String often = times == Integer.MAX_VALUE ? "" : times == 1 ? ", once" : ", " + times + " times";
        return calls + ": " + words + often;
    }

    /**
     * How a call fails: makes an error that is about the call, in the words of an API server.
     *
     * <p>Each error is a new one, so that its stack is that of the call.
     */
    @FunctionalInterface
    public interface Failure {
        /** The error for this call. */
        RuntimeException of(RecordedCall call);

        /** What a reactor says that happens: {@code fails with 404 NotFound}. */
        default String words() {
            return "fails";
        }

        /** 404: the object is not there. To {@code find} that is an empty answer, as of any client. */
        static Failure notFound() {
            return refusal(404, "NotFound", call -> quoted(call) + " not found");
        }

        /** 409: there is an object of that name. */
        static Failure alreadyExists() {
            return refusal(409, "AlreadyExists", call -> quoted(call) + " already exists");
        }

        /** 409: the object changed since it was read. */
        static Failure conflict() {
            return refusal(
                    409,
                    "Conflict",
                    call -> "Operation cannot be fulfilled on " + quoted(call)
                            + ": the object has been modified; please apply"
                            + " your changes to the latest version and try again");
        }

        /** 403: not allowed, for this reason. */
        static Failure forbidden(String why) {
            return refusal(403, "Forbidden", call -> quoted(call) + " is forbidden: " + why);
        }

        /** 422: this field is wrong. */
        static Failure invalid(String field, String message) {
            return new Refusal(422, "Invalid", call -> {
                Kind<?> kind = call.kind();
                String what = kind.group().isEmpty() ? kind.kind() : kind.kind() + "." + kind.group();
                String why = "Invalid value: " + message;
                return Status.of(
                        422,
                        "Invalid",
                        what + " \"" + call.key().name() + "\" is invalid: " + field + ": " + why,
                        Status.Details.of(call.key().name(), kind.group(), kind.kind())
                                .withCauses(List.of(new Status.Cause("FieldValueInvalid", why, field))));
            });
        }

        /** 429: not now, but when this time has passed; whole seconds, at least one. */
        static Failure tooManyRequests(Duration retryAfter) {
            int seconds = Math.toIntExact(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
            return new Refusal(
                    429,
                    "TooManyRequests",
                    call -> Status.of(
                            429,
                            "TooManyRequests",
                            "the server has received too many requests and has asked us to try again later",
                            details(call).withRetryAfterSeconds(seconds)));
        }

        /** 504: the server could not do it in time. */
        static Failure serverTimeout() {
            return refusal(504, "Timeout", unused -> "Timeout: request did not complete within the requested timeout");
        }

        /** 500: the server is broken. */
        static Failure internal() {
            return refusal(500, "InternalError", call -> "Internal error occurred: " + call.question());
        }

        /** 503: the server is not there for now. */
        static Failure unavailable() {
            return refusal(503, "ServiceUnavailable", unused -> "the server is currently unable to handle the request");
        }

        /** 410: the version or the page asked for is too old. */
        static Failure expired() {
            return refusal(410, "Expired", unused -> "The resourceVersion for the provided list is too old.");
        }

        /** No answer: the connection broke. Whether the call took effect cannot be seen from the error. */
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
