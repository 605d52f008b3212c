package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.simulation.internal.ObjectRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The objects of a run by their part in it. */
final class KnownObjects {
    /** Objects that existed before, or that users have created. */
    final Set<ObjectRef> given;

    final Set<ObjectRef> foreign;

    final Set<ObjectRef> primaries = new LinkedHashSet<>();

    /** Objects that the controllers have created, and by which write. */
    final Map<ObjectRef, Integer> children = new TreeMap<>();

    private final Set<String> primaryKinds = new TreeSet<>();

    KnownObjects(Baseline<?> baseline) {
        given = new LinkedHashSet<>(baseline.given);
        foreign = baseline.foreign;
    }

    void reconciled(String kind) {
        primaryKinds.add(kind);
        given.stream().filter(object -> object.kind().equals(kind)).forEach(primaries::add);
    }

    /** Counts an object as given, even if a child had its name before. */
    void createdByUser(ObjectRef object) {
        children.remove(object);
        given.add(object);
        if (primaryKinds.contains(object.kind())) {
            primaries.add(object);
        }
    }

    /** Returns the object that a call wrote, with its name in the answer if it was generated. */
    static ObjectRef written(ObjectRef asked, @Nullable Object answer) {
        return answer instanceof HasMetadata made && !asked.named()
                ? new ObjectRef(asked.kind(), StaleCaches.key(made))
                : asked;
    }

    /** Returns whether an object existed before, and is not reconciled. */
    boolean givenOnly(ObjectRef object) {
        return given.contains(object) && !primaries.contains(object);
    }
}
