package dev.evenkeel.server.internal.http;

import dev.evenkeel.client.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a {@link Status} to its tree in JSON. */
public final class StatusDocument {
    private StatusDocument() {}

    public static Map<String, @Nullable Object> failure(Status status) {
        Map<String, @Nullable Object> tree = head("Failure", status.continueToken());
        tree.put("message", status.message());
        if (!status.reason().isEmpty()) {
            tree.put("reason", status.reason());
        }
        status.details().ifPresent(details -> tree.put("details", details(details)));
        tree.put("code", (long) status.code());
        return tree;
    }

    public static Map<String, @Nullable Object> success(int code, Status.Details details) {
        Map<String, @Nullable Object> tree = head("Success", "");
        if (details.equals(Status.Details.EMPTY)) {
            tree.put("code", (long) code);
        } else {
            tree.put("details", details(details));
        }
        return tree;
    }

    private static Map<String, @Nullable Object> head(String outcome, String continueToken) {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        put(metadata, "continue", continueToken);
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("kind", "Status");
        tree.put("apiVersion", "v1");
        tree.put("metadata", metadata);
        tree.put("status", outcome);
        return tree;
    }

    private static Map<String, @Nullable Object> details(Status.Details details) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        put(tree, "name", details.name());
        put(tree, "group", details.group());
        put(tree, "kind", details.kind());
        put(tree, "uid", details.uid());
        if (!details.causes().isEmpty()) {
            List<@Nullable Object> causes = new ArrayList<>();
            for (Status.Cause cause : details.causes()) {
                Map<String, @Nullable Object> item = new LinkedHashMap<>();
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

    private static void put(Map<String, @Nullable Object> tree, String key, String value) {
        if (!value.isEmpty()) {
            tree.put(key, value);
        }
    }
}
