package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The error for an applier that would overwrite fields of other managers. */
final class Conflicts {
    private Conflicts() {}

    /** Returns the error: one cause for each field of each owner, owners in upstream's order. */
    static ApiException refusal(Map<Owner, FieldSet> conflicts) {
        Map<Owner, FieldSet> sorted = new TreeMap<>(Comparator.comparing(Owner::identifier));
        sorted.putAll(conflicts);
        List<Status.Cause> causes = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        sorted.forEach((owner, fields) -> {
            String shown = owner.shown();
            lines.append(lines.isEmpty() ? "" : "\n")
                    .append("conflicts with ")
                    .append(shown)
                    .append(':');
            fields.forEach((path, node) -> {
                lines.append("\n- ").append(path);
                causes.add(new Status.Cause("FieldManagerConflict", "conflict with " + shown, path));
            });
        });
        String message = causes.size() == 1
                ? "Apply failed with 1 conflict: " + causes.getFirst().message() + ": "
                        + causes.getFirst().field()
                : "Apply failed with " + causes.size() + " conflicts: " + lines;
        return ApiException.of(Status.of(409, "Conflict", message, Status.Details.EMPTY.causes(causes)));
    }
}
