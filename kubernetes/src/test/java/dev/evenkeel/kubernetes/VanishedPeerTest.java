package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.Namespace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections whose other end vanished silently, as when its machine loses power; new ones work. */
@Timeout(300)
class VanishedPeerTest {
    private static final Kind<Namespace> NAMESPACES = Kind.of(Namespace.class);
    private static final ObjectKey KEY = ObjectKey.cluster("default");

    private final Engine engine = Engine.create();
    private final Server server = Server.builder(engine).start();
    private final Wire wire = new Wire(server.url().getPort());

    @AfterEach
    void close() throws IOException {
        wire.close();
        server.close();
        engine.close();
    }

    /** Passes on what is said, until it loses all connections that there are. */
    private static final class Wire {
        final ServerSocket listener;
        final Set<Socket> open = ConcurrentHashMap.newKeySet();
        final Set<Socket> lost = ConcurrentHashMap.newKeySet();

        Wire(int port) {
            try {
                listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            Thread.ofVirtual().start(() -> {
                while (true) {
                    try {
                        Socket near = listener.accept();
                        Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
                        open.add(near);
                        Thread.ofVirtual().start(() -> pass(near, near, far));
                        Thread.ofVirtual().start(() -> pass(near, far, near));
                    } catch (IOException e) {
                        return;
                    }
                }
            });
        }

        private void pass(Socket connection, Socket from, Socket to) {
            byte[] buffer = new byte[8192];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (!lost.contains(connection)) {
                        out.write(buffer, 0, n);
                    }
                }
            } catch (IOException e) {
                // the test is over
            }
        }

        void lose() {
            lost.addAll(open);
        }

        void close() throws IOException {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private KubernetesClient client(Duration timeout) {
        return KubernetesClient.builder(Connection.to(URI.create("https://127.0.0.1:" + wire.listener.getLocalPort()))
                        .ca(server.caCertificate())
                        .token(server.token())
                        .build())
                .requestTimeout(timeout)
                .retry(RetryPolicy.NONE)
                .build();
    }

    /** Else all requests go to the dead connection until TCP gives it up, which takes a quarter of an hour. */
    @Test
    void afterARequestThatWasNotAnsweredOthersGoAnotherWay() {
        // enough for a handshake on a busy machine
        try (KubernetesClient client = client(Duration.ofSeconds(6))) {
            assertThat(client.find(NAMESPACES, KEY)).isPresent();

            wire.lose();
            assertThatThrownBy(() -> client.find(NAMESPACES, KEY))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("no answer in 6000 ms");

            assertThat(client.find(NAMESPACES, KEY)).isPresent();
        }
    }

    /** Elections interrupt what is not answered long before it times out. */
    @Test
    void afterARequestThatWasInterruptedAfterALongWaitOthersGoAnotherWay() throws InterruptedException {
        try (KubernetesClient client = client(Duration.ofSeconds(10))) {
            assertThat(client.find(NAMESPACES, KEY)).isPresent();

            wire.lose();
            CountDownLatch interrupted = new CountDownLatch(1);
            Thread waiting = Thread.ofVirtual().start(() -> {
                try {
                    client.find(NAMESPACES, KEY);
                } catch (RequestInterruptedException e) {
                    interrupted.countDown();
                }
            });
            assertThat(waiting.join(Duration.ofMillis(1500))).isFalse();
            waiting.interrupt();
            interrupted.await();

            assertThat(client.find(NAMESPACES, KEY)).isPresent();
        }
    }
}
