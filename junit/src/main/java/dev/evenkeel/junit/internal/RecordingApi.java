package dev.evenkeel.junit.internal;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.server.internal.LocalApi;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** The API of an engine, with a record of its latest requests. */
public final class RecordingApi implements AutoCloseable {
    private static final int MOST = 1000;

    private final LocalApi api;
    private final Activity activity;
    private final Queue<String> requests = new ArrayDeque<>();

    public RecordingApi(Engine engine, Activity activity) {
        this.activity = activity;
        api = new LocalApi(engine, activity);
    }

    /** Answers a request on another thread. */
    void execute(LocalTransport transport, Consumer<Throwable> failed) {
        activity.execute(() -> {
            try {
                api.handle(transport);
            } catch (RuntimeException | Error e) {
                failed.accept(e);
            } finally {
                record(transport.line());
            }
        });
    }

    /** Records a request. */
    public void record(String line) {
        synchronized (requests) {
            if (requests.size() == MOST) {
                requests.remove();
            }
            requests.add(line);
        }
    }

    Executor threads() {
        return activity;
    }

    /** Returns the latest requests, such as {@code POST /api/v1/namespaces 201}. */
    public List<String> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    @Override
    public void close() {
        api.close();
    }
}
