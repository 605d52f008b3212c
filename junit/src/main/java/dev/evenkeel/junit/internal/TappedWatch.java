package dev.evenkeel.junit.internal;

import dev.evenkeel.server.internal.http.EventSink;
import dev.evenkeel.server.internal.resource.ApiCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A watch whose events, and whose end, can be held. */
public final class TappedWatch implements EventSink {
    private final ApiCall call;
    private final EventSink sink;
    private final List<byte[]> kept = new ArrayList<>();
    private boolean held;
    private boolean ended;
    private boolean cut;

    TappedWatch(ApiCall call, EventSink sink) {
        this.call = call;
        this.sink = sink;
    }

    /** Returns the request. */
    public ApiCall call() {
        return call;
    }

    @Override
    public synchronized void send(List<byte[]> events) throws IOException {
        if (cut) {
            throw new IOException("the watch was cut by the test");
        }
        if (held) {
            kept.addAll(events);
        } else {
            sink.send(events);
        }
    }

    @Override
    public synchronized void end() {
        ended = true;
        if (!held) {
            sink.end();
        }
    }

    @Override
    public void abort(Throwable why) {
        sink.abort(why);
    }

    @Override
    public boolean alive() {
        return sink.alive();
    }

    /** Holds the events from now on. */
    public synchronized void hold() {
        held = true;
    }

    /** Returns true if the server has ended the watch, although its client may not know yet. */
    public synchronized boolean hasEnded() {
        return ended;
    }

    /** Delivers the events that were held, and the end, or all later events. */
    public synchronized void release() {
        held = false;
        List<byte[]> events = List.copyOf(kept);
        kept.clear();
        try {
            if (!events.isEmpty() && !cut) {
                sink.send(events);
            }
            if (ended) {
                sink.end();
            }
        } catch (IOException e) {
            sink.abort(e);
        }
    }

    /** Ends the watch by a failure; events that were held are lost. */
    public synchronized void cut() {
        cut = true;
        kept.clear();
        sink.abort(new IOException("the watch was cut by the test"));
    }
}
