package dev.evenkeel.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A network between clients and a port of this machine, which can be cut and restored. */
final class Network implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    Network(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("network").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Breaks all connections, and refuses new ones. */
    void cut() {
        cut = true;
        breakAll();
    }

    /** Breaks all connections; new ones are accepted. */
    void breakAll() {
        sockets.forEach(Network::end);
    }

    void restore() {
        cut = false;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (cut) {
                    end(client);
                    continue;
                }
                join(client);
            } catch (IOException e) {
                // closed, or the server is unreachable: the client sees a connection that breaks
            }
        }
    }

    private void join(Socket client) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            end(client);
            throw e;
        }
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        sockets.add(client);
        sockets.add(server);
        if (cut) {
            end(client);
        }
        Thread.ofVirtual().start(() -> copy(client, server));
        Thread.ofVirtual().start(() -> copy(server, client));
    }

    private void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // cut
        } finally {
            end(from);
            end(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // already unusable
        }
    }

    @Override
    public void close() {
        cut = true;
        try {
            listener.close();
        } catch (IOException e) {
            // closed: the acceptor has ended anyway
        }
        breakAll();
    }
}
