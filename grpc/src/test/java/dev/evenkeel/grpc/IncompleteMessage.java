package dev.evenkeel.grpc;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A call in HTTP/2 by hand on a connection of its own, which sends the last byte of its message never: libraries send all. */
final class IncompleteMessage implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int INITIAL_WINDOW = 4;
    private static final int FRAME = 16 * 1024;

    private final Socket socket;
    private final DataOutputStream out;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private long connectionWindow = 65_535;
    private long streamWindow = 65_535;

    /** Sends a message of so many bytes but for the last, as far as the server takes it. */
    IncompleteMessage(String host, int port, String method, String token, int bytes) throws IOException {
        socket = new Socket(host, port);
        out = new DataOutputStream(socket.getOutputStream());
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        frame(SETTINGS, 0, 0, new byte[0]);
        List<String> headers = List.of(
                ":method",
                "POST",
                ":scheme",
                "http",
                ":path",
                "/" + method,
                ":authority",
                host,
                "content-type",
                "application/grpc",
                "te",
                "trailers",
                "authorization",
                "Bearer " + token);
        frame(HEADERS, END_HEADERS, 1, literals(headers));
        Thread.ofVirtual().start(this::read);
        Thread.ofVirtual().start(() -> write(bytes));
    }

    /** Completed when the server has ended the call; with false when it has ended the connection instead. */
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    private static byte[] literals(List<String> namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.size(); i++) {
            if (i % 2 == 0) {
                block.write(0);
            }
            byte[] text = namesAndValues.get(i).getBytes(StandardCharsets.US_ASCII);
            block.write(text.length);
            block.writeBytes(text);
        }
        return block.toByteArray();
    }

    private void write(int bytes) {
        ByteBuffer message = ByteBuffer.allocate(5 + bytes)
                .put((byte) 0)
                .putInt(bytes)
                .position(0)
                .limit(4 + bytes);
        try {
            while (message.hasRemaining()) {
                byte[] part = new byte[taken(Math.min(FRAME, message.remaining()))];
                message.get(part);
                frame(DATA, 0, 1, part);
            }
        } catch (IOException e) {
            ended.complete(false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized int taken(int wanted) throws InterruptedException {
        while (Math.min(connectionWindow, streamWindow) <= 0) {
            wait();
        }
        int taken = (int) Math.min(wanted, Math.min(connectionWindow, streamWindow));
        connectionWindow -= taken;
        streamWindow -= taken;
        return taken;
    }

    private void read() {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(length));
                if (type == SETTINGS && flags != ACK) {
                    settings(payload);
                    frame(SETTINGS, ACK, 0, new byte[0]);
                } else if (type == WINDOW_UPDATE) {
                    grow(stream, payload.getInt());
                } else if (type == HEADERS || type == GO_AWAY) { // headers are the status of a call that has ended
                    ended.complete(type == HEADERS);
                }
            }
        } catch (IOException e) {
            ended.complete(false);
        }
    }

    private synchronized void settings(ByteBuffer payload) {
        while (payload.hasRemaining()) {
            int name = payload.getShort();
            int value = payload.getInt();
            if (name == INITIAL_WINDOW) {
                streamWindow += value - 65_535;
            }
        }
        notifyAll();
    }

    private synchronized void grow(int stream, int bytes) {
        if (stream == 0) {
            connectionWindow += bytes;
        } else {
            streamWindow += bytes;
        }
        notifyAll();
    }

    private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        synchronized (out) {
            out.writeByte(payload.length >> 16);
            out.writeShort(payload.length);
            out.writeByte(type);
            out.writeByte(flags);
            out.writeInt(stream);
            out.write(payload);
            out.flush();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
