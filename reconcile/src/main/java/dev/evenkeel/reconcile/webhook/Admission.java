package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Access of parts to the admission request and response; see {@link AdmissionWebhookAdapter}. */
public final class Admission {
    /** The request of the API server; present only in a webhook. */
    public static final Stash.Key<AdmissionRequest> REQUEST = Stash.Key.of("admission request", AdmissionRequest.class);

    /**
     * The response so far; present only in a webhook. A status or a patch that a part sets is kept; that a part failed,
     * or that the server takes no patch, still holds.
     */
    public static final Stash.Key<AdmissionResponse> RESPONSE =
            Stash.Key.of("admission response", AdmissionResponse.class);

    private Admission() {}

    /**
     * Returns the stored object that is to be updated or deleted; empty on creation, and outside of webhooks.
     *
     * @throws IllegalArgumentException when it cannot be read as one of its kind
     */
    public static <T extends HasMetadata> Optional<T> stored(Reconciliation<T> reconciliation) {
        return reconciliation
                .stash()
                .get(REQUEST)
                .map(AdmissionRequest::getOldObject)
                .map(object -> ModelCodec.decode(
                        AdmissionJson.text(object), reconciliation.kind().javaType()));
    }

    /**
     * Returns an outcome that denies the write.
     *
     * @param code HTTP status for the client: 403 for a missing right, 422 for an invalid object
     * @param message for the client: the error, and the right value
     */
    public static Result deny(int code, String message) {
        if (code < 400 || code > 599) {
            throw new IllegalArgumentException(
                    "code: " + code + " is not an error: use one of 400 to 599, such as 422");
        }
        return Result.durable(DenialStatus.refusal(code, message));
    }

    /** Adds a warning for the client, whether the write is allowed or not. Has no effect outside of webhooks. */
    public static void warn(Reconciliation<?> reconciliation, String text) {
        reconciliation.stash().get(RESPONSE).ifPresent(response -> {
            List<String> all = new ArrayList<>(Objects.requireNonNullElse(response.getWarnings(), List.of()));
            all.add(text);
            response.setWarnings(all);
        });
    }

    /** Adds an annotation for the audit log of the server. Has no effect outside of webhooks. */
    public static void annotate(Reconciliation<?> reconciliation, String key, String value) {
        reconciliation.stash().get(RESPONSE).ifPresent(response -> {
            Map<String, String> all =
                    new HashMap<>(Objects.requireNonNullElse(response.getAuditAnnotations(), Map.of()));
            all.put(key, value);
            response.setAuditAnnotations(all);
        });
    }
}
