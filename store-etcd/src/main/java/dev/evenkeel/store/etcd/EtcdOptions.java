package dev.evenkeel.store.etcd;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A store of an engine on etcd, version 3.4 or newer:
 *
 * <pre>{@code
 * try (Engine engine = Engine.builder().store(EtcdOptions.at("http://127.0.0.1:2379")).build()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Engines with the same endpoints and prefix share their objects. A commit survives what etcd survives: the loss of a
 * minority of its members.
 *
 * @param endpoints the members of etcd, such as {@code http://127.0.0.1:2379} or {@code https://etcd-0.example:2379}; one is
 *     used at a time, and the next one when it does not answer
 * @param prefix what all keys begin with; default: {@code /evenkeel/}
 * @param credentials user and password; default: none
 * @param tls certificates for {@code https}; default: those that the Java runtime trusts
 * @param window how much history to keep in memory; default: 100,000 events, 5 minutes
 * @param compaction how often etcd's history of more than this age is forgotten, by one of the engines that share it; zero
 *     for never, if others compact it; default: 5 minutes
 * @param timeout how long a commit or a read waits for etcd; default: 5 seconds
 */
public record EtcdOptions(
        List<String> endpoints,
        String prefix,
        Optional<EtcdCredentials> credentials,
        Optional<EtcdTls> tls,
        MemoryStore.Window window,
        Duration compaction,
        Duration timeout)
        implements Store.Factory {
    /**
     * Creates options.
     *
     * @throws IllegalArgumentException when an endpoint is not an address, or the prefix does not begin and end with a slash
     */
    public EtcdOptions {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("endpoints: at least one is needed, such as http://127.0.0.1:2379");
        }
        endpoints.forEach(Endpoint::parse);
        if (!prefix.startsWith("/") || !prefix.endsWith("/")) {
            throw new IllegalArgumentException(
                    "prefix \"" + prefix + "\": must begin and end with a slash, such as /evenkeel/");
        }
        if (compaction.isNegative()) {
            throw new IllegalArgumentException("compaction " + compaction + ": must not be negative");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout " + timeout + ": must be positive");
        }
    }

    /** Returns the defaults for some members of an etcd. */
    public static EtcdOptions at(String... endpoints) {
        return new EtcdOptions(
                List.of(endpoints),
                "/evenkeel/",
                Optional.empty(),
                Optional.empty(),
                MemoryStore.Window.DEFAULT,
                Duration.ofMinutes(5),
                Duration.ofSeconds(5));
    }

    /** Returns a copy with this prefix. */
    public EtcdOptions prefix(String value) {
        return new EtcdOptions(endpoints, value, credentials, tls, window, compaction, timeout);
    }

    /** Returns a copy with a user and a password. */
    public EtcdOptions credentials(String user, String password) {
        return new EtcdOptions(
                endpoints, prefix, Optional.of(new EtcdCredentials(user, password)), tls, window, compaction, timeout);
    }

    /** Returns a copy with these certificates. */
    public EtcdOptions tls(EtcdTls value) {
        return new EtcdOptions(endpoints, prefix, credentials, Optional.of(value), window, compaction, timeout);
    }

    /** Returns a copy with this window. */
    public EtcdOptions window(MemoryStore.Window value) {
        return new EtcdOptions(endpoints, prefix, credentials, tls, value, compaction, timeout);
    }

    /** Returns a copy with this interval of compaction. */
    public EtcdOptions compaction(Duration value) {
        return new EtcdOptions(endpoints, prefix, credentials, tls, window, value, timeout);
    }

    /** Returns a copy with this timeout. */
    public EtcdOptions timeout(Duration value) {
        return new EtcdOptions(endpoints, prefix, credentials, tls, window, compaction, value);
    }

    /**
     * Opens the store: loads the objects, and the history that etcd still has, up to the window and 10,000 revisions.
     *
     * @throws dev.evenkeel.engine.spi.StoreException when etcd does not answer, or refuses the credentials
     */
    @Override
    public Store open(Store.Context context) {
        return EtcdStore.open(this, context);
    }
}
