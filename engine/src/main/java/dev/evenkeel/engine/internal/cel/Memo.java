package dev.evenkeel.engine.internal.cel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What was compiled, by what was written, for the process; the least recently used goes first. One compiles at a time. */
final class Memo<V> {
    private static final int MOST = 2_000;

    private final Map<String, V> values = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MOST;
        }
    };

    /** What is kept, or is made now. */
    synchronized V get(String written, Supplier<V> compile) {
        V known = values.get(written);
        if (known == null) {
            known = compile.get();
            values.put(written, known);
        }
        return known;
    }
}
