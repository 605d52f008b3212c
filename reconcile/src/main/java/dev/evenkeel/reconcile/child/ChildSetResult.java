package dev.evenkeel.reconcile.child;

import dev.evenkeel.controller.Outcome;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a set of children: of all that are desired, and of all that existed.
 *
 * @param entries sorted by id; those no longer desired have no child when they are deleted
 * @param <C> class of the children
 */
public record ChildSetResult<C extends HasMetadata>(List<Entry<C>> entries) {
    /**
     * The result of one child.
     *
     * @param id empty for children without one
     * @param result its result
     */
    public record Entry<C extends HasMetadata>(String id, ChildResult<C> result) {}

    /** Copies the list. */
    public ChildSetResult {
        entries = List.copyOf(entries);
    }

    /** Returns the existing children, in the order of their ids. */
    public List<C> children() {
        return results().flatMap(result -> result.child().stream()).toList();
    }

    /** Returns the result of the child with this id; empty when none existed, and none is desired. */
    public Optional<ChildResult<C>> of(String id) {
        return entries.stream()
                .filter(entry -> entry.id().equals(id))
                .map(Entry::result)
                .findFirst();
    }

    /** Returns the errors of all children as one exception; empty when all are as desired. */
    public Optional<RuntimeException> error() {
        return errors().map(Outcome::failed)
                .reduce(Outcome.done(), Outcome::plus)
                .failure();
    }

    /**
     * Returns the API's reason of the first error that has one, such as {@code Forbidden}, for conditions; empty when
     * there is none.
     */
    public String reason() {
        return results()
                .map(ChildResult::reason)
                .filter(word -> !word.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns all errors, for conditions, in the order of the ids; empty when there are none. */
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
