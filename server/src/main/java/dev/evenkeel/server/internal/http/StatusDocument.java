package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts a {@link Status} to its tree in JSON. */
public final class StatusDocument {
    private StatusDocument() {}

    public static JsonObject failure(Status status) {
        JsonObject tree = head("Failure", status.continueToken());
        tree.put("message", status.message());
        put(tree, "reason", status.reason());
        status.details().ifPresent(details -> tree.put("details", details(details)));
        tree.put("code", (long) status.code());
        return tree;
    }

    public static JsonObject success(int code, Status.Details details) {
        JsonObject tree = head("Success", "");
        if (details.equals(Status.Details.EMPTY)) {
            tree.put("code", (long) code);
        } else {
            tree.put("details", details(details));
        }
        return tree;
    }

    private static JsonObject head(String outcome, String continueToken) {
        JsonObject metadata = new JsonObject();
        put(metadata, "continue", continueToken);
        return JsonObject.of("kind", "Status", "apiVersion", "v1", "metadata", metadata, "status", outcome);
    }

    private static JsonObject details(Status.Details details) {
        JsonObject tree = new JsonObject();
        put(tree, "name", details.name());
        put(tree, "group", details.group());
        put(tree, "kind", details.kind());
        put(tree, "uid", details.uid());
        if (!details.causes().isEmpty()) {
            List<@Nullable Object> causes = new ArrayList<>();
            for (Status.Cause cause : details.causes()) {
                JsonObject item = new JsonObject();
                put(item, "reason", cause.reason());
                put(item, "message", cause.message());
                put(item, "field", cause.field());
                causes.add(item);
            }
            tree.put("causes", causes);
        }
        if (details.retryAfterSeconds() > 0) {
            tree.put("retryAfterSeconds", (long) details.retryAfterSeconds());
        }
        return tree;
    }

    private static void put(JsonObject tree, String key, String value) {
        if (!value.isEmpty()) {
            tree.put(key, value);
        }
    }
}
