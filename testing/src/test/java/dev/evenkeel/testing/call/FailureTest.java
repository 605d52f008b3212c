package dev.evenkeel.testing.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.TimeoutException;
import dev.evenkeel.client.TooManyRequestsException;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailureTest {
    private static final RecordedCall CALL = new RecordedCall(
            1,
            Instant.EPOCH,
            "",
            RecordedCall.Verb.UPDATE,
            Kind.of(Deployment.class),
            "",
            ObjectKey.of("default", "web"),
            ListOptions.ALL,
            WriteOptions.DEFAULT,
            DeleteOptions.DEFAULT,
            new RecordedCall.Body.Nothing(),
            new RecordedCall.Answer.Pending());

    private static void check(Reactor.Failure failure, Class<? extends ApiException> type, int code, String message) {
        assertThat(failure.of(CALL)).isInstanceOfSatisfying(type, error -> {
            assertThat(error.code()).isEqualTo(code);
            assertThat(error).hasMessageContaining(message);
            assertThat(failure.words()).isEqualTo("fails with " + code + " " + error.reason());
        });
        assertThat(failure.of(CALL)).isNotSameAs(failure.of(CALL));
    }

    @Test
    void eachIsTypedAndAboutTheCall() {
        check(Reactor.Failure.notFound(), NotFoundException.class, 404, "deployments.apps \"web\" not found");
        check(
                Reactor.Failure.alreadyExists(),
                AlreadyExistsException.class,
                409,
                "deployments.apps \"web\" already exists");
        check(
                Reactor.Failure.conflict(),
                ConflictException.class,
                409,
                "Operation cannot be fulfilled on deployments.apps \"web\"");
        check(
                Reactor.Failure.forbidden("quota"),
                ForbiddenException.class,
                403,
                "deployments.apps \"web\" is forbidden: quota");
        check(
                Reactor.Failure.invalid("spec.replicas", "must not be 3"),
                InvalidException.class,
                422,
                "Deployment.apps \"web\" is invalid: spec.replicas: Invalid value: must not be 3");
        check(
                Reactor.Failure.tooManyRequests(Duration.ofSeconds(7)),
                TooManyRequestsException.class,
                429,
                "too many requests");
        check(Reactor.Failure.serverTimeout(), TimeoutException.class, 504, "did not complete");
        check(Reactor.Failure.internal(), ApiException.class, 500, "update deployments.apps default/web");
        check(Reactor.Failure.unavailable(), ApiException.class, 503, "currently unable");
        check(Reactor.Failure.expired(), ExpiredException.class, 410, "too old");
        assertThat(Reactor.Failure.connectionLost().of(CALL)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void detailsSayWhatItIsAbout() {
        assertThat(((ApiException) Reactor.Failure.notFound().of(CALL)).status().details())
                .contains(Status.Details.of("web", "apps", "deployments"));
        ApiException invalid =
                (ApiException) Reactor.Failure.invalid("spec.replicas", "no").of(CALL);
        assertThat(invalid.causes())
                .singleElement()
                .satisfies(cause -> assertThat(cause.field()).isEqualTo("spec.replicas"));
        ApiException busy = (ApiException)
                Reactor.Failure.tooManyRequests(Duration.ofMillis(1500)).of(CALL);
        assertThat(busy.status().details().orElseThrow().retryAfterSeconds()).isEqualTo(2);
    }

    @Test
    void aFailureOfOnesOwnIsAFunction() {
        Reactor.Failure mine = call -> new IllegalStateException(call.question());
        assertThat(mine.of(CALL)).hasMessage("update deployments.apps default/web");
        assertThat(Calls.on(RecordedCall.Verb.UPDATE).fails(mine)).hasToString("update: fails");
    }
}
