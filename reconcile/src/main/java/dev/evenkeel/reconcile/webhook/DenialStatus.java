package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.controller.Result.Problem;
import dev.evenkeel.reconcile.internal.Outcomes;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.api.model.StatusDetailsBuilder;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds the status of a denied request. */
final class DenialStatus {
    private DenialStatus() {}

    /** Returns a status with the code of the worst problem and the messages of all. */
    static Status of(List<Problem> problems) {
        // the first of equals
        Problem worst =
                problems.stream().max(Comparator.comparing(Problem::severity)).orElseThrow();
        String message = problems.stream()
                .map(problem -> Outcomes.message(problem.error()))
                .distinct()
                .collect(Collectors.joining("; "));
        dev.evenkeel.client.Status refusal = worst.error() instanceof ApiException error && error.code() >= 400
                ? error.status()
                : dev.evenkeel.client.Status.of(500, dev.evenkeel.client.Status.reasonOf(500), message);
        return new StatusBuilder()
                .withApiVersion("v1")
                .withKind("Status")
                .withStatus("Failure")
                .withCode(refusal.code())
                .withMessage(message)
                .withReason(orNull(refusal.reason()))
                .withDetails(refusal.details().map(DenialStatus::details).orElse(null))
                .build();
    }

    /** Returns a refusal with the API's reason for the code. */
    static ApiException refusal(int code, String message) {
        return ApiException.of(dev.evenkeel.client.Status.of(code, dev.evenkeel.client.Status.reasonOf(code), message));
    }

    private static StatusDetails details(dev.evenkeel.client.Status.Details details) {
        return new StatusDetailsBuilder()
                .withName(orNull(details.name()))
                .withGroup(orNull(details.group()))
                .withKind(orNull(details.kind()))
                .withUid(orNull(details.uid()))
                .withRetryAfterSeconds(details.retryAfterSeconds() > 0 ? details.retryAfterSeconds() : null)
                .withCauses(details.causes().stream()
                        .map(cause -> new StatusCause(cause.field(), cause.message(), cause.reason()))
                        .toList())
                .build();
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
