package dev.evenkeel.reconcile.flow;

import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Runs a part for each item, until it {@linkplain Result#stops stops}. The outcome is that of all that ran.
 *
 * <p>The item is in the stash at the key that the user gives, along with {@linkplain #position its position}: present
 * for the part, and not after it. A nested loop has a key of its own, whatever the class of its items.
 */
public final class ForEach {
    /**
     * The position of an item.
     *
     * @param index from 0 on
     * @param length the number of items
     */
    public record Position(int index, int length) {}

    private ForEach() {}

    /** Returns a part that runs this part for each item, in order; items are computed once in each reconciliation. */
    public static <T extends HasMetadata, I> Part<T> of(
            Stash.Key<I> item, BiFunction<Reconciliation<T>, T, List<I>> items, SubReconciler<T> part) {
        Part<T> body = Part.of(part);
        return Part.of(Part.Description.of("ForEach").slots("reconciler", body), (reconciliation, resource) -> {
            List<I> all = List.copyOf(items.apply(reconciliation, resource));
            Result outcome = Result.done();
            for (int i = 0; i < all.size() && !outcome.stops(); i++) {
                I one = all.get(i);
                Position position = new Position(i, all.size());
                Stash stash = reconciliation.stash();
                Supplier<Result> run =
                        () -> stash.with(position(item), position, () -> body.reconcile(reconciliation, resource));
                outcome = outcome.plus(ReconcilerPath.within(Integer.toString(i), () -> stash.with(item, one, run)));
            }
            return outcome;
        });
    }

    /** Returns the key of the position of the item at this key. */
    public static Stash.Key<Position> position(Stash.Key<?> item) {
        return Stash.Key.of("position of " + item, Position.class);
    }
}
