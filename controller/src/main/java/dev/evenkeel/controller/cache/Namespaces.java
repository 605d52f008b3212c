package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.internal.DnsNames;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The namespaces that are listed, watched and cached: all, or some. Of kinds without namespaces there is always all.
 *
 * <p>Whoever may read only some namespaces cannot list a kind in all of them. So each is listed and watched by itself, and
 * one cache has what they bring. Of any other namespace such a cache knows nothing, and says so: that it has none of its
 * objects would be taken for "there is none", and what is missing would be made again, or cleaned up.
 */
public final class Namespaces {
    /** All there are. */
    public static final Namespaces ALL = new Namespaces(new TreeSet<>());

    /** Empty for all. */
    private final SortedSet<String> names;

    private Namespaces(SortedSet<String> names) {
        this.names = names;
    }

    /**
     * These, in any order.
     *
     * @throws IllegalArgumentException when there are none, or one of them is no name of a namespace
     */
    public static Namespaces of(Collection<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    "namespaces: there are none: name one or more, or leave them out for all");
        }
        for (String name : names) {
            if (!DnsNames.isLabel(name)) {
                throw new IllegalArgumentException("namespaces: each must be a lowercase RFC 1123 label of at most "
                        + DnsNames.MAX_LABEL + " characters, and one is \"" + name + "\": leave them out for all");
            }
        }
        return new Namespaces(new TreeSet<>(names));
    }

    /** These, in any order. */
    public static Namespaces of(String... names) {
        return of(List.of(names));
    }

    /** Whether all are meant, also those that are not there yet. */
    public boolean isAll() {
        return names.isEmpty();
    }

    /** Whether this is one of them. */
    public boolean has(String namespace) {
        return names.isEmpty() || names.contains(namespace);
    }

    /** Those in which objects of a kind are: all when it has no namespaces. */
    public Namespaces of(Kind<?> kind) {
        return kind.namespaced() ? this : ALL;
    }

    /**
     * Refuses a namespace that is not one of them.
     *
     * @param what wants it, for people
     * @param instead what can be done but adding it, for people
     * @throws IllegalArgumentException when it is not
     */
    public void require(String namespace, String what, String instead) {
        if (!has(namespace)) {
            throw new IllegalArgumentException(what + ": namespace \"" + namespace + "\" is none of " + names
                    + ": add it to namespaces(...) of the manager, or " + instead);
        }
    }

    /** What is to be listed, each by itself, to have a selection. */
    List<ListOptions> within(ListOptions selection) {
        return names.isEmpty() || !selection.namespace().isEmpty()
                ? List.of(selection)
                : names.stream()
                        .map(name -> ListOptions.in(name)
                                .withLabels(selection.labels())
                                .withFields(selection.fields()))
                        .toList();
    }

    /** Their names, in order; for all, {@code all namespaces}. */
    @Override
    public String toString() {
        return names.isEmpty() ? "all namespaces" : names.toString();
    }
}
