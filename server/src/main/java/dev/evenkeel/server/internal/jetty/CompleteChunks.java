package dev.evenkeel.server.internal.jetty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Sends each chunk of HTTP/1.1 with its end.
 *
 * <p><b>Problem.</b> A chunk ends with a line break. Jetty sends it with the chunk that follows, which saves a few bytes; a client
 * that waits for it, as Python's urllib3 does, then receives each event of a watch when the next one happens. So the chunks are
 * written here, between the headers and the last chunk, which Jetty writes.
 */
public final class CompleteChunks extends Handler.Wrapper {
    private static final byte[] LINE_BREAK = {'\r', '\n'};

    /** Creates the handler around that of the API. */
    public CompleteChunks(Handler api) {
        super(api);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        boolean chunked = request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1
                && request.getMethod().equals("GET")
                && !request.getHeaders().contains(HttpHeader.UPGRADE);
        return super.handle(request, chunked ? new Chunks(request, response) : response, callback);
    }

    /** Used by one thread at a time, as each write follows the end of the one before. */
    private static final class Chunks extends Response.Wrapper {
        private boolean begun;
        private boolean own;

        Chunks(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer bytes, Callback done) {
            if (!begun) {
                begun = true;
                own = !last && !getHeaders().contains(HttpHeader.CONTENT_LENGTH);
                if (own) {
                    getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
                    super.write(false, BufferUtil.EMPTY_BUFFER, then(() -> write(false, bytes, done), done));
                    return;
                }
            }
            if (!own) {
                super.write(last, bytes, done);
            } else if (BufferUtil.isEmpty(bytes)) {
                if (last) {
                    super.write(true, BufferUtil.EMPTY_BUFFER, done);
                } else {
                    done.succeeded();
                }
            } else {
                Callback next = last ? then(() -> super.write(true, BufferUtil.EMPTY_BUFFER, done), done) : done;
                byte[] size = (Integer.toHexString(bytes.remaining()) + "\r\n").getBytes(US_ASCII);
                endPoint().write(next, ByteBuffer.wrap(size), bytes, ByteBuffer.wrap(LINE_BREAK));
            }
        }

        private EndPoint endPoint() {
            return getRequest().getConnectionMetaData().getConnection().getEndPoint();
        }

        private static Callback then(Runnable next, Callback failed) {
            return Callback.from(next, failed::failed);
        }
    }
}
