package dev.evenkeel.reconcile;

import dev.evenkeel.client.Kind;
import dev.evenkeel.reconcile.part.Part;
import java.util.ArrayList;
import java.util.List;

/** Checks that parts which are each complete fit together, before anything runs. */
final class PartTreeValidator {
    private PartTreeValidator() {}

    /** Refuses a tree in which something cannot work; the message has a line with the place of each error. */
    static void check(Kind<?> primary, Part.Description root) {
        List<String> problems = new ArrayList<>();
        check(primary, root, root.name(), problems);
        if (!problems.isEmpty()) {
            throw new IllegalStateException(root + " cannot run:\n" + String.join("\n", problems));
        }
    }

    private static void check(Kind<?> primary, Part.Description part, String path, List<String> problems) {
        for (Part.Requirement need : part.needs()) {
            if (need instanceof Part.Requirement.Owns<?>(Kind<?> owned)
                    && primary.namespaced()
                    && !owned.namespaced()) {
                problems.add(path + ": owns " + owned.id() + ", which are cluster-scoped, and " + primary.id()
                        + " live in namespaces: owners are cluster-scoped or of the same namespace; track them instead, and"
                        + " delete them with a finalizer");
            }
        }
        for (Part.Description.Slot slot : part.slots()) {
            check(primary, slot.part(), path + "/" + slot.part().name(), problems);
        }
    }
}
