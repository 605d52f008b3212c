package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.reconcile.internal.FinalizerUpdates;
import dev.evenkeel.reconcile.manage.ApplyingObjectManager;
import dev.evenkeel.reconcile.manage.ObjectManager;
import dev.evenkeel.reconcile.manage.UpdatingObjectManager;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/** The options shared by the builders of single children and sets, and their validation. */
final class ChildOptions<T extends HasMetadata, C extends HasMetadata> {
    private static final Set<Class<? extends ApiException>> REFLECTED =
            Set.of(AlreadyExistsException.class, ForbiddenException.class, InvalidException.class);

    private final String type;
    private final Kind<T> parent;
    private final Kind<C> child;
    final List<Part.Requirement> needs = new ArrayList<>();
    String name;
    Optional<ObjectManager<C>> manager = Optional.empty();
    Optional<BiPredicate<T, C>> ours = Optional.empty();
    Optional<BiFunction<Reconciliation<T>, T, ListOptions>> selecting = Optional.empty();
    Optional<Set<Class<? extends ApiException>>> reflected = Optional.empty();
    BiPredicate<Reconciliation<T>, T> paused = (reconciliation, resource) -> false;
    String finalizer = "";

    /** True when reflected results may have errors. */
    boolean hearsErrors;

    ChildOptions(String type, Kind<T> parent, Kind<C> child) {
        this.type = type;
        this.parent = parent;
        this.child = child;
        this.name = child.kind() + type;
    }

    Kind<C> child() {
        return child;
    }

    void merge(BiConsumer<C, C> merge) {
        manager = Optional.of(UpdatingObjectManager.of(child).merge(merge).build());
    }

    void applied(String fieldManager) {
        manager = Optional.of(
                ApplyingObjectManager.of(child).fieldManager(fieldManager).build());
    }

    <V> V defined(Optional<V> value, String what) {
        return value.orElseThrow(() -> missing(what));
    }

    private IllegalStateException missing(String what) {
        return new IllegalStateException(description() + " must define " + what);
    }

    private Part.Description description() {
        return Part.Description.of(type).named(name);
    }

    ChildApplier<T, C> upkeep() {
        ObjectManager<C> managing =
                defined(manager, "manager: how the child is written; or merge(...), or applied(...)");
        if (!hearsErrors && reflected.filter(types -> !types.isEmpty()).isPresent()) {
            throw missing("reflect with a result, since errors are reflected: they would be lost otherwise");
        }
        return new ChildApplier<>(
                child, ownership(), managing, hearsErrors ? reflected.orElse(REFLECTED) : Set.of(), finalizer);
    }

    private Ownership<T, C> ownership() {
        if (selecting.isEmpty() && finalizer.isEmpty()) {
            return new Ownership.ByReference<>(parent, child, ours.orElse((any, one) -> true));
        }
        return new Ownership.BySelection<>(
                child,
                defined(selecting, "selecting: where children are, since owner references are not used"),
                defined(ours, "ours: which of the selected are children, since owner references are not used"));
    }

    Part.Description description(ChildApplier<T, C> upkeep) {
        Set<Part.Requirement> all = new LinkedHashSet<>(upkeep.ownership().needs());
        all.addAll(upkeep.manager().needs());
        if (!finalizer.isEmpty()) {
            all.add(FinalizerUpdates.need(parent));
        }
        all.addAll(needs);
        return description().needing(List.copyOf(all));
    }
}
