package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Stash;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/**
 * The existing children of a kind when their set was reconciled, before anything was written; for the function of the
 * desired children, and for later parts. When several parts have sets of the same kind, these are of the last.
 *
 * @param <C> class of the children
 */
public final class KnownChildren<C extends HasMetadata> {
    private final List<C> children;

    private KnownChildren(List<C> children) {
        this.children = List.copyOf(children);
    }

    /** Returns an instance with these children. */
    public static <C extends HasMetadata> KnownChildren<C> of(List<C> children) {
        return new KnownChildren<>(children);
    }

    /** Returns the children, copied at each call. */
    public List<C> children() {
        return children.stream().map(ModelCodec::copy).toList();
    }

    /** Returns their key in the stash. */
    @SuppressWarnings("unchecked") // only those of this kind are put there
    public static <C extends HasMetadata> Stash.Key<KnownChildren<C>> key(Kind<C> kind) {
        return Stash.Key.of("children of " + kind.id(), (Class<KnownChildren<C>>) (Class<?>) KnownChildren.class);
    }

    /**
     * Returns the known children of a kind.
     *
     * @throws Stash.MissingValueException when no set of this kind was reconciled before
     */
    public static <C extends HasMetadata> List<C> in(Reconciliation<?> reconciliation, Kind<C> kind) {
        return reconciliation.stash().require(key(kind)).children();
    }

    /** Returns the known children of the kind of this class; see {@link #in(Reconciliation, Kind)}. */
    public static <C extends HasMetadata> List<C> in(Reconciliation<?> reconciliation, Class<C> type) {
        return in(reconciliation, Kind.of(type));
    }

    @Override
    public String toString() {
        return children.size() + " children";
    }
}
