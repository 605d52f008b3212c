package dev.evenkeel.server.internal.aggregation;

import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.service.RemoteApis.Api;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Sends a request to the server of an API, and its answer back as it arrives, which for a watch is when events happen.
 *
 * <p>Headers name the user for the server; credentials of the client, and headers by which it might claim to be another
 * user, are left out. A redirect is refused, since it could lead the client anywhere.
 */
record Forwarder(RemoteServers servers) {
    private static final int PIECE = 32 * 1024;
    /** Those about one connection only, those that the client of the JDK sets, and those about the user. */
    private static final Set<String> DROPPED = Set.of(
            "authorization",
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    void forward(HttpExchange call, ResourceApi partition, Api api) {
        if (!api.available()) {
            call.text(503, "service unavailable\n");
            return;
        }
        String protocol = call.header("Upgrade");
        if (!protocol.isEmpty() && !protocol.equals("h2c")) {
            upgrade(call, partition, api, protocol);
            return;
        }
        HttpResponse<InputStream> answer;
        try {
            URI address = servers.address(partition, api);
            answer =
                    servers.client(api, address).send(request(call, address, body(call)), BodyHandlers.ofInputStream());
        } catch (IOException e) {
            call.text(503, "error trying to reach service: " + reason(e) + "\n");
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            call.text(503, "error trying to reach service: interrupted\n");
            return;
        }
        int code = answer.statusCode();
        if (code >= 300 && code < 400 && code != 304) {
            close(answer.body());
            call.text(502, "the backend attempted to redirect this request, which is not permitted\n");
            return;
        }
        copy(call, answer);
    }

    private void upgrade(HttpExchange call, ResourceApi partition, Api api, String protocol) {
        try {
            URI address = servers.address(partition, api);
            byte[] body = body(call);
            HttpRequest request = request(call, address, body);
            new Upgrade(call, request, body, servers.connect(api, address)).run(protocol);
        } catch (IOException e) {
            call.text(503, "error trying to reach service: " + reason(e) + "\n");
        }
    }

    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isEmpty() ? failure.getClass().getSimpleName() : message;
    }

    private static byte[] body(HttpExchange call) {
        Transport transport = call.transport();
        return transport.withoutBody() || call.method().equals("GET") ? new byte[0] : transport.body();
    }

    private static HttpRequest request(HttpExchange call, URI address, byte[] body) {
        Transport transport = call.transport();
        String query = transport.query();
        String path = transport.path().substring(call.path().prefix().length());
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(address + path + (query.isEmpty() ? "" : "?" + query)))
                .method(call.method(), body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        for (String name : transport.headers()) {
            if (isForwarded(name.toLowerCase(Locale.ROOT))) {
                transport.headers(name).forEach(value -> request.header(name, value));
            }
        }
        request.setHeader("Audit-Id", call.auditId());
        List<String> addresses = call.origin().sourceIps();
        if (!addresses.isEmpty()) {
            request.setHeader("X-Forwarded-For", String.join(", ", addresses));
        }
        RemoteServers.identify(request, call.user());
        return request.build();
    }

    private static boolean isForwarded(String header) {
        return !DROPPED.contains(header) && !header.startsWith("x-remote-") && !header.startsWith("impersonate-");
    }

    /** Returns whether a header of an answer, in small letters, is sent to the client. */
    static boolean isPassedBack(String header) {
        return !DROPPED.contains(header);
    }

    private static void copy(HttpExchange call, HttpResponse<InputStream> answer) {
        Transport transport = call.transport();
        transport.status(answer.statusCode());
        answer.headers().map().forEach((name, values) -> {
            String header = name.toLowerCase(Locale.ROOT);
            if (!header.startsWith(":") && (header.equals("content-length") || isPassedBack(header))) {
                transport.setHeader(name, values.getFirst());
                values.stream().skip(1).forEach(value -> transport.addHeader(name, value));
            }
        });
        byte[] piece = new byte[PIECE];
        try (InputStream body = answer.body()) {
            if (answer.headers().firstValue("Content-Length").isEmpty()) {
                call.write(false, ByteBuffer.allocate(0)); // the client of a watch waits for the headers
            }
            for (int length = body.read(piece); length >= 0; length = body.read(piece)) {
                call.write(false, ByteBuffer.wrap(piece, 0, length));
            }
            call.write(true, ByteBuffer.allocate(0));
            call.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // its content is not used
        }
    }
}
