package dev.evenkeel.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many watches over WebSockets, the only kind that both servers support, which count received events.
 *
 * <p>One thread reads all of them and parses only the heads of frames, so that the machine's time is left to the
 * server.
 */
final class WatchSwarm implements AutoCloseable {
    private final Selector selector = Selector.open();
    private final List<SocketChannel> channels = new ArrayList<>();
    private final AtomicLong messages = new AtomicLong();
    private final Thread reader;
    private volatile boolean closed;

    WatchSwarm(int port, String path, int watches) throws IOException {
        this(port, path, watches, "application/json");
    }

    WatchSwarm(int port, String path, int watches, String mediaType) throws IOException {
        for (int i = 0; i < watches; i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channels.add(channel);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            byte[] request = ("GET " + path + "?watch=true HTTP/1.1\r\nHost: localhost:" + port
                            + "\r\nAccept: " + mediaType
                            + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
            channel.write(ByteBuffer.wrap(request));
            shakeHands(channel);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Frames());
        }
        reader = Thread.ofPlatform().daemon().name("watch-swarm").start(this::read);
    }

    long messages() {
        return messages.get();
    }

    /** Reads the answer to the upgrade, byte by byte in order not to consume frames after it. */
    private static void shakeHands(SocketChannel channel) throws IOException {
        StringBuilder answer = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (answer.indexOf("\r\n\r\n") < 0) {
            one.clear();
            if (channel.read(one) < 0) {
                throw new EOFException("the server closed the connection after " + answer);
            }
            answer.append((char) one.get(0));
        }
        if (!answer.toString().startsWith("HTTP/1.1 101")) {
            throw new IOException("a WebSocket watch was answered with " + answer);
        }
    }

    private void read() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
        try {
            while (!closed) {
                selector.select();
                long count = 0;
                for (SelectionKey key : selector.selectedKeys()) {
                    buffer.clear();
                    if (((SocketChannel) key.channel()).read(buffer) < 0) {
                        key.cancel();
                    }
                    count += ((Frames) key.attachment()).count(buffer.flip());
                }
                selector.selectedKeys().clear();
                if (count > 0) {
                    messages.addAndGet(count);
                }
            }
        } catch (IOException e) {
            if (!closed) {
                throw new UncheckedIOException(e);
            }
        } catch (ClosedSelectorException e) {
            // closed while it was reading
        }
    }

    /** The parser state of a connection within its frames. */
    static final class Frames {
        private final byte[] head = new byte[10];
        private int headBytes;
        private long payload;
        private boolean counts;

        /** Returns how many messages end in the next bytes. */
        int count(ByteBuffer bytes) {
            int messages = 0;
            while (bytes.hasRemaining()) {
                if (payload > 0) {
                    int step = (int) Math.min(payload, bytes.remaining());
                    bytes.position(bytes.position() + step);
                    payload -= step;
                } else {
                    head[headBytes++] = bytes.get();
                    int needed = headBytes < 2 ? 2 : needed();
                    if (headBytes < needed) {
                        continue;
                    }
                    int opcode = head[0] & 0x0f;
                    counts = (head[0] & 0x80) != 0 && opcode <= 2; // the last frame of a message
                    payload = length();
                    headBytes = 0;
                }
                if (payload == 0 && counts) {
                    messages++;
                    counts = false;
                }
            }
            return messages;
        }

        private int needed() {
            return switch (head[1] & 0x7f) {
                case 126 -> 4;
                case 127 -> 10;
                default -> 2;
            };
        }

        private long length() {
            long length = 0;
            for (int i = 2; i < needed(); i++) {
                length = length << 8 | (head[i] & 0xff);
            }
            return needed() == 2 ? head[1] & 0x7f : length;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SocketChannel channel : channels) {
            channel.close();
        }
        selector.close();
    }
}
