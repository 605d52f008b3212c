package dev.evenkeel.engine.internal.apply;

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
     * Merges a configuration into an object.
     *
     * @throws UntypedException when items are indistinguishable, or the configuration has duplicates
     */
    static @Nullable Object merge(@Nullable Object live, @Nullable Object config, OwnershipSchema shape) {
        return combine(live, config, shape);
    }

    /** Returns the combination, or {@link Absent#ABSENT}. */
    private static @Nullable Object combine(@Nullable Object live, @Nullable Object config, OwnershipSchema shape) {
        if (config == Absent.ABSENT) {
            return live;
        }
        if (live == Absent.ABSENT && !(config instanceof List<?>) && !(config instanceof JsonObject)) {
            return config;
        }
        OwnershipSchema.Handling handling = shape.handling(config);
        return switch (handling) {
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
            String name = key;
            if (config.containsKey(name)) {
                result.put(name, combine(left, config.get(name), shape.knownField(name)));
            } else {
                result.put(name, left);
            }
        });
        config.forEach((key, right) -> {
            String name = key;
            if (!live.containsKey(name)) {
                result.put(name, combine(Absent.ABSENT, right, shape.knownField(name)));
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
                    result.add(combine(matching(left, element), config.get(r), item));
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
                result.add(combine(matching(left, element), config.get(r), item));
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
        if (items.isEmpty()) {
            return Absent.ABSENT;
        }
        return items.size() > 1 ? null : items.getFirst();
    }
}
