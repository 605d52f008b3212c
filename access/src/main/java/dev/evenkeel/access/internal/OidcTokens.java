package dev.evenkeel.access.internal;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.evenkeel.access.OidcProvider;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Tokens;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates users by the ID tokens of an OpenID Connect provider.
 *
 * <p>The provider's discovery document is read when its first token arrives, and again after a while if that failed. Its
 * keys are cached, and read again when a token names an unknown one, at a limited rate.
 */
final class OidcTokens {
    private static final Logger LOG = LoggerFactory.getLogger(OidcTokens.class);
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final int TIMEOUT_MILLIS = 5000;
    private static final int MAX_BYTES = 1 << 20;

    private final OidcProvider provider;
    private final InstantSource clock;
    private final DefaultResourceRetriever documents;
    private volatile @Nullable DefaultJWTProcessor<SecurityContext> processor;
    private volatile Instant next = Instant.MIN;

    OidcTokens(OidcProvider provider, InstantSource clock) {
        this.provider = provider;
        this.clock = clock;
        documents = provider.caPem().isEmpty()
                ? new DefaultResourceRetriever(TIMEOUT_MILLIS, TIMEOUT_MILLIS, MAX_BYTES)
                : new DefaultResourceRetriever(
                        TIMEOUT_MILLIS, TIMEOUT_MILLIS, MAX_BYTES, true, trusting(provider.caPem()));
    }

    private static SSLSocketFactory trusting(String caPem) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate certificate : CertificateAuthority.trusted(caPem)) {
                store.setCertificateEntry("ca-" + store.size(), certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the OpenID issuer's CA cannot be used: " + e.getMessage(), e);
        }
    }

    boolean issued(String issuer) {
        return provider.issuer().toString().equals(issuer);
    }

    Tokens.Review review(SignedJWT token, List<String> audiences) {
        DefaultJWTProcessor<SecurityContext> ready = processor();
        if (ready == null) {
            return Tokens.Review.invalid("oidc: authenticator not initialized");
        }
        try {
            JWTClaimsSet claims = ready.process(token, null);
            return Tokens.Review.of(user(claims), audiences);
        } catch (BadJOSEException | JOSEException | IllegalArgumentException e) {
            return Tokens.Review.invalid("oidc: verify token: " + e.getMessage());
        }
    }

    private @Nullable DefaultJWTProcessor<SecurityContext> processor() {
        DefaultJWTProcessor<SecurityContext> ready = processor;
        if (ready != null) {
            return ready;
        }
        synchronized (this) {
            if (processor == null && !clock.instant().isBefore(next)) {
                try {
                    processor = discover();
                } catch (IOException | JsonException | IllegalArgumentException e) {
                    next = clock.instant().plus(RETRY);
                    LOG.warn("the OpenID issuer {} cannot be read: {}", provider.issuer(), e.getMessage());
                }
            }
            return processor;
        }
    }

    private DefaultJWTProcessor<SecurityContext> discover() throws IOException {
        String base = provider.issuer().toString();
        URL url = URI.create((base.endsWith("/") ? base : base + "/") + ".well-known/openid-configuration")
                .toURL();
        byte[] text = documents.retrieveResource(url).getContent().getBytes(StandardCharsets.UTF_8);
        JsonObject document = Json.parseObject(text, JsonLimits.DEFAULT);
        if (!document.string("issuer").equals(base)) {
            throw new IOException("its discovery document names another issuer: " + document.string("issuer"));
        }
        URI keys = URI.create(document.string("jwks_uri"));
        if (!"https".equals(keys.getScheme())
                && !"http".equals(provider.issuer().getScheme())) {
            throw new IOException("its keys are not at an https URL: " + keys);
        }
        Set<JWSAlgorithm> algorithms = new HashSet<>(JWSAlgorithm.Family.RSA);
        algorithms.addAll(JWSAlgorithm.Family.EC);
        DefaultJWTProcessor<SecurityContext> made = new DefaultJWTProcessor<>();
        made.setJWSKeySelector(new JWSVerificationKeySelector<>(
                algorithms,
                JWKSourceBuilder.create(keys.toURL(), documents).retrying(true).build()));
        made.setJWTClaimsSetVerifier(new ClaimsVerifier(provider, clock));
        return made;
    }

    /** Checks issuer, audience and times, by the clock of the server. */
    private static final class ClaimsVerifier extends DefaultJWTClaimsVerifier<SecurityContext> {
        private final InstantSource clock;

        ClaimsVerifier(OidcProvider provider, InstantSource clock) {
            super(
                    provider.clientId(),
                    new JWTClaimsSet.Builder()
                            .issuer(provider.issuer().toString())
                            .build(),
                    Set.of("exp", "iss", "aud"));
            this.clock = clock;
            setMaxClockSkew(0);
        }

        @Override
        protected Date currentTime() {
            return Date.from(clock.instant());
        }
    }

    /** Returns the user that the claims name. */
    private User user(JWTClaimsSet claims) {
        String claim = provider.usernameClaim();
        if (!(claims.getClaim(claim) instanceof String name) || name.isEmpty()) {
            throw new IllegalArgumentException("the claim " + claim + " with the name of the user is missing");
        }
        Object verified = claims.getClaim("email_verified");
        if (claim.equals("email") && verified != null && !Boolean.TRUE.equals(verified)) {
            throw new IllegalArgumentException("the email of the user is not verified");
        }
        String prefix = switch (provider.usernamePrefix()) {
            case "-" -> "";
            case "" -> claim.equals("email") ? "" : provider.issuer() + "#";
            default -> provider.usernamePrefix();
        };
        List<String> groups = new ArrayList<>();
        Object given = provider.groupsClaim().isEmpty() ? null : claims.getClaim(provider.groupsClaim());
        for (Object group : given instanceof List<?> list ? list : given == null ? List.of() : List.of(given)) {
            groups.add(unreserved(provider.groupsPrefix() + group));
        }
        return new User(unreserved(prefix + name), "", groups, Map.of()).authenticated();
    }

    /** Refuses the names that only the server gives. */
    private static String unreserved(String name) {
        if (name.startsWith("system:")) {
            throw new IllegalArgumentException("names that begin with system: are reserved");
        }
        return name;
    }
}
