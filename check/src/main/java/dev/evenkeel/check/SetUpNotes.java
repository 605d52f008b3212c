package dev.evenkeel.check;

import dev.evenkeel.check.internal.script.CheckScript;
import dev.evenkeel.check.internal.script.ScriptObject;
import dev.evenkeel.check.internal.script.SingleDeletion;
import dev.evenkeel.check.internal.script.UserAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Notes about mistakes that a check cannot see because its set-up has too little, each with what adds it. */
final class SetUpNotes {
    private SetUpNotes() {}

    /** Returns the notes about a script and the custom objects that are given. */
    static List<String> of(CheckScript script, Collection<ScriptObject> given) {
        List<String> notes = new ArrayList<>();
        List<UserAction> actions = script.steps().stream().flatMap(List::stream).toList();
        boolean deletes = actions.stream().anyMatch(UserAction.Delete.class::isInstance);
        if (actions.isEmpty()) {
            notes.add("the user does nothing: give custom objects, which are deleted at the end, or steps");
        } else if (!deletes) {
            notes.add("no step deletes an object: what is left after a deletion, and harm to others, are not seen");
        }
        Set<String> shown = SingleDeletion.in(script, given).stream()
                .flatMap(deletion -> deletion.objects().stream())
                .map(ScriptObject::type)
                .collect(Collectors.toSet());
        objects(actions, given).forEach((type, objects) -> {
            if (objects.size() == 1) {
                notes.add("only one object is given of " + type + ": equal names of children, and harm to others by its"
                        + " deletion, are not seen; give a second one");
            } else if (deletes && !shown.contains(type)) {
                notes.add("no step deletes one of several objects of " + type + " while another one stays: harm to"
                        + " others by its deletion is not seen; add such a step");
            }
        });
        if (script.always().isEmpty()) {
            notes.add("no rule must always hold: only states at rest are compared");
        }
        return notes;
    }

    /** Returns the given objects of each type, and those of the same types that steps create. */
    private static Map<String, List<ScriptObject>> objects(List<UserAction> actions, Collection<ScriptObject> given) {
        Set<ScriptObject> all = new LinkedHashSet<>(given);
        Set<String> types = given.stream().map(ScriptObject::type).collect(Collectors.toSet());
        actions.stream()
                .filter(UserAction.Apply.class::isInstance)
                .map(action -> ScriptObject.of(action.object()))
                .filter(object -> types.contains(object.type()))
                .forEach(all::add);
        return all.stream().collect(Collectors.groupingBy(ScriptObject::type, TreeMap::new, Collectors.toList()));
    }
}
