package dev.evenkeel.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A raw kept-alive HTTP/1.1 connection: it sends the given bytes, and opens a new socket only when the server closed
 * the last one. An answer that takes longer than ten seconds is a failure.
 */
final class RawConnection implements AutoCloseable {
    private static final int LONGEST_MILLIS = 10_000;

    private final URI base;
    private final String token;
    private @Nullable Socket socket;
    private InputStream in = InputStream.nullInputStream();

    RawConnection(URI base, String token) {
        this.base = base;
        this.token = token;
    }

    /** An answer; status 0 when there was none, and the reason as the text. */
    record Reply(int status, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    Reply send(String method, String path, String type, byte[] body) {
        try {
            Socket open = socket;
            boolean reused = open != null;
            if (open == null) {
                open = connect();
            }
            try {
                return exchange(open, method, path, type, body);
            } catch (IOException e) {
                close();
                if (!reused || e instanceof java.net.SocketTimeoutException) {
                    throw e;
                }
                // the server may close an idle connection; a fresh one must do
                return exchange(connect(), method, path, type, body);
            }
        } catch (IOException e) {
            close();
            return new Reply(0, e.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Sends bytes on a fresh connection, and reads nothing. */
    void write(byte[] bytes) throws IOException {
        Socket open = connect();
        open.getOutputStream().write(bytes);
        open.getOutputStream().flush();
    }

    private Reply exchange(Socket open, String method, String path, String type, byte[] body) throws IOException {
        String head = method + " " + path + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\nAuthorization: Bearer "
                + token + "\r\nUser-Agent: fuzz/1.0\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length
                + "\r\n\r\n";
        byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = java.util.Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        open.getOutputStream().write(all);
        open.getOutputStream().flush();
        int status = Integer.parseInt(line().split(" ")[1]);
        int length = -1;
        boolean chunked = false;
        boolean close = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(java.util.Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            }
            chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
            close |= lower.startsWith("connection:") && lower.contains("close");
        }
        byte[] answer =
                chunked ? chunks() : length >= 0 ? in.readNBytes(length) : close ? in.readAllBytes() : new byte[0];
        if (close) {
            close();
        }
        return new Reply(status, answer);
    }

    private byte[] chunks() throws IOException {
        var all = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line().split(";")[0].strip(), 16);
            if (size == 0) {
                while (!line().isEmpty()) {
                    // trailers
                }
                return all.toByteArray();
            }
            all.write(in.readNBytes(size));
            line();
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new java.io.EOFException("the server closed the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private Socket connect() throws IOException {
        Socket fresh = base.getScheme().equals("https")
                ? trustAnyone().getSocketFactory().createSocket(base.getHost(), base.getPort())
                : new Socket(base.getHost(), base.getPort());
        fresh.setTcpNoDelay(true);
        fresh.setSoTimeout(LONGEST_MILLIS);
        socket = fresh;
        in = new BufferedInputStream(fresh.getInputStream(), 1 << 16);
        return fresh;
    }

    private static SSLContext trustAnyone() {
        TrustManager anyone = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {anyone}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // it is of no use any more
            }
        }
    }
}
