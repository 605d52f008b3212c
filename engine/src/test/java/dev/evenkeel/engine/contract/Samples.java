package dev.evenkeel.engine.contract;

import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Entry;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.Store.Value;
import java.nio.charset.StandardCharsets;

/** The stored values of the kit. */
final class Samples {
    static final String MAPS = "default/configmaps";
    static final String PODS = "default/pods";

    private Samples() {}

    record Bytes(byte[] bytes) implements Value {}

    /** A value with a text, to store. */
    static Value value(String text) {
        return new Bytes(utf8(text));
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Key map(String namespace, String name) {
        return new Key(MAPS, namespace, name);
    }

    static Key pod(String namespace, String name) {
        return new Key(PODS, namespace, name);
    }

    static Change change(Key key, long expected, String text) {
        return new Change(key, expected, value(text));
    }

    static Change delete(Key key, long expected) {
        return new Change(key, expected, null);
    }

    static String text(Entry entry) {
        return entry == null ? "" : new String(entry.value().bytes(), StandardCharsets.UTF_8);
    }

    static String describe(Event event) {
        return event.key().namespace() + "/" + event.key().name() + " " + text(event.previous()) + ">"
                + text(event.current());
    }
}
