package dev.evenkeel.controller.cache;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A server that answers lists and watches as a test says, one answer after the other, and notes what it was asked. A list
 * for which there is no answer fails the test; a watch for which there is none stays open and says nothing.
 */
final class ScriptedServer implements Client {
    /** Answers a list. */
    interface Answer {
        Listing<Encoded> to(ListOptions options);
    }

    /** The requests it received: {@code list 0}, {@code list +token}, {@code watch 10}, {@code stream 0}. */
    final List<String> asked = new ArrayList<>();

    /** The options of the lists. */
    final List<ListOptions> lists = new ArrayList<>();

    /** The watches that were opened. */
    final List<Opened<?>> opened = new ArrayList<>();

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final Deque<RuntimeException> refusals = new ArrayDeque<>();

    /** An object of the namespace default with labels such as {@code a=b}. */
    static Encoded object(String name, String version, String... labels) {
        return identified(name, "uid-" + name, version, labels);
    }

    static Encoded identified(String name, String uid, String version, String... labels) {
        StringBuilder text = new StringBuilder();
        for (String label : labels) {
            String[] parts = label.split("=", 2);
            text.append(text.isEmpty() ? "" : ",")
                    .append('"')
                    .append(parts[0])
                    .append("\":\"")
                    .append(parts[1])
                    .append('"');
        }
        return json("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"default\",\"name\":\""
                + name
                + "\",\"uid\":\"" + uid + "\",\"resourceVersion\":\"" + version + "\",\"labels\":{" + text
                + "}},\"data\":{\"version\":\"" + version + "\"}}");
    }

    static Encoded json(String text) {
        return Encoded.of(text.getBytes(StandardCharsets.UTF_8));
    }

    // ---- refusals

    static ApiException expired() {
        return ApiException.of(Status.of(410, "Expired", "too old resource version"));
    }

    static ApiException tooMany() {
        return ApiException.of(Status.of(429, "TooManyRequests", "later"));
    }

    static ApiException tooMany(int retryAfterSeconds) {
        return ApiException.of(Status.of(
                429, "TooManyRequests", "later", new Status.Details("", "", "", "", List.of(), retryAfterSeconds)));
    }

    static ApiException internal() {
        return ApiException.of(Status.of(500, "InternalError", "etcd is not well"));
    }

    static ApiException tooLarge() {
        return ApiException.of(Status.of(
                504,
                "Timeout",
                "Too large resource version: 100, current: 20",
                new Status.Details(
                        "",
                        "",
                        "",
                        "",
                        List.of(new Status.Cause("ResourceVersionTooLarge", "Too large resource version", "")),
                        1)));
    }

    static RuntimeException refusedConnection() {
        return new java.io.UncheckedIOException(new java.net.ConnectException("connection refused"));
    }

    // ---- the script

    /** The next list has these objects, at a version. */
    ScriptedServer list(String version, Encoded... objects) {
        return page(version, "", objects);
    }

    /** The next list has these objects, and another page. */
    ScriptedServer page(String version, String token, Encoded... objects) {
        return answer(options -> new Listing<>(Arrays.asList(objects), version, token));
    }

    /** The next list fails. */
    ScriptedServer listFails(RuntimeException failure) {
        return answer(options -> {
            throw failure;
        });
    }

    ScriptedServer answer(Answer answer) {
        answers.add(answer);
        return this;
    }

    /** The next watch is refused. */
    ScriptedServer watchFails(RuntimeException failure) {
        refusals.add(failure);
        return this;
    }

    /** The watch that was opened last. */
    Opened<?> watch() {
        return opened.getLast();
    }

    /** A watch. */
    static final class Opened<T extends HasMetadata> implements Watch<T> {
        private final Class<T> type;
        private final ListOptions options;
        private final Deque<Event<T>> events = new ArrayDeque<>();
        private RuntimeException failure;
        private boolean ended;
        private boolean closed;

        Opened(Class<T> type, ListOptions options) {
            this.type = type;
            this.options = options;
        }

        ListOptions options() {
            return options;
        }

        boolean closed() {
            return closed;
        }

        Opened<T> event(Type what, Encoded object, String version) {
            T shown = type == Encoded.class ? type.cast(object) : object.decode(type);
            events.add(new Event<>(what, shown, version));
            return this;
        }

        Opened<T> event(Type what, Encoded object) {
            return event(what, object, object.header().resourceVersion());
        }

        Opened<T> added(String name, String version, String... labels) {
            return event(Type.ADDED, object(name, version, labels));
        }

        Opened<T> modified(String name, String version, String... labels) {
            return event(Type.MODIFIED, object(name, version, labels));
        }

        Opened<T> deleted(String name, String version, String... labels) {
            return event(Type.DELETED, object(name, version, labels));
        }

        Opened<T> bookmark(String version) {
            return event(Type.BOOKMARK, object("", version));
        }

        /** The bookmark with the annotation that says whether the initial events have ended. */
        Opened<T> initialEventsEnd(String version, String value) {
            return event(
                    Type.BOOKMARK,
                    json("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"resourceVersion\":\"" + version
                            + "\",\"annotations\":{\"" + Event.INITIAL_EVENTS_END + "\":\"" + value + "\"}}}"));
        }

        void end() {
            ended = true;
        }

        void fail(RuntimeException with) {
            failure = with;
        }

        @Override
        public boolean ready() {
            return closed || ended || failure != null || !events.isEmpty();
        }

        @Override
        public Optional<Event<T>> next() {
            if (closed) {
                return Optional.empty();
            }
            if (!events.isEmpty()) {
                return Optional.of(events.remove());
            }
            if (failure != null) {
                throw failure;
            }
            return Optional.empty();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    // ---- the client

    @Override
    @SuppressWarnings("unchecked")
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        asked.add("list "
                + (options.continueToken().isEmpty() ? options.resourceVersion() : "+" + options.continueToken()));
        lists.add(options);
        Answer answer = answers.poll();
        if (answer == null) {
            throw new AssertionError("nobody said what to answer: " + asked);
        }
        Listing<Encoded> listing = answer.to(options);
        if (kind.javaType() == Encoded.class) {
            return (Listing<T>) listing;
        }
        return new Listing<>(
                listing.items().stream()
                        .map(object -> object.decode(kind.javaType()))
                        .toList(),
                listing.resourceVersion(),
                listing.continueToken());
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        asked.add((options.sendInitialEvents() ? "stream " : "watch ") + options.resourceVersion());
        RuntimeException refusal = refusals.poll();
        if (refusal != null) {
            throw refusal;
        }
        Opened<T> watch = new Opened<>(kind.javaType(), options);
        opened.add(watch);
        return watch;
    }

    private static UnsupportedOperationException unscripted() {
        return new UnsupportedOperationException("this server answers lists and watches");
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        throw unscripted();
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        throw unscripted();
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        throw unscripted();
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        throw unscripted();
    }
}
