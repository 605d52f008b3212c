package dev.evenkeel.soak.torture;

import dev.evenkeel.client.RetryPolicy;
import dev.evenkeel.kubernetes.KubernetesClient;
import java.time.Duration;

/** A server, and the clients that use it. */
final class Server {
    private final Victim victim;
    private final Duration requestTimeout;
    private final Gate gate = new Gate();
    private volatile KubernetesClient client;

    Server(Victim victim, Duration requestTimeout) {
        this.victim = victim;
        this.requestTimeout = requestTimeout;
        client = connect();
    }

    private KubernetesClient connect() {
        return KubernetesClient.builder(victim.connection())
                .retry(RetryPolicy.NONE)
                .requestTimeout(requestTimeout)
                .build();
    }

    Victim victim() {
        return victim;
    }

    /** The gate that users pass; closed while the server is down. */
    Gate gate() {
        return gate;
    }

    KubernetesClient client() {
        return client;
    }

    /** Connects to the process that replaces a killed one. */
    void reconnect() {
        client.close();
        client = connect();
    }

    /** Ends all requests, and lets all users pass. */
    void abandon() {
        gate.open();
        client.close();
    }
}
