package dev.evenkeel.access.internal;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tokens that a partition issues: for service accounts, and for users by name. They are signed by keys of the
 * partition, so that no other partition accepts them.
 *
 * <p>A token of an account is valid as long as the account, and the object that it is bound to, exist with the same uids.
 */
final class PartitionTokens {
    /** The claim with the groups of a user that is not a service account. */
    static final String USER_CLAIM = "evenkeel.dev";

    private static final String ACCOUNT_CLAIM = "kubernetes.io";
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);
    private static final String INVALIDATED = "service account token has been invalidated";
    private static final String EXTRA = "authentication.kubernetes.io/";

    private final ResourceApi partition;
    private final SigningKeys keys;
    private final String issuer;
    private final InstantSource clock;

    PartitionTokens(ResourceApi partition, String issuer, InstantSource clock) {
        this.partition = partition;
        keys = new SigningKeys(partition.privateObjects(), clock);
        this.issuer = issuer;
        this.clock = clock;
    }

    String publicKeys() {
        return keys.publicKeys();
    }

    String issue(Tokens.Claims claims) {
        ECKey key = keys.signing();
        JWTClaimsSet set = new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject(claims.subject())
                .audience(claims.audiences())
                .issueTime(Date.from(claims.issued()))
                .notBeforeTime(Date.from(claims.issued()))
                .expirationTime(Date.from(claims.expires()))
                .jwtID(claims.id())
                .claim(claims.claim(), claims.content())
                .build();
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(JOSEObjectType.JWT)
                .keyID(key.getKeyID())
                .build();
        SignedJWT token = new SignedJWT(header, set);
        try {
            token.sign(new ECDSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException("this JDK cannot sign: " + e.getMessage(), e);
        }
        return token.serialize();
    }

    /** Finds the user of a token that names the issuer of this partition. */
    Tokens.Review review(SignedJWT token, List<String> audiences) {
        try {
            String id = token.getHeader().getKeyID();
            Optional<ECKey> key = id == null ? Optional.empty() : keys.verifying(id);
            if (key.isEmpty()
                    || !token.getHeader().getAlgorithm().equals(JWSAlgorithm.ES256)
                    || !token.verify(new ECDSAVerifier(key.get()))) {
                return Tokens.Review.invalid("the signature of the token is not valid");
            }
            return review(token.getJWTClaimsSet(), audiences);
        } catch (ParseException | JOSEException e) {
            return Tokens.Review.INVALID;
        }
    }

    private Tokens.Review review(JWTClaimsSet claims, List<String> audiences) {
        List<String> common = new ArrayList<>(audiences);
        common.retainAll(claims.getAudience());
        if (common.isEmpty()) {
            return Tokens.Review.invalid("token audiences " + GoTypes.quoted(claims.getAudience())
                    + " is invalid for the target audiences " + GoTypes.quoted(audiences));
        }
        Instant now = clock.instant();
        Date expires = claims.getExpirationTime();
        if (expires == null || !now.isBefore(expires.toInstant())) {
            return Tokens.Review.invalid("service account token has expired");
        }
        Date begins = claims.getNotBeforeTime();
        if (begins != null && now.plus(CLOCK_SKEW).isBefore(begins.toInstant())) {
            return Tokens.Review.invalid("service account token is not valid yet");
        }
        String id = claims.getJWTID() == null ? "" : claims.getJWTID();
        Object account = claims.getClaim(ACCOUNT_CLAIM);
        return account != null ? account(tree(account), id, common) : Tokens.Review.of(named(claims, id), common);
    }

    private static JsonObject tree(Object claim) {
        byte[] text = JSONObjectUtils.toJSONString(asMap(claim)).getBytes(StandardCharsets.UTF_8);
        return Json.parseObject(text, JsonLimits.DEFAULT);
    }

    @SuppressWarnings("unchecked") // objects of JSON
    private static Map<String, Object> asMap(Object claim) {
        return claim instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    private static User named(JWTClaimsSet claims, String id) {
        Object claim = claims.getClaim(USER_CLAIM);
        List<String> groups = claim == null ? List.of() : tree(claim).strings("groups");
        return new User(claims.getSubject(), "", groups, extra(id)).authenticated();
    }

    private static Map<String, List<String>> extra(String id) {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        if (!id.isEmpty()) {
            extra.put(EXTRA + "credential-id", List.of("JTI=" + id));
        }
        return extra;
    }

    private Tokens.Review account(JsonObject claim, String id, List<String> audiences) {
        String namespace = claim.string("namespace");
        JsonObject account = claim.object("serviceaccount");
        String name = account.string("name");
        JsonObject found;
        try {
            found = read("ServiceAccount", namespace, name, account.string("uid"));
        } catch (NotFoundException e) {
            return Tokens.Review.invalid(String.valueOf(e.getMessage()));
        }
        String uid = found.string("metadata", "uid");
        if (found.has("metadata", "deletionTimestamp")) {
            return Tokens.Review.invalid("service account " + namespace + "/" + name + " has been deleted");
        }
        if (!uid.equals(account.string("uid"))) {
            return Tokens.Review.invalid(
                    "service account UID (" + uid + ") does not match claim (" + account.string("uid") + ")");
        }
        Map<String, List<String>> extra = extra(id);
        boolean pod = claim.has("pod");
        if ((claim.has("secret") && !exists("Secret", namespace, claim.object("secret")))
                || (pod && !exists("Pod", namespace, claim.object("pod")))
                || (!pod && claim.has("node") && !exists("Node", "", claim.object("node")))) {
            return Tokens.Review.invalid(INVALIDATED);
        }
        for (String bound : List.of("pod", "node")) {
            if (claim.has(bound)) {
                extra.put(EXTRA + bound + "-name", List.of(claim.string(bound, "name")));
                if (claim.has(bound, "uid")) {
                    extra.put(EXTRA + bound + "-uid", List.of(claim.string(bound, "uid")));
                }
            }
        }
        User user =
                new User(User.serviceAccount(namespace, name).name(), uid, User.serviceAccountGroups(namespace), extra);
        return Tokens.Review.of(user.authenticated(), audiences);
    }

    /** Returns true if an object exists with the same uid, and is not being deleted. */
    private boolean exists(String kind, String namespace, JsonObject reference) {
        try {
            JsonObject found = read(kind, namespace, reference.string("name"), reference.string("uid"));
            return found.string("metadata", "uid").equals(reference.string("uid")) && !over(found);
        } catch (NotFoundException e) {
            return false;
        }
    }

    /** Returns true if the time has passed by which an object is deleted. */
    private boolean over(JsonObject object) {
        String deletion = object.string("metadata", "deletionTimestamp");
        return !deletion.isEmpty() && Instant.parse(deletion).plus(CLOCK_SKEW).isBefore(clock.instant());
    }

    /**
     * Reads an object, in memory if it is known there with the expected uid: a request with a token must not wait for a
     * store that several servers share. Otherwise it may have been created through another server a moment ago.
     */
    private JsonObject read(String kind, String namespace, String name, String uid) {
        Target target = partition.types().kind("v1", kind).orElseThrow().withName(namespace, name);
        try {
            JsonObject known = partition.get(target, "0", User.ADMIN).tree();
            if (known.string("metadata", "uid").equals(uid)) {
                return known;
            }
        } catch (NotFoundException e) {
            // see above
        }
        return partition.get(target, "", User.ADMIN).tree();
    }
}
