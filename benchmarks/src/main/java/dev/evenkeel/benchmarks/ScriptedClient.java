package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Watch;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A client with one list and one watch whose results are set by hand, so that only the cache behind it is measured. */
final class ScriptedClient {
    private static final long LISTED_VERSION = 1_000;

    private final BlockingQueue<Watch.Event<Encoded>> events = new LinkedBlockingQueue<>();
    private final List<Encoded> objects;
    private long version = LISTED_VERSION;

    ScriptedClient(List<Encoded> objects) {
        this.objects = objects;
    }

    Client client() {
        return (Client) Proxy.newProxyInstance(
                ScriptedClient.class.getClassLoader(),
                new Class<?>[] {Client.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "list" -> new Listing<>(objects, Long.toString(LISTED_VERSION), "");
                    case "watch" -> new ScriptedWatch();
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    long next() {
        return ++version;
    }

    /** Sends a MODIFIED event with an object of the {@link #next} version. */
    void modified(byte[] json) {
        Encoded object = Encoded.of(json);
        events.add(
                new Watch.Event<>(Watch.Type.MODIFIED, object, object.header().resourceVersion()));
    }

    private final class ScriptedWatch implements Watch<Encoded> {
        @Override
        public Optional<Event<Encoded>> next() throws InterruptedException {
            return Optional.of(events.take());
        }

        @Override
        public boolean ready() {
            return !events.isEmpty();
        }

        @Override
        public void close() {}
    }
}
