package dev.evenkeel.check.internal.script;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The deletions of a step that show whether they harm others: each of these objects is deleted while another one of its
 * kind stays.
 *
 * @param step the index of the step
 */
public record SingleDeletion(int step, Set<ScriptObject> objects) {
    /** Returns the deletions of a script, in the order of its steps; none for steps without any. */
    public static List<SingleDeletion> in(CheckScript script, Collection<ScriptObject> given) {
        Set<ScriptObject> present = new LinkedHashSet<>(given);
        List<SingleDeletion> all = new ArrayList<>();
        for (int i = 0; i < script.steps().size(); i++) {
            Set<ScriptObject> deleted = new LinkedHashSet<>();
            for (UserAction action : script.steps().get(i)) {
                ScriptObject object = ScriptObject.of(action.object());
                switch (action) {
                    case UserAction.Apply apply -> present.add(object);
                    case UserAction.Merge merge -> {}
                    case UserAction.Delete delete -> {
                        if (present.remove(object)) {
                            deleted.add(object);
                        }
                    }
                }
            }
            deleted.removeIf(
                    object -> present.stream().noneMatch(other -> other.type().equals(object.type())));
            if (!deleted.isEmpty()) {
                all.add(new SingleDeletion(i, deleted));
            }
        }
        return all;
    }
}
