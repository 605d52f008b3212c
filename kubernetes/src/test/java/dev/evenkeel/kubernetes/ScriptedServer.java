package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A server that says, byte by byte, what a test wants: one step of the script for each request. */
final class ScriptedServer implements AutoCloseable {
    /** Answers a request. The connection ends after it. */
    interface Step {
        void answer(String request, OutputStream out) throws IOException, InterruptedException;
    }

    final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch over = new CountDownLatch(1);
    private final Queue<Step> script = new ConcurrentLinkedQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ServerSocket listener;

    ScriptedServer(Step... steps) {
        script.addAll(List.of(steps));
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(() -> {
            while (true) {
                try {
                    Socket socket = listener.accept();
                    open.add(socket);
                    Thread.ofVirtual().start(() -> serve(socket));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    private void serve(Socket socket) {
        try (socket) {
            String request = request(socket.getInputStream());
            requests.add(request);
            Step step = script.poll();
            if (step != null) {
                step.answer(request, socket.getOutputStream());
                socket.getOutputStream().flush();
            }
        } catch (IOException | InterruptedException e) {
            // the client had enough
        } finally {
            open.remove(socket);
        }
    }

    private static String request(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.append((char) next);
        }
        int length = 0;
        for (String line : head.toString().split("\r\n")) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return head + new String(in.readNBytes(length), UTF_8);
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** Waits until the test is over. */
    void hang() throws InterruptedException {
        over.await();
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** A whole answer. */
    static Step answer(String status, String headers, String body) {
        return (unused, out) -> out.write(whole(status, headers, bytes(body)));
    }

    static byte[] whole(String status, String headers, byte[] body) {
        byte[] head = ("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nConnection: close\r\n" + headers
                        + "Content-Length: " + body.length + "\r\n\r\n")
                .getBytes(ISO_8859_1);
        byte[] all = java.util.Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }

    /** The head of an answer in chunks. */
    static byte[] chunked() {
        return bytes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    static void chunk(OutputStream out, byte[] content) throws IOException {
        out.write(bytes(Integer.toHexString(content.length) + "\r\n"));
        out.write(content);
        out.write(bytes("\r\n"));
        out.flush();
    }

    static void end(OutputStream out) throws IOException {
        out.write(bytes("0\r\n\r\n"));
        out.flush();
    }

    @Override
    public void close() {
        over.countDown();
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
