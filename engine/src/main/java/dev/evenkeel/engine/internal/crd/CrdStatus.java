package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The status of CustomResourceDefinitions: their accepted names, and whether they are served. */
final class CrdStatus {
    private static final String IN_USE = " is already in use";

    private final JsonObject crd;
    private final Instant now;
    private final JsonObject status;

    private CrdStatus(JsonObject crd, Instant now) {
        this.crd = crd;
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
        this.status = crd.object("status").copy();
    }

    static JsonObject of(JsonObject crd, NamesInUse inUse, Instant now) {
        CrdStatus result = new CrdStatus(crd, now);
        result.names(inUse);
        result.approval();
        return result.status;
    }

    static JsonObject terminating(JsonObject crd, String reason, String message, Instant now) {
        CrdStatus result = new CrdStatus(crd, now);
        result.condition("Terminating", "True", reason, message);
        return result.status;
    }

    static boolean isTrue(JsonObject crd, String type) {
        return crd.objects("status", "conditions").stream()
                .anyMatch(c -> type.equals(c.get("type")) && "True".equals(c.get("status")));
    }

    private void names(NamesInUse inUse) {
        String group = crd.string("spec", "group");
        String self = crd.string("metadata", "name");
        JsonObject requested = crd.object("spec", "names");
        JsonObject before = status.object("acceptedNames");
        JsonObject accepted = new JsonObject(before);
        String reason = "NoConflicts";
        String message = "no conflicts found";
        // every name is checked; the last conflict is reported
        for (String name : List.of("plural", "singular", "shortNames", "kind", "listKind")) {
            boolean kind = name.equals("kind") || name.equals("listKind");
            Predicate<String> taken = text -> inUse.isTaken(group, kind, text, self);
            String conflict = name.equals("shortNames")
                    ? shortNames(requested, before, taken)
                    : conflict(requested.string(name), before.string(name), taken);
            if (conflict.isEmpty()) {
                accept(accepted, requested, name);
            } else {
                reason = Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Conflict";
                message = conflict;
            }
        }
        accept(accepted, requested, "categories");
        accepted.putIfAbsent("plural", "");
        accepted.putIfAbsent("kind", "");
        status.put("acceptedNames", accepted);
        boolean free = reason.equals("NoConflicts");
        condition("NamesAccepted", free ? "True" : "False", reason, message);
        if (isTrue(crd, "Established")) {
            return;
        }
        if (!free) {
            condition("Established", "False", "NotAccepted", "not all names are accepted");
        } else if (ConversionRules.hasReadableBundle(crd.at("spec", "conversion"))) {
            condition("Established", "True", "InitialNamesAccepted", "the initial names have been accepted");
        } else {
            condition("Established", "False", "InvalidCABundle", "The conversion webhook CABundle is invalid");
        }
    }

    private static void accept(JsonObject accepted, JsonObject requested, String name) {
        if (requested.get(name) == null) {
            accepted.remove(name);
        } else {
            accepted.put(name, Json.copy(requested.get(name)));
        }
    }

    private static String conflict(String requested, String accepted, Predicate<String> taken) {
        return requested.equals(accepted) || !taken.test(requested) ? "" : Json.text(requested) + IN_USE;
    }

    private static String shortNames(JsonObject requested, JsonObject before, Predicate<String> taken) {
        List<String> own = before.strings("shortNames");
        List<String> conflicts = requested.strings("shortNames").stream()
                .filter(name -> !own.contains(name) && taken.test(name))
                .map(name -> Json.text(name) + IN_USE)
                .distinct()
                .toList();
        String all = String.join(", ", conflicts);
        return conflicts.size() < 2 ? all : "[" + all + "]";
    }

    private void approval() {
        if (Approval.isProtected(crd.string("spec", "group"))) {
            Approval approval = Approval.of(crd);
            condition(
                    "KubernetesAPIApprovalPolicyConformant",
                    approval.state() == Approval.State.APPROVED ? "True" : "False",
                    approval.state().reason(),
                    approval.text());
        }
    }

    /** Adds a condition or changes it; the time of its transition changes only with its status. */
    private void condition(String type, String value, String reason, String message) {
        List<@Nullable Object> conditions =
                status.get("conditions") instanceof List<?> list ? Json.asArray(list) : new ArrayList<>();
        status.put("conditions", conditions);
        JsonObject condition = status.objects("conditions").stream()
                .filter(item -> type.equals(item.get("type")))
                .reduce((first, last) -> last)
                .orElseGet(() -> {
                    JsonObject added = JsonObject.of("type", type);
                    conditions.add(added);
                    return added;
                });
        if (!Objects.equals(condition.put("status", value), value) || condition.get("lastTransitionTime") == null) {
            condition.put("lastTransitionTime", now.toString());
        }
        condition.put("reason", reason);
        condition.put("message", message);
    }
}
