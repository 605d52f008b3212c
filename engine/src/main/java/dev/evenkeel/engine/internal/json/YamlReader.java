package dev.evenkeel.engine.internal.json;

import dev.evenkeel.engine.JsonLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Builds trees from the parser's events, one document at a time. Uses its own stack, so that depth does not use the
 * thread's.
 */
final class YamlReader {
    /** Stands for the value of an anchor that is not complete yet. */
    private enum Unfinished {
        VALUE
    }

    /** Thrown where the rest of a document is not read, as it refers to an unknown value, or is too deep. */
    private static final class UnfinishedException extends JsonException {
        UnfinishedException(String message) {
            super(message);
        }
    }

    private final Iterator<Event> events;
    private final JsonLimits limits;
    private final Consumer<String> duplicates;
    private final Map<String, @Nullable Object> anchors = new HashMap<>();
    private final ArrayDeque<Frame> open = new ArrayDeque<>();
    private int aliases;
    private long copied;

    YamlReader(Iterator<Event> events, JsonLimits limits, Consumer<String> duplicates) {
        this.events = events;
        this.limits = limits;
        this.duplicates = duplicates;
    }

    /** Returns the next document, in a list of one; an empty list after the last. */
    List<@Nullable Object> next() {
        List<@Nullable Object> document = new ArrayList<>(1);
        while (document.isEmpty() && events.hasNext()) {
            // others are the stream's start and end, and the ends of documents
            if (events.next().getEventId() == Event.ID.DocumentStart) {
                anchors.clear();
                document.add(complete());
            }
        }
        return document;
    }

    /**
     * Reads a document to its end: its errors of syntax come before those of its values, except unknown anchors. Below the
     * deepest level nothing is read, since there the parser takes more time for each further one.
     */
    private @Nullable Object complete() {
        try {
            Object value = document();
            events.next();
            return value;
        } catch (UnfinishedException e) {
            throw e;
        } catch (JsonException e) {
            readRest();
            throw e;
        }
    }

    /** Reads the rest of a document for its errors of syntax only. */
    private void readRest() {
        int depth = open.size();
        Event event = events.next();
        while (event.getEventId() != Event.ID.DocumentEnd && depth <= limits.maxDepth()) {
            depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
            event = events.next();
        }
    }

    private @Nullable Object document() {
        while (true) {
            Event event = events.next();
            int line = event.getStartMark().map(Mark::getLine).orElse(0) + 1;
            @Nullable Object value;
            switch (event) {
                case ScalarEvent scalar -> {
                    value = scalar(scalar);
                    Object anchored = value;
                    scalar.getAnchor().ifPresent(anchor -> anchors.put(anchor.getValue(), anchored));
                    if (isKey()) {
                        Objects.requireNonNull(open.peek()).key(value, isMerge(scalar));
                        continue;
                    }
                    value = YamlScalars.json(value);
                }
                case AliasEvent alias -> {
                    value = aliased(alias.getAlias().getValue());
                    boolean container = value instanceof JsonObject || value instanceof List;
                    if (isKey()) {
                        if (container) {
                            throw invalidKey();
                        }
                        Objects.requireNonNull(open.peek()).key(value, false);
                        continue;
                    }
                    value = container ? value : YamlScalars.json(value);
                }
                case CollectionStartEvent start -> {
                    if (isKey()) {
                        throw invalidKey();
                    }
                    if (open.size() >= limits.maxDepth()) {
                        throw new UnfinishedException("exceeded max depth");
                    }
                    String name = start.getAnchor().map(Anchor::getValue).orElse("");
                    if (!name.isEmpty()) {
                        anchors.put(name, Unfinished.VALUE);
                    }
                    open.push(new Frame(start instanceof MappingStartEvent, name, line));
                    continue;
                }
                default -> {
                    Frame closed = open.pop();
                    value = closed.container;
                    line = closed.line;
                    if (!closed.anchor.isEmpty()) {
                        anchors.put(closed.anchor, value);
                    }
                }
            }
            Frame parent = open.peek();
            if (parent == null) {
                return value;
            }
            parent.add(value, line);
        }
    }

    private static JsonException invalidKey() {
        return new JsonException("yaml: invalid map key: only scalars can be keys");
    }

    private boolean isKey() {
        Frame frame = open.peek();
        return frame != null && frame.expectsKey();
    }

    private @Nullable Object scalar(ScalarEvent scalar) {
        if (scalar.getValue().length() > limits.maxStringLength()) {
            throw new JsonException("string is longer than " + limits.maxStringLength() + " characters");
        }
        String text = Json.wellFormed(scalar.getValue());
        if (scalar.getTag().isPresent()) {
            return YamlScalars.resolve(scalar.getTag().get(), text, limits.maxNumberLength());
        }
        return scalar.isPlain() ? YamlScalars.resolve(text, limits.maxNumberLength()) : text;
    }

    private static boolean isMerge(ScalarEvent scalar) {
        return scalar.getValue().equals("<<")
                && (scalar.getTag().isEmpty()
                        ? scalar.isPlain()
                        : scalar.getTag().get().equals("tag:yaml.org,2002:merge"));
    }

    private @Nullable Object aliased(String name) {
        if (!anchors.containsKey(name)) {
            throw new UnfinishedException("yaml: unknown anchor '" + name + "' referenced");
        }
        Object value = anchors.get(name);
        if (value == Unfinished.VALUE) {
            throw new JsonException("yaml: anchor '" + name + "' value contains itself");
        }
        if (!(value instanceof JsonObject) && !(value instanceof List)) {
            copied += value instanceof String text ? text.length() : 1;
            checkCopied();
            return value;
        }
        if (++aliases > limits.maxYamlAliases()) {
            throw excessive();
        }
        return copy(value, open.size() + 1);
    }

    private @Nullable Object copy(@Nullable Object value, int depth) {
        copied += value instanceof String text ? text.length() + 1 : 1;
        checkCopied();
        if (!(value instanceof JsonObject) && !(value instanceof List)) {
            return value;
        }
        if (depth > limits.maxDepth()) {
            throw new UnfinishedException("exceeded max depth");
        }
        if (value instanceof JsonObject object) {
            JsonObject copy = new JsonObject();
            object.forEach((key, item) -> {
                copied += key.length();
                copy.put(key, copy(item, depth + 1));
            });
            return copy;
        }
        List<@Nullable Object> copy = new ArrayList<>();
        Json.asArray(value).forEach(item -> copy.add(copy(item, depth + 1)));
        return copy;
    }

    private void checkCopied() {
        if (copied > limits.maxBytes()) {
            throw excessive();
        }
    }

    private static JsonException excessive() {
        return new JsonException("yaml: document contains excessive aliasing");
    }

    /** A container that is being read. */
    private final class Frame {
        private final Object container;
        private final String anchor;
        private final int line;
        private @Nullable String key;
        private String shownKey = "";
        private boolean merge;

        Frame(boolean mapping, String anchor, int line) {
            this.container = mapping ? new JsonObject() : new ArrayList<>();
            this.anchor = anchor;
            this.line = line;
        }

        boolean expectsKey() {
            return container instanceof JsonObject && key == null;
        }

        void key(@Nullable Object value, boolean isMerge) {
            key = YamlScalars.key(value);
            shownKey = value instanceof String ? Json.text(value) : key;
            merge = isMerge;
        }

        void add(@Nullable Object value, int at) {
            if (!(container instanceof JsonObject map)) {
                Json.asArray(container).add(value);
                return;
            }
            String name = Objects.requireNonNull(key);
            key = null;
            if (merge) {
                merge(map, value, at);
            } else {
                put(map, name, shownKey, value, at);
            }
        }

        private void put(JsonObject map, String name, String shown, @Nullable Object value, int at) {
            int before = map.size();
            map.put(name, value);
            if (map.size() == before) {
                duplicates.accept("line " + at + ": key " + shown + " already set in map");
            }
        }

        private void merge(JsonObject map, @Nullable Object value, int at) {
            // earlier maps win
            List<?> sources = value instanceof List<?> list ? list.reversed() : Collections.singletonList(value);
            for (Object source : sources) {
                if (!(source instanceof JsonObject merged)) {
                    throw new JsonException("yaml: map merge requires map or sequence of maps as the value");
                }
                merged.forEach((name, item) -> put(map, name, Json.text(name), item, at));
            }
        }
    }
}
