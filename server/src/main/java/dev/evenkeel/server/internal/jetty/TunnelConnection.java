package dev.evenkeel.server.internal.jetty;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.FutureCallback;

/**
 * A connection that carries another protocol between a client and another server: bytes pass in both directions until one
 * side ends. Each direction has a thread, which waits for the slower side.
 */
final class TunnelConnection extends AbstractConnection implements Connection.UpgradeTo {
    private static final int PIECE = 16 * 1024;

    private final InputStream in;
    private final Socket server;
    private final Executor threads;
    private byte[] first = {};

    /**
     * Creates the connection.
     *
     * @param in what the server sends
     * @param server the connection to it, which is closed at the end
     */
    TunnelConnection(EndPoint client, Executor threads, InputStream in, Socket server) {
        super(client, threads);
        this.in = in;
        this.server = server;
        this.threads = threads;
    }

    /** Receives what the client has sent already. */
    @Override
    public void onUpgradeTo(ByteBuffer buffer) {
        first = BufferUtil.toArray(buffer);
    }

    @Override
    public void onOpen() {
        super.onOpen();
        getEndPoint().setIdleTimeout(0);
        threads.execute(this::toServer);
        threads.execute(this::toClient);
    }

    @Override
    public void onFillable() {}

    private void toServer() {
        ByteBuffer buffer = BufferUtil.allocate(PIECE);
        try (server) {
            OutputStream out = server.getOutputStream();
            out.write(first);
            out.flush();
            for (int length = getEndPoint().fill(buffer);
                    length >= 0;
                    length = getEndPoint().fill(buffer)) {
                if (length == 0) {
                    awaitBytes();
                } else {
                    out.write(BufferUtil.toArray(buffer));
                    out.flush();
                    BufferUtil.clear(buffer);
                }
            }
        } catch (IOException e) {
            // one of the sides is gone
        } finally {
            close();
        }
    }

    private void awaitBytes() throws IOException {
        CountDownLatch arrived = new CountDownLatch(1);
        getEndPoint().fillInterested(Callback.from(arrived::countDown));
        try {
            arrived.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private void toClient() {
        byte[] bytes = new byte[PIECE];
        try (server) {
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                FutureCallback sent = new FutureCallback();
                getEndPoint().write(sent, ByteBuffer.wrap(bytes, 0, length));
                sent.get();
            }
        } catch (IOException | ExecutionException e) {
            // one of the sides is gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }
}
