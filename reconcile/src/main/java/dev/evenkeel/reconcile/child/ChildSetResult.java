package dev.evenkeel.reconcile.child;

import dev.evenkeel.controller.Outcome;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came of a set of children: of all that are desired, and of all that were there.
 *
 * @param entries sorted by id; those that are not desired any more have no child when they are deleted
 * @param <C> class of the children
 */
public record ChildSetResult<C extends HasMetadata>(List<Entry<C>> entries) {
    /**
     * What came of one of them.
     *
     * @param id empty for children that say none
     * @param result what came of it
     */
    public record Entry<C extends HasMetadata>(String id, ChildResult<C> result) {}

    /** Copies the list. */
    public ChildSetResult {
        entries = List.copyOf(entries);
    }

    /** The children that are there, in the order of their ids. */
    public List<C> children() {
        return results().flatMap(result -> result.child().stream()).toList();
    }

    /** What came of the child with this id; empty when there was none, and none is desired. */
    public Optional<ChildResult<C>> of(String id) {
        return entries.stream()
                .filter(entry -> entry.id().equals(id))
                .map(Entry::result)
                .findFirst();
    }

    /** Why children are not as they should be, as one exception for humans; empty when they are. */
    public Optional<RuntimeException> error() {
        return errors().map(Outcome::failed)
                .reduce(Outcome.done(), Outcome::plus)
                .failure();
    }

    /**
     * The API's word for the first error for which it has one, such as {@code Forbidden}, for conditions; empty when it
     * does not exist.
     */
    public String reason() {
        return results()
                .map(ChildResult::reason)
                .filter(word -> !word.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** All errors for humans, for conditions, in the order of the ids; empty when there are none. */
    public String message() {
        return errors().map(ChildResult::text).distinct().collect(Collectors.joining("; "));
    }

    private Stream<ChildResult<C>> results() {
        return entries.stream().map(Entry::result);
    }

    private Stream<RuntimeException> errors() {
        return results().flatMap(result -> result.error().stream());
    }
}
