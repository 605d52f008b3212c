package dev.evenkeel.controller.internal.event;

import java.util.LinkedHashMap;
import java.util.Map;

/** The most recently used entries, up to a limit. */
final class Recent<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    /** The default limit, that of client-go. */
    static final int USUAL = 4096;

    private final int most;

    Recent(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > most;
    }
}
