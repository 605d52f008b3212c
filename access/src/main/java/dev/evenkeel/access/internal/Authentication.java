package dev.evenkeel.access.internal;

import com.nimbusds.jwt.SignedJWT;
import dev.evenkeel.access.OidcProvider;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Tokens;
import java.text.ParseException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Finds the user of a request.
 *
 * <p>A client certificate is tried first, then the token: as a static one, then by its issuer, which is the partition or an
 * OpenID provider. Static tokens, certificates and providers are those of the server, and name users of all its
 * partitions; tokens that a partition issues are valid in that partition only.
 */
public final class Authentication {
    private final StaticTokens tokens;
    private final Optional<ClientCertificates> certificates;
    private final List<OidcTokens> providers;
    private final boolean anonymous;
    private final String issuer;
    private final InstantSource clock;
    private final Map<String, PartitionTokens> issued = new ConcurrentHashMap<>();

    /**
     * The settings.
     *
     * @param tokens users by static token
     * @param clientCaPem authorities of client certificates; empty when certificates are not accepted
     * @param anonymous whether requests without credentials are those of {@link User#ANONYMOUS}, instead of refused
     * @param issuer the issuer of tokens of the default partition, and their usual audience
     * @param clock the time, by which credentials end
     */
    public record Settings(
            Map<String, User> tokens,
            String clientCaPem,
            List<OidcProvider> providers,
            boolean anonymous,
            String issuer,
            InstantSource clock) {}

    /** Creates the authentication of a server. */
    public Authentication(Settings settings) {
        clock = settings.clock();
        tokens = new StaticTokens(settings.tokens());
        certificates = settings.clientCaPem().isEmpty()
                ? Optional.empty()
                : Optional.of(new ClientCertificates(settings.clientCaPem(), clock));
        providers = settings.providers().stream()
                .map(provider -> new OidcTokens(provider, clock))
                .toList();
        anonymous = settings.anonymous();
        issuer = settings.issuer();
    }

    /**
     * Returns the user of a request.
     *
     * @param partition the partition of the request, if it exists; called only for tokens that name its issuer
     * @throws dev.evenkeel.client.UnauthorizedException when credentials are wrong, or missing and necessary
     */
    public User authenticate(Credentials credentials, String partitionName, Supplier<Optional<ResourceApi>> partition) {
        Optional<User> user = certificates.flatMap(trusted -> trusted.user(credentials.certificates()));
        if (user.isEmpty() && !credentials.token().isEmpty()) {
            String audience = issuer(partitionName);
            user = review(credentials.token(), List.of(audience), partitionName, partition)
                    .user();
        }
        boolean allowed = anonymous && credentials.absent();
        return user.or(() -> allowed ? Optional.of(User.ANONYMOUS) : Optional.empty())
                .orElseThrow(() -> ApiException.of(Status.of(401, "Unauthorized", "Unauthorized")));
    }

    /** Returns the user of a certificate or a static token, which does not depend on the partition; empty for others. */
    public Optional<User> known(Credentials credentials) {
        return certificates
                .flatMap(trusted -> trusted.user(credentials.certificates()))
                .or(() -> tokens.user(credentials.token()));
    }

    private Tokens.Review review(
            String token, List<String> audiences, String partitionName, Supplier<Optional<ResourceApi>> partition) {
        Optional<User> known = tokens.user(token);
        String own = issuer(partitionName);
        if (known.isPresent()) {
            return audiences.contains(own) ? Tokens.Review.of(known.get(), List.of(own)) : Tokens.Review.INVALID;
        }
        SignedJWT signed;
        String origin;
        try {
            signed = SignedJWT.parse(token);
            origin = signed.getJWTClaimsSet().getIssuer();
        } catch (ParseException e) {
            return Tokens.Review.INVALID; // neither signed nor known; alg none is not signed
        }
        if (own.equals(origin)) {
            return partition
                    .get()
                    .map(found -> issued(found).review(signed, audiences))
                    .orElse(Tokens.Review.INVALID);
        }
        return audiences.contains(own)
                ? providers.stream()
                        .filter(provider -> provider.issued(origin))
                        .findFirst()
                        .map(provider -> provider.review(signed, List.of(own)))
                        .orElse(Tokens.Review.INVALID)
                : Tokens.Review.INVALID;
    }

    /** Returns the issuer of the tokens of a partition, which is also their usual audience. */
    public String issuer(String partition) {
        return partition.equals("default") ? issuer : issuer + "/partitions/" + partition;
    }

    private PartitionTokens issued(ResourceApi partition) {
        return issued.computeIfAbsent(partition.name(), name -> new PartitionTokens(partition, issuer(name), clock));
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns the public keys of a partition, as a JSON Web Key Set. */
    public String publicKeys(ResourceApi partition) {
        return issued(partition).publicKeys();
    }

    /** Returns the OpenID discovery document of a partition. */
    public JsonObject discovery(ResourceApi partition, String keysUrl) {
        return JsonObject.of("issuer", issuer(partition.name()), "jwks_uri", keysUrl)
                .set("response_types_supported", List.of("id_token"))
                .set("subject_types_supported", List.of("public"))
                .set("id_token_signing_alg_values_supported", List.of("ES256"));
    }

    /** Returns the tokens of a partition, for its verbs. */
    public Tokens tokens(ResourceApi partition) {
        return new Tokens() {
            @Override
            public String audience() {
                return issuer(partition.name());
            }

            @Override
            public Review review(String token, List<String> audiences) {
                return Authentication.this.review(token, audiences, partition.name(), () -> Optional.of(partition));
            }

            @Override
            public Optional<String> issue(Claims claims) {
                return Optional.of(issued(partition).issue(claims));
            }
        };
    }
}
