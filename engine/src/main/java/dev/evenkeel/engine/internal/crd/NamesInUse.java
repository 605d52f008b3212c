package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The names that were accepted for definitions, by group: one that is in use by another definition of the group is not
 * accepted. Resources (plural, singular and short names) and kinds (also those of lists) have a space of names each.
 */
public final class NamesInUse {
    private record Name(String group, boolean kind, String text) {}

    private final Map<Name, List<String>> owners = new HashMap<>();

    /** Replaces the names of a definition in one state by those in another; an empty object has none. */
    public void replace(JsonObject before, JsonObject after) {
        String past = before.string("metadata", "name");
        names(before)
                .forEach(name ->
                        owners.computeIfPresent(name, (key, all) -> all.remove(past) && all.isEmpty() ? null : all));
        String owner = after.string("metadata", "name");
        names(after)
                .forEach(name ->
                        owners.computeIfAbsent(name, key -> new ArrayList<>(1)).add(owner));
    }

    private static Stream<Name> names(JsonObject definition) {
        if (definition.isEmpty()) {
            return Stream.empty();
        }
        String group = definition.string("spec", "group");
        JsonObject names = definition.object("status", "acceptedNames");
        return Stream.concat(
                Stream.concat(
                                Stream.of(names.string("plural"), names.string("singular")),
                                names.strings("shortNames").stream())
                        .map(text -> new Name(group, false, text)),
                Stream.of(names.string("kind"), names.string("listKind")).map(text -> new Name(group, true, text)));
    }

    /** Returns whether a name of a resource, or of a kind, is in use by another definition of the group than this one. */
    boolean isTaken(String group, boolean kind, String text, String self) {
        return owners.getOrDefault(new Name(group, kind, text), List.of()).stream()
                .anyMatch(owner -> !owner.equals(self));
    }
}
