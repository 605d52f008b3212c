package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;

/** Converts a {@link Status} to its tree in JSON. */
public final class StatusDocument {
    private StatusDocument() {}

    public static JsonObject failure(Status status) {
        JsonObject tree = head("Failure", status.continueToken())
                .set("message", status.message())
                .setUnlessEmpty("reason", status.reason());
        status.details().ifPresent(details -> tree.put("details", details(details)));
        return tree.set("code", (long) status.code());
    }

    public static JsonObject success(int code, Status.Details details) {
        JsonObject tree = head("Success", "");
        return details.equals(Status.Details.EMPTY)
                ? tree.set("code", (long) code)
                : tree.set("details", details(details));
    }

    private static JsonObject head(String outcome, String continueToken) {
        JsonObject metadata = new JsonObject().setUnlessEmpty("continue", continueToken);
        return JsonObject.of("kind", "Status", "apiVersion", "v1", "metadata", metadata, "status", outcome);
    }

    private static JsonObject details(Status.Details details) {
        List<JsonObject> causes = details.causes().stream()
                .map(cause -> new JsonObject()
                        .setUnlessEmpty("reason", cause.reason())
                        .setUnlessEmpty("message", cause.message())
                        .setUnlessEmpty("field", cause.field()))
                .toList();
        JsonObject tree = new JsonObject()
                .setUnlessEmpty("name", details.name())
                .setUnlessEmpty("group", details.group())
                .setUnlessEmpty("kind", details.kind())
                .setUnlessEmpty("uid", details.uid())
                .setUnlessEmpty("causes", causes);
        if (details.retryAfterSeconds() > 0) {
            tree.put("retryAfterSeconds", (long) details.retryAfterSeconds());
        }
        return tree;
    }
}
