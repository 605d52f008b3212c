package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** Amounts of named resources, such as those that a container requests. Immutable. */
public record ResourceAmounts(SortedMap<String, Quantity> amounts) {
    static final ResourceAmounts NONE = new ResourceAmounts(new TreeMap<>());

    public ResourceAmounts {
        amounts = Collections.unmodifiableSortedMap(amounts);
    }

    /** Reads the amounts of an object's field; values that are not quantities are left out. */
    static ResourceAmounts of(JsonObject tree, String... path) {
        JsonObject field = tree.object(path);
        if (field.isEmpty()) {
            return NONE;
        }
        SortedMap<String, Quantity> amounts = new TreeMap<>();
        field.keySet()
                .forEach(name -> Quantity.read(field.string(name)).ifPresent(amount -> amounts.put(name, amount)));
        return new ResourceAmounts(amounts);
    }

    Set<String> names() {
        return amounts.keySet();
    }

    boolean isEmpty() {
        return amounts.isEmpty();
    }

    Optional<Quantity> amount(String name) {
        return Optional.ofNullable(amounts.get(name));
    }

    /** Returns a copy with another amount of a resource. */
    ResourceAmounts with(String name, Quantity amount) {
        return plus(NONE, (a, b) -> a).put(name, amount);
    }

    private ResourceAmounts put(String name, Quantity amount) {
        SortedMap<String, Quantity> changed = new TreeMap<>(amounts);
        changed.put(name, amount);
        return new ResourceAmounts(changed);
    }

    /** Returns the sums of the amounts of both. */
    ResourceAmounts plus(ResourceAmounts other) {
        return plus(other, Quantity::plus);
    }

    /** Returns the larger amounts of both. */
    ResourceAmounts max(ResourceAmounts other) {
        return plus(other, (a, b) -> b.compareTo(a) > 0 ? b : a);
    }

    /** Returns the amounts of this that are more than those of the other; 0 for the rest. */
    ResourceAmounts beyond(ResourceAmounts other) {
        SortedMap<String, Quantity> left = new TreeMap<>();
        amounts.forEach((name, amount) -> {
            Quantity rest = amount.minus(other.amounts.getOrDefault(name, Quantity.ZERO));
            left.put(name, rest.value().signum() < 0 ? Quantity.ZERO : rest);
        });
        return new ResourceAmounts(left);
    }

    private ResourceAmounts plus(ResourceAmounts other, BinaryOperator<Quantity> both) {
        if (other.isEmpty()) {
            return this;
        }
        SortedMap<String, Quantity> all = new TreeMap<>(amounts);
        other.amounts.forEach((name, amount) -> all.merge(name, amount, both));
        return new ResourceAmounts(all);
    }

    /** Returns the amounts of the named resources. */
    ResourceAmounts only(Collection<String> names) {
        SortedMap<String, Quantity> some = new TreeMap<>(amounts);
        some.keySet().retainAll(names);
        return new ResourceAmounts(some);
    }

    /** Returns the amounts that are not 0. */
    ResourceAmounts withoutZeros() {
        SortedMap<String, Quantity> some = new TreeMap<>(amounts);
        some.values().removeIf(amount -> amount.value().signum() == 0);
        return new ResourceAmounts(some);
    }

    JsonObject tree() {
        JsonObject tree = new JsonObject();
        amounts.forEach((name, amount) -> tree.put(name, amount.text()));
        return tree;
    }

    /** Returns the amounts as upstream's messages show them. */
    String text() {
        return amounts.entrySet().stream()
                .map(amount -> amount.getKey() + "=" + amount.getValue().text())
                .collect(Collectors.joining(","));
    }

    /** Passes each amount to a consumer, in the order of the names. */
    void forEach(java.util.function.BiConsumer<String, Quantity> consumer) {
        for (Map.Entry<String, Quantity> amount : amounts.entrySet()) {
            consumer.accept(amount.getKey(), amount.getValue());
        }
    }
}
