package dev.evenkeel.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns error responses into exceptions: those of the API, with a {@code Status}, and those of proxies, in any form.
 */
final class ErrorResponses {
    private ErrorResponses() {}

    /**
     * Returns the exception for a response.
     *
     * @param retryAfter the value of the header, in seconds; 0 for none
     */
    static ApiException of(int code, int retryAfter, byte[] body) {
        try {
            JsonNode tree = JsonDocuments.parse(body);
            if (text(tree, "kind").equals("Status")) {
                return of(code, tree);
            }
        } catch (KubernetesClient.UnexpectedAnswerException e) {
            // not the API's: shown verbatim
        }
        String text = JsonDocuments.excerpt(body);
        // the form in which a server answers for an unknown path
        boolean unknownPath = code == 404 && (text.isEmpty() || text.equals("404 page not found"));
        String message = unknownPath
                ? "the server could not find the requested resource"
                : "the server, or a proxy before it, answered with " + code + (text.isEmpty() ? "" : ": " + text);
        return ApiException.of(
                Status.of(code, Status.reasonOf(code), message, Status.Details.EMPTY.retryAfterSeconds(retryAfter)));
    }

    /** Returns the exception for a Status. */
    static ApiException of(int code, JsonNode status) {
        int stated = status.path("code").asInt(code);
        return ApiException.of(new Status(
                stated,
                status.hasNonNull("reason") ? status.path("reason").asText() : Status.reasonOf(stated),
                text(status, "message"),
                status.path("details").isObject() ? Optional.of(details(status.path("details"))) : Optional.empty(),
                text(status.path("metadata"), "continue")));
    }

    private static Status.Details details(JsonNode details) {
        List<Status.Cause> causes = new ArrayList<>();
        for (JsonNode cause : details.path("causes")) {
            causes.add(new Status.Cause(text(cause, "reason"), text(cause, "message"), text(cause, "field")));
        }
        int retryAfter = details.path("retryAfterSeconds").asInt(0);
        return new Status.Details(
                text(details, "name"),
                text(details, "group"),
                text(details, "kind"),
                text(details, "uid"),
                causes,
                retryAfter);
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asText("");
    }
}
