package dev.evenkeel.controller;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the parts of one reconciliation leave for each other: values by typed keys. Each reconciliation begins with an empty
 * one. Safe for use by several threads.
 */
public final class Stash {
    private final Map<Key<?>, Object> values = new LinkedHashMap<>();

    /**
     * What a value is found by. Two keys are the same when name and class are.
     *
     * @param name for people, too
     * @param type class of the value; not of a primitive
     * @param <V> what is found
     */
    public record Key<V>(String name, Class<V> type) {
        /** Refuses keys that nothing can be found by. */
        public Key {
            if (name.isBlank()) {
                throw new IllegalArgumentException("name: a key of a stash needs one");
            }
            if (type.isPrimitive()) {
                throw new IllegalArgumentException("type: of " + name + " is " + type
                        + ", and values are objects: use the class of its box, such as Integer.class");
            }
        }

        /** A key. */
        public static <V> Key<V> of(String name, Class<V> type) {
            return new Key<>(name, type);
        }

        /** {@code name (Class)}. */
        @Override
        public String toString() {
            return name + " (" + type.getTypeName() + ")";
        }
    }

    /** A part needs a value that no part before it has put. */
    public static final class MissingValueException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MissingValueException(String message) {
            super(message);
        }
    }

    /** An empty one. */
    public Stash() {}

    /**
     * Puts a value, instead of the one that is there.
     *
     * @throws ClassCastException when the value is not of the key's class, which only unchecked code brings about
     */
    public <V> void put(Key<V> key, V value) {
        V checked = key.type().cast(value);
        synchronized (values) {
            values.put(key, checked);
        }
    }

    /** The value; empty when nobody has put one. */
    public <V> Optional<V> get(Key<V> key) {
        synchronized (values) {
            return Optional.ofNullable(values.get(key)).map(key.type()::cast);
        }
    }

    /**
     * The value.
     *
     * @throws MissingValueException when nobody has put one; says what there is
     */
    public <V> V require(Key<V> key) {
        return get(key).orElseThrow(() -> new MissingValueException("stash: nobody has put " + key
                + " in this reconciliation; a part that puts it must come before; there is "
                + (entries().isEmpty() ? "nothing" : entries().keySet().toString())));
    }

    /** Whether somebody has put a value. */
    public boolean has(Key<?> key) {
        synchronized (values) {
            return values.containsKey(key);
        }
    }

    /** Takes the value out; empty when there was none. */
    public <V> Optional<V> remove(Key<V> key) {
        synchronized (values) {
            return Optional.ofNullable(values.remove(key)).map(key.type()::cast);
        }
    }

    /** Does something with a value that is there meanwhile only; then the one that was there before is back. */
    public <V, R> R with(Key<V> key, V value, Supplier<R> part) {
        Optional<V> before = get(key);
        put(key, value);
        try {
            return part.get();
        } finally {
            before.ifPresentOrElse(present -> put(key, present), () -> remove(key));
        }
    }

    /** All that is there now, in the order in which it was put; unmodifiable. */
    public Map<Key<?>, Object> entries() {
        synchronized (values) {
            return Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    @Override
    public String toString() {
        return entries().toString();
    }
}
