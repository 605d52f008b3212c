package dev.evenkeel.controller.cache;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Labels in an array, sorted by key: the order is the same in every run, unlike that of {@link Map#copyOf}, and the
 * memory a third of a hash map's.
 */
final class Labels extends AbstractMap<String, String> {
    static final Labels NONE = new Labels(new String[0]);

    private final String[] pairs;

    private Labels(String[] pairs) {
        this.pairs = pairs;
    }

    static Labels of(Map<String, String> labels, Interner<String> strings) {
        if (labels.isEmpty()) {
            return NONE;
        }
        String[] pairs = new String[labels.size() * 2];
        int at = 0;
        for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
            pairs[at++] = strings.intern(label.getKey());
            pairs[at++] = strings.intern(label.getValue());
        }
        return new Labels(pairs);
    }

    @Override
    public int size() {
        return pairs.length / 2;
    }

    @Override
    public @Nullable String get(Object key) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(key)) {
                return pairs[i + 1];
            }
        }
        return null;
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return Labels.this.size();
            }

            @Override
            public Iterator<Entry<String, String>> iterator() {
                return new Iterator<>() {
                    private int at;

                    @Override
                    public boolean hasNext() {
                        return at < pairs.length;
                    }

                    @Override
                    public Entry<String, String> next() {
                        if (!hasNext()) {
                            throw new NoSuchElementException();
                        }
                        at += 2;
                        return Map.entry(pairs[at - 2], pairs[at - 1]);
                    }
                };
            }
        };
    }
}
