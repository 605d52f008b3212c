package dev.evenkeel.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A client of one HTTP/1.1 connection that does as little work as possible: it shares the machine with the server, so
 * its own work counts against both servers, and more against the faster one.
 */
final class HttpConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String mediaType;
    private final String host;
    private final byte[] buffer = new byte[64 * 1024];
    private int position;
    private int end;
    private long bodyBytes;

    HttpConnection(int port) throws IOException {
        this(port, "application/json");
    }

    /** Connects a client that accepts and sends this media type; its patches are in JSON. */
    HttpConnection(int port, String mediaType) throws IOException {
        this.mediaType = mediaType;
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        in = socket.getInputStream();
        out = socket.getOutputStream();
        host = " HTTP/1.1\r\nHost: localhost:" + port + "\r\nAccept: " + mediaType + "\r\n";
    }

    /** Sends a request, reads the whole answer, and fails unless its code is the expected one. */
    void call(String method, String path, byte[] body, int expected) throws IOException {
        String head = method + " " + path + host
                + (body.length == 0
                        ? "\r\n"
                        : "Content-Type: " + (method.equals("PATCH") ? "application/merge-patch+json" : mediaType)
                                + "\r\nContent-Length: " + body.length + "\r\n\r\n");
        byte[] request = Arrays.copyOf(head.getBytes(StandardCharsets.ISO_8859_1), head.length() + body.length);
        System.arraycopy(body, 0, request, head.length(), body.length);
        out.write(request);
        int code = answer();
        if (code != expected) {
            throw new IOException(method + " " + path + " was answered with " + code + " instead of " + expected);
        }
    }

    long bodyBytes() {
        return bodyBytes;
    }

    private int answer() throws IOException {
        String status = line();
        int code = Integer.parseInt(status, 9, 12, 10);
        long length = -1;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = lower.endsWith("chunked");
            }
        }
        bodyBytes = 0;
        if (chunked) {
            for (long chunk = Long.parseLong(line(), 16); chunk > 0; chunk = Long.parseLong(line(), 16)) {
                skip(chunk);
                line();
            }
            line();
        } else {
            skip(Math.max(0, length));
        }
        return code;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        while (true) {
            if (position == end) {
                fill();
            }
            char c = (char) (buffer[position++] & 0xff);
            if (c == '\n') {
                return line.toString();
            }
            if (c != '\r') {
                line.append(c);
            }
        }
    }

    private void skip(long count) throws IOException {
        bodyBytes += count;
        long left = count;
        while (left > 0) {
            if (position == end) {
                fill();
            }
            int step = (int) Math.min(left, end - position);
            position += step;
            left -= step;
        }
    }

    private void fill() throws IOException {
        position = 0;
        end = in.read(buffer);
        if (end < 0) {
            end = 0;
            throw new EOFException("the server closed the connection");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
