package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.testing.internal.convergence.ClusterState.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The objects of a baseline, parsed once: the runs, whose engines are forks, share those that they do not change, and that
 * is nearly all of a cluster's.
 */
final class InitialObjects {
    /** By the stored value: a fork has the same instance until the object is changed. */
    private final IdentityHashMap<Object, Found> byValue = new IdentityHashMap<>();

    private InitialObjects() {}

    /**
     * Reads the objects of the kinds of given ones.
     *
     * @param ignored the paths of fields that are not compared
     */
    static InitialObjects of(ResourceApi api, Collection<ObjectRef> given, Set<String> ignored) {
        List<Object> values = new ArrayList<>();
        List<Found> found = new ArrayList<>();
        Set<String> kinds = given.stream().map(ObjectRef::kind).collect(Collectors.toCollection(TreeSet::new));
        for (String kind : kinds) {
            api.types()
                    .type(kind)
                    .ifPresent(type -> list(api, type)
                            .forEach(object -> object.stored().ifPresent(value -> {
                                values.add(value);
                                found.add(Found.of(kind, object.tree()));
                            })));
        }
        InitialObjects initial = new InitialObjects();
        List<Found> all = ClusterState.withFields(found, ignored);
        for (int i = 0; i < all.size(); i++) {
            initial.byValue.put(values.get(i), all.get(i));
        }
        return initial;
    }

    /** Returns the present objects of a type. */
    List<Found> read(ResourceApi api, ResourceType type) {
        return list(api, type).stream()
                .map(object -> object.stored().map(byValue::get).orElseGet(() -> Found.of(type.id(), object.tree())))
                .toList();
    }

    private static List<? extends Document> list(ResourceApi api, ResourceType type) {
        Target target = Target.of(type, type.versions().getFirst(), "", "");
        return api.list(target, ListQuery.ALL, User.ADMIN).items();
    }
}
