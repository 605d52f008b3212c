package dev.evenkeel.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the selectors that may match labels. A selector is found by one of its requirements: the one with the fewest
 * other selectors when it is placed. So selectors that share a requirement and differ in another one are found by the
 * latter. When a bucket has grown to twice its size, its selectors are placed again: what was rare may be common now. A
 * selector without requirements is always a candidate.
 */
final class SelectorIndex<S> {
    /** Smaller buckets are not worth a look for a smaller one. */
    private static final int LARGE = 8;

    private final Buckets<Requirement, S> byRequirement;
    private final Rows<S, Placed> placed;
    private final Rows<S, S> others;

    private record Placed(LabelPredicate selector, List<Requirement> requirements) {}

    SelectorIndex(Journal journal) {
        byRequirement = new Buckets<>(journal);
        placed = Rows.in(journal);
        others = Rows.in(journal);
    }

    void add(S key, LabelPredicate selector) {
        for (Requirement requirement : place(key, selector)) {
            int size = byRequirement.size(requirement);
            if (size >= LARGE && Integer.bitCount(size) == 1) {
                placeAgain(requirement);
            }
        }
    }

    private List<Requirement> place(S key, LabelPredicate selector) {
        Map.Entry<String, Set<String>> required = Buckets.fewest(byRequirement, selector);
        if (required == null) {
            others.put(key, key);
            return List.of();
        }
        List<Requirement> all = new ArrayList<>();
        if (required.getValue().isEmpty()) {
            all.add(new Requirement(required.getKey(), null));
        }
        for (String value : required.getValue()) {
            all.add(new Requirement(required.getKey(), value));
        }
        all.forEach(requirement -> byRequirement.add(requirement, key));
        placed.put(key, new Placed(selector, List.copyOf(all)));
        return all;
    }

    private void placeAgain(Requirement requirement) {
        List<S> crowd = new ArrayList<>();
        byRequirement.forEach(requirement, crowd::add);
        for (S key : crowd) {
            Placed one = placed.get(key);
            if (one != null) {
                remove(key);
                place(key, one.selector());
            }
        }
    }

    void remove(S key) {
        Placed one = placed.remove(key);
        if (one == null) {
            others.remove(key);
        } else {
            one.requirements().forEach(requirement -> byRequirement.remove(requirement, key));
        }
    }

    /** Passes each selector that may match these labels, once. */
    void candidates(Map<String, String> labels, Consumer<S> visitor) {
        others.forEach((key, same) -> visitor.accept(key));
        // a selector is placed under one label, and labels have one value: none is found twice
        labels.forEach((name, value) -> {
            byRequirement.forEach(new Requirement(name, value), visitor);
            byRequirement.forEach(new Requirement(name, null), visitor);
        });
    }
}
