package dev.evenkeel.controller;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Values that the parts of one reconciliation pass to each other, by typed keys. Each reconciliation begins with an
 * empty one. Thread-safe.
 */
public final class Stash {
    private final Map<Key<?>, Object> values = new LinkedHashMap<>();

    /**
     * The key of a value. Two keys are equal when name and class are.
     *
     * @param name name, also for display
     * @param type class of the value; not of a primitive
     */
    public record Key<V>(String name, Class<V> type) {
        /** Refuses an empty name and a primitive class. */
        public Key {
            if (name.isBlank()) {
                throw new IllegalArgumentException("name: must not be empty");
            }
            if (type.isPrimitive()) {
                throw new IllegalArgumentException("type: of " + name + " is " + type
                        + ", and values are objects: use the class of its box, such as Integer.class");
            }
        }

        /** Returns a key. */
        public static <V> Key<V> of(String name, Class<V> type) {
            return new Key<>(name, type);
        }

        /** Returns text such as {@code name (Class)}. */
        @Override
        public String toString() {
            return name + " (" + type.getTypeName() + ")";
        }
    }

    /** Thrown when a part needs a value that no earlier part has put. */
    public static final class MissingValueException extends RuntimeException {
        MissingValueException(String message) {
            super(message);
        }
    }

    /** Creates an empty stash. */
    public Stash() {}

    /**
     * Puts a value, replacing the existing one.
     *
     * @throws ClassCastException when the value is not of the key's class, which is possible in unchecked code only
     */
    public synchronized <V> void put(Key<V> key, V value) {
        V checked = key.type().cast(value);
        values.put(key, checked);
    }

    /** Returns the value; empty when there is none. */
    public synchronized <V> Optional<V> get(Key<V> key) {
        return Optional.ofNullable(values.get(key)).map(key.type()::cast);
    }

    /**
     * Returns the value.
     *
     * @throws MissingValueException when there is none; the message lists the existing keys
     */
    public <V> V require(Key<V> key) {
        return get(key).orElseThrow(() -> new MissingValueException("stash: no part has put " + key
                + " in this reconciliation; a part that puts it must come before; there is "
                + (entries().isEmpty() ? "nothing" : entries().keySet().toString())));
    }

    /** Returns whether there is a value. */
    public synchronized boolean has(Key<?> key) {
        return values.containsKey(key);
    }

    /** Removes and returns the value; empty when there was none. */
    public synchronized <V> Optional<V> remove(Key<V> key) {
        return Optional.ofNullable(values.remove(key)).map(key.type()::cast);
    }

    /** Runs a part with a temporary value; afterwards the former value is restored. */
    public <V, R> R with(Key<V> key, V value, Supplier<R> part) {
        Optional<V> before = get(key);
        put(key, value);
        try {
            return part.get();
        } finally {
            before.ifPresentOrElse(present -> put(key, present), () -> remove(key));
        }
    }

    /** Returns all values, in the order in which they were put; unmodifiable. */
    public synchronized Map<Key<?>, Object> entries() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    @Override
    public String toString() {
        return entries().toString();
    }
}
