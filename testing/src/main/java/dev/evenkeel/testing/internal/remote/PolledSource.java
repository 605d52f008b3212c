package dev.evenkeel.testing.internal.remote;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * The source of the caches of a case: lists, and watches whose events are the differences between lists.
 *
 * <p>A watch of a server in another process delivers at times of its own, so a case could neither rely on a cache that
 * is up to date nor on one that is stale. Here events appear when {@link #poll} is called, and only then.
 */
public final class PolledSource extends ForwardingClient {
    private final Client client;
    private final Map<String, Listing<Encoded>> lists = new LinkedHashMap<>();
    private final List<PolledWatch<?>> watches = new ArrayList<>();

    /** Creates a source that lists with this client. */
    public PolledSource(Client client) {
        super(client);
        this.client = client;
    }

    /** Adds what has changed to all watches. */
    public void poll() {
        List.copyOf(watches).forEach(PolledWatch::poll);
    }

    private static String selection(Kind<?> kind, ListOptions options) {
        return kind.apiVersion() + " " + kind.kind() + " " + options.namespace() + " " + options.labels() + " "
                + options.fields();
    }

    private static ListOptions plain(ListOptions options) {
        return ListOptions.in(options.namespace()).labels(options.labels()).fields(options.fields());
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        Listing<Encoded> all = client.list(kind.encoded(), plain(options));
        lists.put(selection(kind, options), all);
        return new Listing<>(
                all.items().stream()
                        .map(object -> object.decode(kind.javaType()))
                        .toList(),
                all.resourceVersion(),
                "");
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        Listing<Encoded> known = options.sendInitialEvents() ? null : lists.get(selection(kind, options));
        PolledWatch<T> watch = new PolledWatch<>(kind, plain(options));
        if (known == null) {
            watch.poll();
            if (options.sendInitialEvents()) {
                watch.endInitialEvents();
            } else {
                watch.events.clear();
            }
        } else {
            known.items().forEach(object -> watch.known.put(object.header().uid(), object));
        }
        watches.add(watch);
        return watch;
    }

    private final class PolledWatch<T extends HasMetadata> implements Watch<T> {
        private final Kind<T> kind;
        private final ListOptions options;
        private final Map<String, Encoded> known = new LinkedHashMap<>();
        private final Queue<Event<T>> events = new ArrayDeque<>();
        private String version = "";
        private boolean closed;

        PolledWatch(Kind<T> kind, ListOptions options) {
            this.kind = kind;
            this.options = options;
        }

        void poll() {
            Listing<Encoded> all = client.list(kind.encoded(), options);
            version = all.resourceVersion();
            Map<String, Encoded> gone = new LinkedHashMap<>(known);
            all.items().forEach(object -> gone.remove(object.header().uid()));
            // deletions first: another object may have the key now
            gone.forEach((uid, object) -> {
                known.remove(uid);
                JsonObject last = Json.parseObject(object.json(), JsonLimits.DEFAULT);
                last.withObject("metadata").put("resourceVersion", version);
                add(Type.DELETED, Encoded.of(Json.write(last)));
            });
            for (Encoded object : all.items()) {
                Encoded before = known.put(object.header().uid(), object);
                if (before == null) {
                    add(Type.ADDED, object);
                } else if (!before.header()
                        .resourceVersion()
                        .equals(object.header().resourceVersion())) {
                    add(Type.MODIFIED, object);
                }
            }
        }

        private void add(Type type, Encoded object) {
            events.add(new Event<>(
                    type, object.decode(kind.javaType()), object.header().resourceVersion()));
        }

        void endInitialEvents() {
            JsonObject metadata = JsonObject.of(
                    "resourceVersion", version, "annotations", JsonObject.of(Event.INITIAL_EVENTS_END, "true"));
            JsonObject bookmark =
                    JsonObject.of("apiVersion", kind.apiVersion(), "kind", kind.kind(), "metadata", metadata);
            add(Type.BOOKMARK, Encoded.of(Json.write(bookmark)));
        }

        @Override
        public Optional<Event<T>> next() {
            return Optional.ofNullable(events.poll());
        }

        @Override
        public boolean ready() {
            return closed || !events.isEmpty();
        }

        @Override
        public void close() {
            closed = true;
            watches.remove(this);
        }
    }
}
