package dev.evenkeel.check.internal.api;

import dev.evenkeel.server.internal.resource.ApiCall;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A watch whose events can be held. The server writes one piece after the other, so at most one waits here; the others
 * wait in the log of the engine.
 */
public final class OpenWatch {
    private record Piece(boolean last, ByteBuffer bytes, Callback done) {}

    private final ApiCall call;
    private final Request request;
    private final Response response;
    private boolean held;
    private boolean cut;
    private @Nullable Piece waiting;

    OpenWatch(ApiCall call, Request request, Response response) {
        this.call = call;
        this.request = request;
        this.response = response;
    }

    /** Returns the request. */
    public ApiCall call() {
        return call;
    }

    /** Writes a piece, or keeps it until the watch is released; the headers, which have no bytes, are never held. */
    void write(boolean last, ByteBuffer bytes, Callback done) {
        synchronized (this) {
            if (cut) {
                done.failed(new EofException("the watch was cut"));
                return;
            }
            if (held && bytes.hasRemaining()) {
                waiting = new Piece(last, bytes, done);
                return;
            }
        }
        response.write(last, bytes, done);
    }

    /** Holds the events from now on. */
    public synchronized void hold() {
        held = true;
    }

    /** Delivers the events that were held, and all later ones. */
    public void release() {
        Piece piece;
        synchronized (this) {
            held = false;
            piece = waiting;
            waiting = null;
        }
        if (piece != null) {
            response.write(piece.last, piece.bytes, piece.done);
        }
    }

    /** Cuts the connection; events that were held are lost. */
    public void cut() {
        Piece piece;
        synchronized (this) {
            cut = true;
            piece = waiting;
            waiting = null;
        }
        Connections.cut(request);
        if (piece != null) {
            piece.done.failed(new EofException("the watch was cut"));
        }
    }
}
