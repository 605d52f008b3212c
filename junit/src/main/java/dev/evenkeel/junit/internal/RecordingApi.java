package dev.evenkeel.junit.internal;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.server.internal.LocalApi;
import io.fabric8.kubernetes.api.model.Status;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** The API of an engine, with a record of its latest requests. */
public final class RecordingApi implements AutoCloseable {
    private static final int MOST = 1000;

    private final LocalApi api;
    private final Activity activity;
    private final RequestInterceptor interceptor;
    private final Queue<String> requests = new ArrayDeque<>();

    public RecordingApi(Engine engine, Activity activity, RequestInterceptor interceptor) {
        this.activity = activity;
        this.interceptor = interceptor;
        api = new LocalApi(engine, activity);
    }

    /**
     * Answers a request: on the calling thread, which saves two changes of threads, unless it is one that ends only with
     * its client, or may have to wait for what the caller does next.
     */
    void answer(LocalTransport transport, Consumer<Throwable> failed) {
        transport.journal(this::record);
        Runnable task = () -> {
            try {
                answer(transport);
            } catch (IOException | RuntimeException | Error e) {
                failed.accept(e);
            } finally {
                transport.record();
            }
        };
        if (transport.isBrief()
                && !interceptor.active()
                && !Thread.currentThread().isInterrupted()) {
            activity.run(task);
        } else {
            activity.execute(task);
        }
    }

    private void answer(LocalTransport transport) throws IOException {
        Attributes request = LocalApi.attributes(transport);
        Optional<Status> refusal = request.resourceRequest()
                ? interceptor.before(request.verb(), request.resourcePath())
                : Optional.empty();
        if (refusal.isPresent()) {
            transport.refuse(refusal.get());
        } else if (transport.arrives()) {
            api.handle(transport);
        }
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
