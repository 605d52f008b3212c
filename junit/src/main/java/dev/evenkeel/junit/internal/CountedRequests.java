package dev.evenkeel.junit.internal;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Counts requests over connections as activity, a watch until it has begun, and records them. Loaded only when a cluster
 * listens.
 */
final class CountedRequests extends Handler.Wrapper {
    private final Activity activity;
    private final Consumer<String> journal;

    CountedRequests(Activity activity, Consumer<String> journal, Handler api) {
        super(api);
        this.activity = activity;
        this.journal = journal;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Once end = new Once();
        activity.begin();
        request.addHttpStreamWrapper(stream -> new Recorded(stream, journal));
        try {
            boolean handled = super.handle(request, response, Callback.from(callback, end::run));
            if (!handled || isWatch(request)) {
                end.run();
            }
            return handled;
        } catch (Exception | Error e) {
            end.run();
            throw e;
        }
    }

    private static boolean isWatch(Request request) {
        String query = request.getHttpURI().getQuery();
        String path = request.getHttpURI().getPath();
        return (query != null && query.contains("watch=")) || path.contains("/watch/");
    }

    /** Records a request, and the code of its answer, before the client gets the answer. */
    private static final class Recorded extends HttpStream.Wrapper {
        private final Consumer<String> journal;

        Recorded(HttpStream stream, Consumer<String> journal) {
            super(stream);
            this.journal = journal;
        }

        @Override
        public void send(
                MetaData.Request request,
                MetaData.Response response,
                boolean last,
                ByteBuffer content,
                Callback callback) {
            // null in all pieces of the answer but the first
            if (response != null && (response.getStatus() >= 200 || response.getStatus() == 101)) {
                journal.accept(
                        request.getMethod() + " " + request.getHttpURI().getPathQuery() + " " + response.getStatus());
            }
            super.send(request, response, last, content, callback);
        }
    }

    private final class Once {
        private boolean done;

        void run() {
            synchronized (this) {
                if (done) {
                    return;
                }
                done = true;
            }
            activity.end();
        }
    }
}
