package dev.evenkeel.engine.internal.apply;

import static dev.evenkeel.engine.internal.apply.Values.Absent.ABSENT;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges a configuration into an object: nothing is removed, and where both have a value the configuration's is used.
 * The result shares unchanged branches with both.
 */
final class Merge {
    private Merge() {}

    /**
     * Merges two values, either of which may be {@link Values.Absent#ABSENT}.
     *
     * @throws UntypedException when items are indistinguishable, or the configuration has duplicates
     */
    static @Nullable Object merge(@Nullable Object live, @Nullable Object config, OwnershipSchema shape) {
        if (config == ABSENT) {
            return live;
        }
        if (live == ABSENT && !(config instanceof List<?>) && !(config instanceof JsonObject)) {
            return config;
        }
        return switch (shape.handling(config)) {
            case SCALAR -> config;
            case MAP -> {
                JsonObject left = live instanceof JsonObject map ? map : new JsonObject();
                JsonObject right = config instanceof JsonObject map ? map : new JsonObject();
                if (shape.isAtomicMap() || (left.isEmpty() && right.isEmpty())) {
                    yield config;
                }
                yield fields(left, right, shape);
            }
            case LIST -> {
                List<?> left = live instanceof List<?> list ? list : List.of();
                List<?> right = config instanceof List<?> list ? list : List.of();
                if (shape.items() == OwnershipSchema.Items.ATOMIC || (left.isEmpty() && right.isEmpty())) {
                    yield config;
                }
                yield items(left, right, shape);
            }
        };
    }

    private static JsonObject fields(JsonObject live, JsonObject config, OwnershipSchema shape) {
        JsonObject result = new JsonObject(live.size() + config.size());
        live.forEach((key, left) -> {
            boolean both = config.containsKey(key);
            result.put(key, both ? merge(left, config.get(key), shape.knownField(key)) : left);
        });
        config.forEach((key, right) -> {
            if (!live.containsKey(key)) {
                result.put(key, merge(ABSENT, right, shape.knownField(key)));
            }
        });
        return result;
    }

    /**
     * Items of the configuration keep its order; items that only the object has keep their position between those that
     * both have.
     */
    private static List<@Nullable Object> items(List<?> live, List<?> config, OwnershipSchema shape) {
        ItemIndex left = ItemIndex.of(live, shape);
        ItemIndex right = ItemIndex.of(config, shape);
        if (right.items().size() != right.elements().size()) {
            throw new UntypedException("duplicate entries");
        }
        OwnershipSchema item = shape.item();
        List<@Nullable Object> result = new ArrayList<>(Math.max(live.size(), config.size()));
        Deque<PathElement> shared = new ArrayDeque<>();
        right.elements().stream().filter(left::has).forEach(shared::add);
        Set<PathElement> merged = new HashSet<>();
        PathElement next = shared.poll();
        int l = 0;
        int r = 0;
        while (l < live.size() || r < config.size()) {
            if (l < live.size() && r < config.size()) {
                PathElement element = left.elements().get(l);
                if (element.equals(right.elements().get(r))) {
                    merged.add(element);
                    result.add(merge(matching(left, element), config.get(r), item));
                    l++;
                    r++;
                    next = shared.poll();
                    continue;
                }
                if (right.has(element) && next != null && !next.equals(element)) {
                    // both have it; it is added later
                    l++;
                    continue;
                }
            }
            if (l < live.size()) {
                PathElement element = left.elements().get(l);
                if (!right.has(element)) {
                    result.add(live.get(l));
                    l++;
                    continue;
                } else if (merged.contains(element)) {
                    l++;
                }
            }
            if (r < config.size()) {
                PathElement element = right.elements().get(r);
                merged.add(element);
                result.add(merge(matching(left, element), config.get(r), item));
                r++;
                if (element.equals(next)) {
                    next = shared.poll();
                }
            }
        }
        return result;
    }

    /** Returns the item of the object to merge with; indistinguishable items are replaced. */
    private static @Nullable Object matching(ItemIndex live, PathElement element) {
        List<@Nullable Object> items = live.at(element);
        return items.size() > 1 ? null : items.isEmpty() ? ABSENT : items.getFirst();
    }
}
