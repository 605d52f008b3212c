package dev.evenkeel.store.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A network between a client and a server, which can be cut. */
final class TcpProxy implements AutoCloseable {
    private final InetSocketAddress server;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final int port;
    private ServerSocket listener;

    TcpProxy(String url) throws IOException {
        URI uri = URI.create(url);
        server = new InetSocketAddress(uri.getHost(), uri.getPort());
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        port = listener.getLocalPort();
        accept(listener);
    }

    /** Returns the address that clients connect to. */
    String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    private void accept(ServerSocket socket) {
        Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    Socket client = socket.accept();
                    Socket target = new Socket();
                    connections.add(client);
                    connections.add(target);
                    target.connect(server);
                    pump(client, target);
                    pump(target, client);
                }
            } catch (IOException e) {
                // cut
            }
        });
    }

    private static void pump(Socket from, Socket to) {
        Thread.startVirtualThread(() -> {
            try (from;
                    to;
                    InputStream in = from.getInputStream()) {
                in.transferTo(to.getOutputStream());
            } catch (IOException e) {
                // closed by one of the sides, or cut
            }
        });
    }

    /** Closes all connections, and refuses new ones. */
    void cut() throws IOException {
        listener.close();
        for (Socket socket : connections) {
            socket.close();
        }
        connections.clear();
    }

    /** Accepts connections again. */
    void mend() throws IOException {
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        accept(listener);
    }

    @Override
    public void close() throws IOException {
        cut();
    }
}
