package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Stash;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a part can ask and say about a question of the API server; see {@link AdmissionWebhookAdapter}. */
public final class Admission {
    /** What the API server asks; there only in a webhook. */
    public static final Stash.Key<AdmissionRequest> REQUEST = Stash.Key.of("admission request", AdmissionRequest.class);

    /**
     * The answer so far; there only in a webhook. A status or a patch that somebody puts into it stays; that a part failed,
     * or that the server takes no patch, still holds.
     */
    public static final Stash.Key<AdmissionResponse> RESPONSE =
            Stash.Key.of("admission response", AdmissionResponse.class);

    private Admission() {}

    /**
     * The object as it is stored, which is to be updated or deleted; empty when it is to be created, and outside of webhooks.
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
     * The end of a part that refuses the write.
     *
     * @param code HTTP status that the writer sees: 403 when it may not be, 422 when the object is wrong
     * @param message for the writer: what is wrong, and what would be right
     */
    public static Outcome deny(int code, String message) {
        if (code < 400 || code > 599) {
            throw new IllegalArgumentException(
                    "code: " + code + " refuses nothing: use one of 400 to 599, such as 422");
        }
        return Outcome.durable(ApiException.of(Status.of(code, Denial.reason(code), message)));
    }

    /** Tells the writer something, whether the write is allowed or not. Outside of webhooks nobody is told. */
    public static void warn(Reconciliation<?> reconciliation, String text) {
        reconciliation.stash().get(RESPONSE).ifPresent(response -> {
            List<String> all =
                    response.getWarnings() == null ? new ArrayList<>() : new ArrayList<>(response.getWarnings());
            all.add(text);
            response.setWarnings(all);
        });
    }

    /** Leaves something for the audit log of the server. Outside of webhooks nothing is left. */
    public static void annotate(Reconciliation<?> reconciliation, String key, String value) {
        reconciliation.stash().get(RESPONSE).ifPresent(response -> {
            Map<String, String> all = response.getAuditAnnotations() == null
                    ? new HashMap<>()
                    : new HashMap<>(response.getAuditAnnotations());
            all.put(key, value);
            response.setAuditAnnotations(all);
        });
    }
}
