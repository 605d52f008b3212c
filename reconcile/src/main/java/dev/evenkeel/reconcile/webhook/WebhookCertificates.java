package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.security.cert.CertificateParsingException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of webhooks, and the authority that API servers trust, in a Secret that all replicas share. They are
 * created when missing and renewed in time; nothing but the API is needed for that.
 *
 * <h2>The problem</h2>
 *
 * <p>An API server only calls a webhook with a certificate of the authority in its {@code caBundle}. Several replicas
 * answer, some of them older than others, and each may be called at any moment: also while the certificate changes, and
 * while the authority does.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The presented certificate is signed by an authority of {@link #caBundle}, which is in it some time before it
 *       signs, and stays until it expires.
 *   <li>A certificate is renewed when two thirds of its life are over. Its authority gets a successor when two thirds
 *       of its own are, which signs when five sixths are; a certificate never lives longer than its authority.
 *   <li>A replica that finds another one's renewal uses that. When the Secret is deleted it is written again as it was.
 *   <li>When the API is unavailable, the current certificate stays, and the renewal is retried a minute later.
 * </ol>
 *
 * <p>The certificate is read each time a client connects; that is a look at the clock. {@link CaBundles} keeps the
 * authorities in the configurations.
 */
public final class WebhookCertificates implements Supplier<ServerCertificate> {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookCertificates.class);
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final int ATTEMPTS = 8;

    private final Client client;
    private final ObjectKey secret;
    private final List<String> hosts;
    private final Clock clock;
    private final Duration life;
    private final Duration authorityLife;
    private volatile @Nullable Held held;

    /** The state of this process, and the time of the next refresh. */
    private record Held(WebhookSecret state, Instant refresh) {}

    private WebhookCertificates(Builder builder) {
        client = builder.client;
        secret = builder.secret;
        hosts = List.copyOf(builder.hosts);
        clock = builder.clock;
        life = builder.life;
        authorityLife = builder.authorityLife;
    }

    /**
     * Returns a builder of certificates.
     *
     * @param client reads and writes the Secret: it may get, create and update it
     * @param secret the key of the Secret
     */
    public static Builder in(Client client, ObjectKey secret) {
        return new Builder(client, secret);
    }

    /** Returns the certificate to present now. */
    @Override
    public ServerCertificate get() {
        return present().state().server();
    }

    /** Returns the authorities to trust now, in PEM. */
    public String caBundle() {
        return present().state().bundle();
    }

    /** Returns the time of the next refresh. */
    public Instant refreshesAt() {
        return present().refresh();
    }

    /** Returns the key of the Secret. */
    public ObjectKey secret() {
        return secret;
    }

    private Held present() {
        Held now = held;
        return now != null && clock.instant().isBefore(now.refresh()) ? now : refreshed(now);
    }

    private synchronized Held refreshed(@Nullable Held before) {
        Held now = held;
        if (now != null && !now.equals(before)) {
            // another thread has done it meanwhile
            return now;
        }
        try {
            return refresh();
        } catch (RuntimeException e) {
            if (now == null) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("secret", secret)
                    .addKeyValue("ends", now.state().server().ends())
                    .setCause(e)
                    .log("the certificate of webhooks cannot be renewed now");
            Held later = new Held(now.state(), clock.instant().plus(AGAIN));
            held = later;
            return later;
        }
    }

    /** Reads the Secret now, and brings it up to date. */
    public synchronized void look() {
        var unused = refresh();
    }

    private Held refresh() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Secret> stored = client.find(Secret.class, secret);
            Optional<WebhookSecret> there = stored.flatMap(WebhookSecret::read)
                    .or(() -> Optional.ofNullable(held).map(Held::state));
            WebhookSecret wanted = advanced(there);
            try {
                if (stored.isEmpty()) {
                    Secret unused = client.create(wanted.written(named()));
                } else if (there.isEmpty()
                        || !wanted.equals(there.get())
                        || WebhookSecret.read(stored.get()).isEmpty()) {
                    Secret unused = client.update(wanted.written(stored.get()));
                }
            } catch (AlreadyExistsException | ConflictException | NotFoundException e) {
                // another replica was faster
                if (e instanceof NotFoundException && stored.isEmpty()) {
                    throw e;
                }
                continue;
            }
            Held now = new Held(wanted, due(wanted));
            held = now;
            return now;
        }
        throw new IllegalStateException("Secret " + secret + " changed " + ATTEMPTS
                + " times while the certificates of webhooks were written: something else writes it, too");
    }

    /** Returns the Secret, still empty. */
    private Secret named() {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(secret.namespace())
                .withName(secret.name())
                .endMetadata()
                .withType("kubernetes.io/tls")
                .build();
    }

    /** Returns the state that should be stored now. */
    private WebhookSecret advanced(Optional<WebhookSecret> there) {
        Instant now = clock.instant();
        CertificateAuthority authority = there.map(WebhookSecret::authority)
                .filter(one -> now.isBefore(one.ends()))
                .orElseGet(() -> authority(now));
        Optional<CertificateAuthority> previous =
                there.flatMap(WebhookSecret::previous).filter(one -> now.isBefore(one.ends()));
        Optional<CertificateAuthority> next = there.flatMap(WebhookSecret::next);
        if (next.isPresent() && !now.isBefore(at(authority.begins(), authority.ends(), 5, 6))) {
            previous = Optional.of(authority);
            authority = next.get();
            next = Optional.empty();
        } else if (next.isEmpty() && !now.isBefore(at(authority.begins(), authority.ends(), 2, 3))) {
            next = Optional.of(authority(now));
        }
        CertificateAuthority signer = authority;
        ServerCertificate server = there.map(WebhookSecret::server)
                .filter(one -> now.isBefore(at(one.begins(), one.ends(), 2, 3)))
                .filter(one -> one.chain().getLast().equals(signer.certificate()))
                .filter(one -> names(one).containsAll(hosts))
                .orElseGet(() -> signer.issue(
                        "evenkeel-webhooks",
                        hosts,
                        now,
                        Collections.min(List.of(life, Duration.between(now, signer.ends())))));
        return new WebhookSecret(server, authority, next, previous);
    }

    private CertificateAuthority authority(Instant now) {
        return CertificateAuthority.create("evenkeel-webhooks-ca", now, authorityLife);
    }

    private static Set<String> names(ServerCertificate certificate) {
        try {
            Collection<List<?>> names = certificate.certificate().getSubjectAlternativeNames();
            return names == null
                    ? Set.of()
                    : names.stream().map(name -> String.valueOf(name.get(1))).collect(Collectors.toSet());
        } catch (CertificateParsingException e) {
            return Set.of();
        }
    }

    private static Instant at(Instant begins, Instant ends, int numerator, int denominator) {
        return begins.plus(
                Duration.between(begins, ends).multipliedBy(numerator).dividedBy(denominator));
    }

    private static Instant due(WebhookSecret state) {
        Instant server = at(state.server().begins(), state.server().ends(), 2, 3);
        CertificateAuthority authority = state.authority();
        boolean waits = state.next().isPresent();
        Instant step = at(authority.begins(), authority.ends(), waits ? 5 : 2, waits ? 6 : 3);
        return server.isBefore(step) ? server : step;
    }

    /** Builds certificates. */
    public static final class Builder {
        private final Client client;
        private final ObjectKey secret;
        private final Set<String> hosts = new HashSet<>();
        private Clock clock = Clock.systemUTC();
        private Duration life = Duration.ofDays(90);
        private Duration authorityLife = Duration.ofDays(3650);

        private Builder(Client client, ObjectKey secret) {
            this.client = client;
            this.secret = secret;
        }

        /** Adds a host name or address of the webhooks; at least one, or a {@link #service}, is required. */
        public Builder host(String value) {
            hosts.add(value);
            return this;
        }

        /** Adds the names of the webhooks' service. */
        public Builder service(ObjectKey service) {
            return host(service.name() + "." + service.namespace() + ".svc");
        }

        /** Sets the clock; default: the system's. */
        public Builder clock(Clock value) {
            clock = value;
            return this;
        }

        /** Sets the validity of a certificate; default: 90 days, of which it is presented 60. */
        public Builder life(Duration value) {
            life = value;
            return this;
        }

        /** Sets the validity of an authority; default: 10 years. */
        public Builder authorityLife(Duration value) {
            authorityLife = value;
            return this;
        }

        /**
         * Returns the certificates; the Secret is read at their first use.
         *
         * @throws IllegalStateException when something is missing
         */
        public WebhookCertificates build() {
            if (hosts.isEmpty()) {
                throw new IllegalStateException("WebhookCertificates must define host: set host(...) or service(...),"
                        + " by which API servers reach the webhooks");
            }
            return new WebhookCertificates(this);
        }
    }
}
