package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.server.internal.http.EventSink;
import dev.evenkeel.server.internal.watch.EventEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;

/** Sends events as frames of a WebSocket; frames of the client are read and ignored. */
final class SocketEventSink implements EventSink, FrameHandler {
    private final boolean binary;
    private final Consumer<SocketEventSink> onOpen;
    private final Runnable onClosed;
    private volatile @Nullable CoreSession session;

    /**
     * Creates a sink for a socket that is about to open.
     *
     * @param binary whether events are frames of protobuf, which are sent without their length
     * @param onOpen called when events can be sent; may wait
     * @param onClosed called when the client is gone
     */
    SocketEventSink(boolean binary, Consumer<SocketEventSink> onOpen, Runnable onClosed) {
        this.binary = binary;
        this.onOpen = onOpen;
        this.onClosed = onClosed;
    }

    @Override
    public void onOpen(CoreSession opened, Callback callback) {
        session = opened;
        callback.succeeded();
        opened.demand();
        onOpen.accept(this);
    }

    @Override
    public void onFrame(Frame frame, Callback callback) {
        callback.succeeded();
        CoreSession open = session;
        if (open != null && frame.getOpCode() != OpCode.CLOSE) {
            open.demand();
        }
    }

    @Override
    public void onError(Throwable cause, Callback callback) {
        callback.succeeded();
        onClosed.run();
    }

    @Override
    public void onClosed(CloseStatus status, Callback callback) {
        callback.succeeded();
        onClosed.run();
    }

    @Override
    public void send(List<byte[]> events) throws IOException {
        CoreSession open = session;
        if (open == null) {
            throw new IOException("the socket is not open");
        }
        int last = events.size() - 1;
        for (int i = 0; i < last; i++) {
            open.sendFrame(frame(events.get(i)), Callback.NOOP, true);
        }
        try (Blocker.Callback gone = Blocker.callback()) {
            open.sendFrame(frame(events.get(last)), gone, false);
            gone.block();
        }
    }

    private Frame frame(byte[] event) {
        int head = binary ? EventEncoder.FRAME_HEAD : 0;
        ByteBuffer content = ByteBuffer.wrap(event, head, event.length - head);
        return new Frame(binary ? OpCode.BINARY : OpCode.TEXT, true, content);
    }

    @Override
    public void end() {
        CoreSession open = session;
        if (open != null) {
            open.close(CloseStatus.NORMAL, "", Callback.NOOP);
        }
    }

    @Override
    public void abort(Throwable why) {
        CoreSession open = session;
        if (open != null) {
            open.abort();
        }
    }

    @Override
    public boolean alive() {
        CoreSession open = session;
        return open != null && open.isOutputOpen();
    }
}
