package dev.evenkeel.server.internal.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, written piece by piece.
 *
 * <p>Up to 128 KiB the body is collected and sent at once, with its length. A longer one is streamed in pieces of that
 * size, compressed if the client accepts that: so a list of any length needs one piece of memory, and small answers are
 * never compressed, which costs more than it saves.
 */
public final class ResponseStream extends OutputStream {
    static final int PIECE = 128 * 1024;

    private final HttpExchange call;
    private byte[] buffer = new byte[2048];
    private int used;
    private @Nullable OutputStream compressed;

    public ResponseStream(HttpExchange call, String contentType) {
        this.call = call;
        call.contentType(contentType);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (compressed != null) {
            compressed.write(bytes, offset, length);
        } else if (used + length <= PIECE) {
            append(bytes, offset, length);
        } else if (!call.transport().committed() && call.acceptsGzip()) {
            call.transport().setHeader("Content-Encoding", "gzip");
            call.transport().addHeader("Vary", "Accept-Encoding");
            OutputStream out = new FastGzip(new Pieces(call));
            compressed = out;
            out.write(buffer, 0, used);
            out.write(bytes, offset, length);
        } else {
            if (used > 0) {
                call.write(false, ByteBuffer.wrap(buffer, 0, used));
                used = 0;
            }
            if (length > PIECE) {
                call.write(false, ByteBuffer.wrap(bytes, offset, length));
            } else {
                append(bytes, offset, length);
            }
        }
    }

    private void append(byte[] bytes, int offset, int length) {
        if (used + length > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.min(PIECE, Math.max(used + length, buffer.length * 4)));
        }
        System.arraycopy(bytes, offset, buffer, used, length);
        used += length;
    }

    /**
     * Ends the answer. Not {@code close}: an answer that failed halfway must not look complete because a resource block
     * was left.
     */
    public void finish() throws IOException {
        if (compressed != null) {
            compressed.close();
        } else {
            call.write(true, ByteBuffer.wrap(buffer, 0, used));
        }
        call.finish();
    }

    /** Forwards the compressor's output in pieces. */
    private static final class Pieces extends OutputStream {
        private final HttpExchange call;
        private final byte[] buffer = new byte[PIECE / 2];
        private int used;

        Pieces(HttpExchange call) {
            this.call = call;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int done = 0;
            while (done < length) {
                int n = Math.min(length - done, buffer.length - used);
                System.arraycopy(bytes, offset + done, buffer, used, n);
                used += n;
                done += n;
                if (used == buffer.length) {
                    call.write(false, ByteBuffer.wrap(buffer, 0, used));
                    used = 0;
                }
            }
        }

        @Override
        public void close() throws IOException {
            call.write(true, ByteBuffer.wrap(buffer, 0, used));
        }
    }

    /** Compresses at the fastest level, as upstream does. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, 16 * 1024);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
