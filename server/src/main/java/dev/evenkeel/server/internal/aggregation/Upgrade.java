package dev.evenkeel.server.internal.aggregation;

import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Transport;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A request that asks the server of an API to change the protocol of its connection: a watch over WebSocket, or {@code
 * exec}. If the server agrees, the connections of both sides become one; otherwise its answer is that of the request.
 *
 * <p>The client of the JDK refuses to send such requests, so this one is written and read here, over HTTP/1.1.
 */
record Upgrade(HttpExchange call, HttpRequest request, byte[] body, Socket server) {
    private static final int LONGEST_MILLIS = 60_000;
    private static final int LONGEST_HEAD = 64 * 1024;
    private static final int LONGEST_ANSWER = 8 * 1024 * 1024;

    private record Header(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    /** Sends the request, and answers it; returns when it is answered, or the tunnel is open. */
    void run(String protocol) throws IOException {
        boolean open = false;
        try {
            server.setSoTimeout(LONGEST_MILLIS);
            server.getOutputStream().write(head(protocol));
            server.getOutputStream().write(body);
            server.getOutputStream().flush();
            InputStream in = new BufferedInputStream(server.getInputStream());
            String status = line(in, LONGEST_HEAD);
            List<Header> headers = headers(in);
            int code = code(status);
            Transport transport = call.transport();
            transport.status(code);
            boolean agreed = code == 101;
            for (Header header : headers) {
                String name = header.name.toLowerCase(Locale.ROOT);
                if (agreed ? !name.equals("content-length") : Forwarder.isPassedBack(name)) {
                    transport.addHeader(header.name, header.value);
                }
            }
            if (agreed) {
                open = true;
                server.setSoTimeout(0);
                transport.tunnel(in, server);
            } else {
                byte[] content = content(in, headers);
                call.write(true, ByteBuffer.wrap(content));
                call.finish();
            }
        } finally {
            if (!open) {
                server.close();
            }
        }
    }

    private byte[] head(String protocol) {
        URI uri = request.uri();
        String query = uri.getRawQuery();
        StringBuilder head = new StringBuilder(request.method())
                .append(' ')
                .append(uri.getRawPath())
                .append(query == null ? "" : "?" + query)
                .append(" HTTP/1.1\r\nHost: ")
                .append(uri.getAuthority())
                .append("\r\nConnection: Upgrade\r\nUpgrade: ")
                .append(protocol)
                .append("\r\n");
        if (body.length > 0 || !request.method().equals("GET")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        // the client of the JDK has checked that names and values are some
        request.headers()
                .map()
                .forEach((name, values) -> values.forEach(
                        value -> head.append(name).append(": ").append(value).append("\r\n")));
        return head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static int code(String status) throws IOException {
        String[] parts = status.split(" ", 3);
        if (parts.length < 2 || !parts[0].startsWith("HTTP/1.") || !parts[1].matches("[1-5][0-9][0-9]")) {
            throw new IOException("malformed HTTP response");
        }
        return Integer.parseInt(parts[1]);
    }

    private static List<Header> headers(InputStream in) throws IOException {
        List<Header> headers = new ArrayList<>();
        int left = LONGEST_HEAD;
        for (String line = line(in, left); !line.isEmpty(); line = line(in, left)) {
            left -= line.length();
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new IOException("malformed HTTP response");
            }
            headers.add(new Header(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        return headers;
    }

    private static String line(InputStream in, int most) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("the server has closed the connection");
            }
            if (line.size() >= most) {
                throw new IOException("the head of the response is too long");
            }
            line.write(octet);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /** Reads the content of a refusal. */
    private static byte[] content(InputStream in, List<Header> headers) throws IOException {
        Optional<String> length = value(headers, "Content-Length");
        if (value(headers, "Transfer-Encoding").orElse("").equalsIgnoreCase("chunked")) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int size = size(line(in, LONGEST_HEAD)); size > 0; size = size(line(in, LONGEST_HEAD))) {
                if (all.size() + size > LONGEST_ANSWER) {
                    throw new IOException("the response is too long");
                }
                all.write(exactly(in, size));
                String unused = line(in, LONGEST_HEAD);
            }
            return all.toByteArray();
        }
        if (length.isEmpty()) {
            return in.readNBytes(LONGEST_ANSWER);
        }
        try {
            return exactly(in, Math.min(LONGEST_ANSWER, Integer.parseInt(length.get())));
        } catch (NumberFormatException e) {
            throw new IOException("malformed HTTP response", e);
        }
    }

    private static int size(String line) throws IOException {
        int semicolon = line.indexOf(';');
        try {
            return Integer.parseInt((semicolon < 0 ? line : line.substring(0, semicolon)).strip(), 16);
        } catch (NumberFormatException e) {
            throw new IOException("malformed HTTP response", e);
        }
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the server has closed the connection");
        }
        return bytes;
    }

    private static Optional<String> value(List<Header> headers, String name) {
        return headers.stream()
                .filter(header -> header.is(name))
                .map(Header::value)
                .findFirst();
    }
}
