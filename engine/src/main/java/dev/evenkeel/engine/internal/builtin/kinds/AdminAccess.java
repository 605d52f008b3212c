package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rule of access to devices that are in use: only in namespaces with a label for it. */
final class AdminAccess {
    private static final String LABEL = "resource.kubernetes.io/admin-access";

    private AdminAccess() {}

    /**
     * Returns the error of a new claim, or template of claims.
     *
     * @param spec of the claim
     */
    static List<FieldError> ofRequests(JsonObject tree, JsonObject spec, ResourceStrategy.Context context) {
        return errors(
                tree,
                spec.object("devices").objects("requests"),
                request ->
                        request.bool("adminAccess") || request.object("exactly").bool("adminAccess"),
                "spec.devices.requests",
                context);
    }

    /** Returns the error of a changed status: devices that were allocated before are not checked again. */
    static List<FieldError> ofResults(JsonObject tree, @Nullable JsonObject old, ResourceStrategy.Context context) {
        Predicate<JsonObject> wanted = result -> result.bool("adminAccess");
        return old != null && results(old).stream().anyMatch(wanted)
                ? List.of()
                : errors(tree, results(tree), wanted, "status.allocation.devices.results", context);
    }

    private static List<JsonObject> results(JsonObject tree) {
        return tree.object("status", "allocation", "devices").objects("results");
    }

    private static List<FieldError> errors(
            JsonObject tree,
            List<JsonObject> items,
            Predicate<JsonObject> wanted,
            String path,
            ResourceStrategy.Context context) {
        for (int i = 0; i < items.size(); i++) {
            if (wanted.test(items.get(i))) {
                String label = context.namespaceLabels()
                        .apply(tree.string("metadata", "namespace"))
                        .string(LABEL);
                return label.equals("true")
                        ? List.of()
                        : List.of(FieldError.forbidden(
                                path + "[" + i + "].adminAccess",
                                "admin access to devices requires the `" + LABEL
                                        + ": true` label on the containing namespace"));
            }
        }
        return List.of();
    }
}
