package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.StatusDocument;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Answers what never becomes a request of the API, such as malformed HTTP, with a Status that shows no internals. */
public final class Errors extends ErrorHandler {
    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, HttpExchange.JSON);
        response.write(true, ByteBuffer.wrap(status(code)), callback);
    }

    private static byte[] status(int code) {
        String message = HttpStatus.getMessage(code);
        return Json.write(StatusDocument.failure(Status.of(code, message.replace(" ", ""), message)));
    }
}
