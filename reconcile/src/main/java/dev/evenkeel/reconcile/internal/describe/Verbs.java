package dev.evenkeel.reconcile.internal.describe;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The verbs of access rules, in the usual order: reading first. */
final class Verbs {
    private static final List<String> USUAL =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

    private static final Comparator<String> ORDER = Comparator.comparingInt(
                    (String verb) -> USUAL.contains(verb) ? USUAL.indexOf(verb) : USUAL.size())
            .thenComparing(Comparator.naturalOrder());

    private Verbs() {}

    static SortedSet<String> of(Collection<String> verbs) {
        SortedSet<String> sorted = new TreeSet<>(ORDER);
        sorted.addAll(verbs);
        return sorted;
    }

    /** Returns a text such as {@code create, update}. */
    static String words(Collection<String> verbs) {
        return String.join(", ", of(verbs));
    }
}
