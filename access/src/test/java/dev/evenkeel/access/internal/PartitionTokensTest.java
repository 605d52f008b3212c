package dev.evenkeel.access.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The tokens that a partition issues, and all that is refused. */
class PartitionTokensTest {
    private final TestClock clock = new TestClock();
    private final Engine engine = Engine.builder()
            .clock(clock)
            .executor(Runnable::run)
            .authorization(Authorization.RBAC)
            .build();
    private final ResourceApi partition = ResourceApi.of(engine.partition("default"));
    private final Authentication authentication = authentication();

    private Authentication authentication() {
        return new Authentication(new Authentication.Settings(Map.of(), "", List.of(), false, Tokens.AUDIENCE, clock));
    }

    private static JsonObject tree(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    private static JsonObject post(
            Authentication authentication,
            ResourceApi partition,
            String kind,
            String subresource,
            String name,
            String body) {
        Requester requester = new Requester(User.ADMIN, authentication.tokens(partition));
        WriteOptions options = WriteOptions.of("test");
        WriteOptions sent = new WriteOptions("test", false, options.validation(), false, options.fence(), requester);
        Target found = partition.types().kind("v1", kind).orElseThrow();
        boolean namespaced = found.type().namespaced();
        Target target = new Target(found.type(), found.version(), namespaced ? "default" : "", name, subresource);
        Reply reply = partition.create(target, Body.json(body.replace('\'', '"')), sent);
        return ((Reply.Shown) reply).document().tree();
    }

    private String token(String spec) {
        return post(authentication, partition, "ServiceAccount", "token", "default", "{'spec':{" + spec + "}}")
                .string("status", "token");
    }

    private User user(String token) {
        return user(token, partition);
    }

    private User user(String token, ResourceApi partition) {
        return authentication.authenticate(
                new Credentials(token, List.of()), partition.name(), () -> Optional.of(partition));
    }

    private void refused(String token) {
        assertThatThrownBy(() -> user(token))
                .isInstanceOf(UnauthorizedException.class)
                .hasMessage("Unauthorized");
    }

    private String problem(String token) {
        return authentication
                .tokens(partition)
                .review(token, List.of(Tokens.AUDIENCE))
                .problem();
    }

    private void delete(String kind, String namespace, String name) {
        Target target = partition.types().kind("v1", kind).orElseThrow().withName(namespace, name);
        partition.delete(target, DeleteOptions.of(DeleteOptions.Propagation.BACKGROUND), Requester.IN_PROCESS);
    }

    @Test
    void aTokenNamesItsServiceAccount() {
        User user = user(token(""));
        assertThat(user.name()).isEqualTo("system:serviceaccount:default:default");
        assertThat(user.groups())
                .containsExactly("system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated");
        assertThat(user.uid()).isNotEmpty();
        assertThat(user.extra()).containsOnlyKeys("authentication.kubernetes.io/credential-id");
    }

    @Test
    void anExpiredTokenIsRefused() {
        String token = token("'expirationSeconds':600");
        clock.advance(Duration.ofSeconds(599));
        user(token);
        clock.advance(Duration.ofSeconds(1));
        refused(token);
        assertThat(problem(token)).isEqualTo("[invalid bearer token, service account token has expired]");
    }

    @Test
    void aTokenForAnotherAudienceIsRefused() {
        String token = token("'audiences':['vault']");
        refused(token);
        assertThat(problem(token))
                .isEqualTo("[invalid bearer token, token audiences [\"vault\"] is invalid for the target audiences"
                        + " [\"https://kubernetes.default.svc\"]]");
        assertThat(authentication
                        .tokens(partition)
                        .review(token, List.of("vault", "x"))
                        .audiences())
                .containsExactly("vault");
    }

    @Test
    void aTokenOfAnotherPartitionIsRefused() {
        ResourceApi other = ResourceApi.of(engine.partition("other"));
        String foreign = post(authentication, other, "ServiceAccount", "token", "default", "{}")
                .string("status", "token");
        assertThat(user(foreign, other).name()).isEqualTo("system:serviceaccount:default:default");
        refused(foreign);
        assertThatThrownBy(() -> user(token(""), other)).isInstanceOf(UnauthorizedException.class);
        // also when it claims the issuer and the audience of the other partition
        String claimed = forged(
                foreign,
                JWSAlgorithm.ES256,
                claims -> claims.issuer(Tokens.AUDIENCE).audience(Tokens.AUDIENCE));
        refused(claimed);
    }

    @Test
    void tokensWithoutAValidSignatureAreRefused() throws Exception {
        String token = token("");
        String[] parts = token.split("\\.");
        JWTClaimsSet claims = SignedJWT.parse(token).getJWTClaimsSet();
        refused(new PlainJWT(claims).serialize()); // alg none
        refused(parts[0] + "." + parts[1] + ".");
        refused(parts[0] + "." + parts[1]);
        refused(parts[0] + "." + parts[1] + "." + parts[2].substring(0, parts[2].length() - 8) + "AAAAAAAA");
        refused("");
        refused("zz");
        refused("..");
        refused("a".repeat(10_000));
        refused(forged(token, JWSAlgorithm.ES256, UnaryOperator.identity())); // another key with the same id
        refused(forged(token, JWSAlgorithm.HS256, UnaryOperator.identity())); // the public key as a shared secret
        String payload = new com.nimbusds.jose.Payload(claims.toString().replace("default:default", "kube-system:root"))
                .toBase64URL()
                .toString();
        refused(parts[0] + "." + payload + "." + parts[2]);
    }

    @Test
    void aTokenOfAnotherIssuerIsRefused() {
        refused(forged(token(""), JWSAlgorithm.ES256, claims -> claims.issuer("https://elsewhere.example")));
        assertThat(problem(forged(token(""), JWSAlgorithm.ES256, claims -> claims.issuer(null))))
                .isEqualTo("invalid bearer token");
    }

    /** Returns a token with changed claims, signed by a key of ours with the id of the server's. */
    private String forged(String token, JWSAlgorithm algorithm, UnaryOperator<JWTClaimsSet.Builder> change) {
        try {
            SignedJWT original = SignedJWT.parse(token);
            String id = original.getHeader().getKeyID();
            JWSSigner signer;
            if (algorithm.equals(JWSAlgorithm.HS256)) {
                JWK key = JWKSet.parse(authentication.publicKeys(partition)).getKeyByKeyId(id);
                signer = new MACSigner(key.toECKey().toECPublicKey().getEncoded());
            } else {
                signer = new ECDSASigner(
                        new ECKeyGenerator(Curve.P_256).keyID(id).generate());
            }
            JWTClaimsSet claims = change.apply(new JWTClaimsSet.Builder(original.getJWTClaimsSet()))
                    .build();
            SignedJWT forged =
                    new SignedJWT(new JWSHeader.Builder(algorithm).keyID(id).build(), claims);
            forged.sign(signer);
            return forged.serialize();
        } catch (ParseException | JOSEException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTokenEndsWithItsServiceAccount() {
        post(authentication, partition, "ServiceAccount", "", "", "{'metadata':{'name':'a'}}");
        String token = post(authentication, partition, "ServiceAccount", "token", "a", "{}")
                .string("status", "token");
        user(token);
        delete("ServiceAccount", "default", "a");
        refused(token);
        assertThat(problem(token)).isEqualTo("[invalid bearer token, serviceaccounts \"a\" not found]");
        post(authentication, partition, "ServiceAccount", "", "", "{'metadata':{'name':'a'}}");
        refused(token);
        assertThat(problem(token)).contains("service account UID").contains("does not match claim");
    }

    @Test
    void aTokenEndsWithTheSecretThatItIsBoundTo() {
        post(authentication, partition, "Secret", "", "", "{'metadata':{'name':'s'}}");
        String token = token("'boundObjectRef':{'kind':'Secret','apiVersion':'v1','name':'s'}");
        user(token);
        delete("Secret", "default", "s");
        refused(token);
        assertThat(problem(token)).isEqualTo("[invalid bearer token, service account token has been invalidated]");
    }

    @Test
    void aTokenEndsWithTheNodeThatItIsBoundTo() {
        post(authentication, partition, "Node", "", "", "{'metadata':{'name':'n'}}");
        String token = token("'boundObjectRef':{'kind':'Node','apiVersion':'v1','name':'n'}");
        assertThat(user(token).extra()).containsEntry("authentication.kubernetes.io/node-name", List.of("n"));
        delete("Node", "", "n");
        refused(token);
    }

    @Test
    void aTokenOfAPodNamesPodAndNode() {
        post(
                authentication,
                partition,
                "Pod",
                "",
                "",
                "{'metadata':{'name':'p'},'spec':{'serviceAccountName':'default','nodeName':'n','containers':["
                        + "{'name':'c','image':'i'}]}}");
        String token = token("'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p'}");
        assertThat(user(token).extra())
                .containsEntry("authentication.kubernetes.io/pod-name", List.of("p"))
                .containsEntry("authentication.kubernetes.io/node-name", List.of("n"))
                .containsKey("authentication.kubernetes.io/pod-uid")
                .doesNotContainKey("authentication.kubernetes.io/node-uid");
        post(authentication, partition, "ServiceAccount", "", "", "{'metadata':{'name':'b'}}");
        assertThatThrownBy(() -> post(
                        authentication,
                        partition,
                        "ServiceAccount",
                        "token",
                        "b",
                        "{'spec':{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p'}}}"))
                .hasMessage("cannot bind token for serviceaccount \"b\" to pod running with different serviceaccount"
                        + " name.");
    }

    @Test
    void requestsAreChecked() {
        for (Map.Entry<String, String> spec : Map.of(
                        "'expirationSeconds':599", "may not specify a duration less than 10 minutes",
                        "'expirationSeconds':4294967297", "may not specify a duration larger than 2^32 seconds",
                        "'boundObjectRef':{'kind':'ConfigMap','apiVersion':'v1','name':'x'}",
                                "cannot bind token to object of type /v1, Kind=ConfigMap",
                        "'boundObjectRef':{'kind':'Secret','apiVersion':'v1','name':'x'}", "secrets \"x\" not found",
                        "'audiences':'x'", "cannot be handled as a TokenRequest")
                .entrySet()) {
            assertThatThrownBy(() -> token(spec.getKey()))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining(spec.getValue());
        }
    }

    @Test
    void aLongLifeIsShortened() {
        JsonObject answer = post(
                authentication,
                partition,
                "ServiceAccount",
                "token",
                "default",
                "{'spec':{'expirationSeconds':99999999}}");
        assertThat(answer.integer("spec", "expirationSeconds")).isEqualTo(365 * 24 * 3600);
    }

    @Test
    void keysAreRotatedAndKeptAsLongAsTheirTokensLive() throws Exception {
        String first = token("'expirationSeconds':31536000");
        clock.advance(SigningKeys.ROTATION.minusSeconds(1));
        assertThat(keyId(token(""))).isEqualTo(keyId(first));
        clock.advance(Duration.ofSeconds(1));
        String second = token("");
        assertThat(keyId(second)).isNotEqualTo(keyId(first));
        user(first);
        user(second);
        assertThat(JWKSet.parse(authentication.publicKeys(partition)).getKeys())
                .hasSize(2)
                .noneMatch(JWK::isPrivate);
        clock.advance(SigningKeys.LONGEST.plus(SigningKeys.ROTATION));
        token("");
        assertThat(JWKSet.parse(authentication.publicKeys(partition)).getKeyByKeyId(keyId(first)))
                .isNull();
    }

    private static String keyId(String token) throws ParseException {
        return SignedJWT.parse(token).getHeader().getKeyID();
    }

    @Test
    void anotherServerOfTheSameStoreAcceptsTokensAndSignsWithTheSameKey() throws Exception {
        String token = token("");
        Authentication second = authentication();
        assertThat(second.authenticate(new Credentials(token, List.of()), "default", () -> Optional.of(partition))
                        .name())
                .endsWith(":default");
        String other = post(second, partition, "ServiceAccount", "token", "default", "{}")
                .string("status", "token");
        assertThat(keyId(other)).isEqualTo(keyId(token));
        // and a key that one of them creates later is known to the other
        clock.advance(SigningKeys.ROTATION);
        String rotated = token("");
        assertThat(keyId(rotated)).isNotEqualTo(keyId(token));
        second.authenticate(new Credentials(rotated, List.of()), "default", () -> Optional.of(partition));
    }

    @Test
    void thePublicKeysVerifyTokensElsewhere() throws Exception {
        SignedJWT token = SignedJWT.parse(token("'audiences':['vault']"));
        ECKey key = JWKSet.parse(authentication.publicKeys(partition))
                .getKeyByKeyId(token.getHeader().getKeyID())
                .toECKey();
        assertThat(token.verify(new ECDSAVerifier(key))).isTrue();
        assertThat(token.getJWTClaimsSet().getIssuer())
                .isEqualTo(authentication.discovery(partition, "https://x").string("issuer"));
        assertThat(token.getJWTClaimsSet().getExpirationTime())
                .isEqualTo(Date.from(clock.instant().plusSeconds(3600)));
    }

    @Test
    void privateKeysCannotBeReadThroughTheApi() {
        token("");
        assertThat(partition.types().all())
                .noneMatch(type -> type.id().contains("private") || type.group().equals("evenkeel.dev"));
    }

    private JsonObject userToken(User sender, String request) {
        return new UserTokens(authentication, partition).create(sender, tree(request));
    }

    @Test
    void usersGetTokensByName() {
        JsonObject answer = userToken(User.ADMIN, "{'user':'ann','groups':['devs'],'expirationSeconds':3600}");
        User ann = user(answer.string("token"));
        assertThat(ann.name()).isEqualTo("ann");
        assertThat(ann.groups()).containsExactly("devs", "system:authenticated");
        clock.advance(Duration.ofHours(1));
        refused(answer.string("token"));
    }

    @Test
    void aTokenForAUserNeedsThePermissionToImpersonate() {
        assertThatThrownBy(() -> userToken(
                        User.of("jane"), "{'user':'ann','groups':['system:masters'],'expirationSeconds':3600}"))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("cannot impersonate resource \"users\"");
        for (String request : List.of(
                "{'user':'','expirationSeconds':3600}",
                "{'user':'system:admin','expirationSeconds':3600}",
                "{'user':'ann','expirationSeconds':1}",
                "{'user':'ann','expirationSeconds':99999999}")) {
            assertThatThrownBy(() -> userToken(User.ADMIN, request)).isInstanceOf(ApiException.class);
        }
    }
}
