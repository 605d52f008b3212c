package dev.evenkeel.engine.internal.cel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Caches compiled expressions by their source, for the process; evicts the least recently used first. One thread
 * compiles at a time.
 */
final class Memo<V> {
    private static final int MOST = 2_000;

    private final Map<String, V> values = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MOST;
        }
    };

    /** Returns the cached value, compiling it if absent. */
    synchronized V get(String written, Supplier<V> compile) {
        V known = values.get(written);
        if (known == null) {
            known = compile.get();
            values.put(written, known);
        }
        return known;
    }
}
