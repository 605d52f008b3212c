package dev.evenkeel.access.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.evenkeel.access.OidcProvider;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.type.Tokens;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users of an OpenID Connect provider, which is a server of the test. */
class OidcTokensTest {
    private final TestClock clock = new TestClock();
    private final HttpServer provider;
    private final ECKey key;
    private volatile JWKSet published;
    private volatile boolean broken;
    private OidcProvider settings;

    OidcTokensTest() throws IOException, JOSEException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        published = new JWKSet(key.toPublicJWK());
        settings = OidcProvider.of(issuer(), "evenkeel");
    }

    private URI issuer() {
        return URI.create("http://127.0.0.1:" + provider.getAddress().getPort());
    }

    @BeforeEach
    void serve() {
        serve(
                "/.well-known/openid-configuration",
                () -> broken ? "down" : "{\"issuer\":\"" + issuer() + "\",\"jwks_uri\":\"" + issuer() + "/keys\"}");
        serve("/keys", () -> published.toString(true));
        provider.start();
    }

    private void serve(String path, Supplier<String> document) {
        provider.createContext(path, exchange -> {
            byte[] text = document.get().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
    }

    @AfterEach
    void stop() {
        provider.stop(0);
    }

    private Authentication authentication() {
        return new Authentication(
                new Authentication.Settings(Map.of(), "", List.of(settings), false, Tokens.AUDIENCE, clock));
    }

    private static User user(Authentication authentication, String token) {
        return authentication.authenticate(new Credentials(token, List.of()), "default", Optional::empty);
    }

    private User user(String token) {
        return user(authentication(), token);
    }

    private void refused(String token) {
        assertThatThrownBy(() -> user(token)).isInstanceOf(UnauthorizedException.class);
    }

    private JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer().toString())
                .audience("evenkeel")
                .subject("1234")
                .expirationTime(Date.from(clock.instant().plusSeconds(60)));
    }

    private String token(UnaryOperator<JWTClaimsSet.Builder> change) throws JOSEException {
        return signed(key, change);
    }

    private String signed(ECKey key, UnaryOperator<JWTClaimsSet.Builder> change) throws JOSEException {
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build();
        SignedJWT token = new SignedJWT(header, change.apply(claims()).build());
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    @Test
    void aUserIsNamedByTheSubjectAndTheIssuer() throws Exception {
        User user = user(token(UnaryOperator.identity()));
        assertThat(user.name()).isEqualTo(issuer() + "#1234");
        assertThat(user.groups()).containsExactly("system:authenticated");
    }

    @Test
    void claimsAndPrefixesAreSettings() throws Exception {
        settings = settings.username("email", "").groups("roles", "idp:");
        User user = user(token(claims -> claims.claim("email", "a@b.c").claim("roles", List.of("x", "y"))));
        assertThat(user.name()).isEqualTo("a@b.c");
        assertThat(user.groups()).containsExactly("idp:x", "idp:y", "system:authenticated");
        settings = settings.username("login", "idp:");
        assertThat(user(token(claims -> claims.claim("login", "ann").claim("roles", "x")))
                        .name())
                .isEqualTo("idp:ann");
    }

    @Test
    void wrongTokensAreRefused() throws Exception {
        refused(token(claims -> claims.audience("other")));
        refused(token(claims -> claims.issuer("https://other.example")));
        refused(token(claims -> claims.expirationTime(Date.from(clock.instant()))));
        refused(token(claims -> claims.expirationTime(null)));
        refused(token(claims -> claims.notBeforeTime(Date.from(clock.instant().plusSeconds(90)))));
        refused(new PlainJWT(claims().build()).serialize());
        refused(signed(new ECKeyGenerator(Curve.P_256).keyID("k1").generate(), UnaryOperator.identity()));
        SignedJWT shared = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(), claims().build());
        shared.sign(new MACSigner(key.toECPublicKey().getEncoded()));
        refused(shared.serialize());
        settings = settings.username("email", "");
        refused(token(UnaryOperator.identity()));
        refused(token(claims -> claims.claim("email", "a@b.c").claim("email_verified", false)));
    }

    @Test
    void namesOfTheSystemCannotBeClaimed() throws Exception {
        settings = settings.username("sub", "-").groups("groups", "");
        refused(token(claims -> claims.subject("system:admin")));
        refused(token(claims -> claims.claim("groups", List.of("system:masters"))));
        assertThat(user(token(UnaryOperator.identity())).name()).isEqualTo("1234");
    }

    @Test
    void aTokenIsForTheAudiencesOfTheServerOnly() throws Exception {
        String token = token(UnaryOperator.identity());
        try (Engine engine = Engine.create()) {
            Tokens tokens = authentication().tokens(ResourceApi.of(engine.partition("default")));
            assertThat(tokens.review(token, List.of("vault")).user()).isEmpty();
            assertThat(tokens.review(token, List.of(Tokens.AUDIENCE)).user()).isPresent();
        }
    }

    @Test
    void theProviderIsReadAgainAfterAFailure() throws Exception {
        broken = true;
        Authentication authentication = authentication();
        String token = token(UnaryOperator.identity());
        assertThatThrownBy(() -> user(authentication, token)).isInstanceOf(UnauthorizedException.class);
        broken = false;
        assertThatThrownBy(() -> user(authentication, token)).isInstanceOf(UnauthorizedException.class);
        clock.advance(Duration.ofSeconds(10));
        assertThat(user(authentication, token).name()).endsWith("#1234");
    }

    @Test
    void aNewKeyOfTheProviderIsFound() throws Exception {
        Authentication authentication = authentication();
        user(authentication, token(UnaryOperator.identity()));
        ECKey next = new ECKeyGenerator(Curve.P_256).keyID("k2").generate();
        published = new JWKSet(List.of(key.toPublicJWK(), next.toPublicJWK()));
        assertThat(user(authentication, signed(next, UnaryOperator.identity())).name())
                .endsWith("#1234");
    }

    @Test
    void settingsAreChecked() {
        assertThatThrownBy(() -> OidcProvider.of(URI.create("http://idp.example"), "x"))
                .hasMessageContaining("https://");
        assertThatThrownBy(() -> OidcProvider.of(URI.create("https://idp.example"), ""))
                .hasMessageContaining("client id");
    }
}
