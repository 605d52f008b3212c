package dev.evenkeel.controller.internal.event;

import java.util.LinkedHashMap;
import java.util.Map;

/** The entries used last: as many as may be. */
final class Recent<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    /** As many as client-go keeps. */
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
