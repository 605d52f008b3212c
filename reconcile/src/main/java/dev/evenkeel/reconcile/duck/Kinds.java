package dev.evenkeel.reconcile.duck;

import dev.evenkeel.client.Kind;
import dev.evenkeel.reconcile.part.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Resolves an apiVersion and kind to a resource of the API: references have neither its plural nor its scope.
 *
 * @param all the kinds; of two with the same name, the first counts
 */
public record Kinds(List<Kind<?>> all) {
    /** Copies the list. */
    public Kinds {
        all = List.copyOf(all);
    }

    /** Returns an instance with these kinds. */
    public static Kinds of(Kind<?>... kinds) {
        return new Kinds(List.of(kinds));
    }

    /** Returns an instance with these kinds and the others. */
    public Kinds or(Kinds others) {
        return new Kinds(Stream.concat(all.stream(), others.all.stream()).toList());
    }

    /** Returns the kind; empty when it is not known. */
    public Optional<Kind<?>> find(String apiVersion, String kind) {
        return all.stream()
                .filter(one -> one.apiVersion().equals(apiVersion) && one.kind().equals(kind))
                .findFirst();
    }

    /**
     * Returns the kind.
     *
     * @throws IllegalArgumentException when it is not known
     */
    public Kind<?> require(String apiVersion, String kind) {
        return find(apiVersion, kind)
                .orElseThrow(() -> new IllegalArgumentException(
                        apiVersion + " " + kind + ": unknown kind: add it to Kinds.of(...)"));
    }

    /**
     * Returns a need for each of the kinds.
     *
     * <pre>{@code
     * Description.of("Scaling")
     *         .needing(KINDS.each(Requirement.Tracks::new))
     *         .needing(KINDS.each(kind -> new Requirement.May(kind, "", Set.of("patch"))))
     * }</pre>
     */
    public List<Requirement> each(Function<Kind<?>, Requirement> need) {
        return all.stream().map(need).toList();
    }
}
