package dev.evenkeel.junit.internal;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Counts requests over connections as activity, a watch until it has begun. Loaded only when a cluster listens. */
final class CountedRequests extends Handler.Wrapper {
    private final Activity activity;

    CountedRequests(Activity activity, Handler api) {
        super(api);
        this.activity = activity;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Once end = new Once();
        activity.begin();
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
