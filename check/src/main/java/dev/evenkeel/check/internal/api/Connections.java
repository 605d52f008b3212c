package dev.evenkeel.check.internal.api;

import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/** Ends answers early: the connection of HTTP/1.1, the stream of HTTP/2. */
final class Connections {
    private Connections() {}

    static void cut(Request request) {
        Connection connection = request.getConnectionMetaData().getConnection();
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2) {
            connection.getEndPoint().close(new EofException("cut by the check"));
        } else if (connection instanceof HTTP2Connection http2) {
            Stream stream = http2.getSession().getStream(Integer.parseInt(request.getId()));
            if (stream != null) {
                stream.reset(new ResetFrame(stream.getId(), ErrorCode.INTERNAL_ERROR.code), Callback.NOOP);
            }
        }
    }
}
