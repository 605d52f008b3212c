package dev.evenkeel.cli;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tokens that a server must refuse, made from one that it has issued. */
final class ForgedTokens {
    private final String genuine;
    private final JWTClaimsSet claims;

    private ForgedTokens(String genuine) throws ParseException {
        this.genuine = genuine;
        claims = SignedJWT.parse(genuine).getJWTClaimsSet();
    }

    /**
     * Returns the tokens by descriptions.
     *
     * @param genuine token of a service account
     * @param keys the public keys of the server
     */
    static Map<String, String> of(String genuine, String keys) throws JOSEException, ParseException {
        return new ForgedTokens(genuine).all(keys);
    }

    private Map<String, String> all(String keys) throws JOSEException, ParseException {
        String id = SignedJWT.parse(genuine).getHeader().getKeyID();
        ECKey own = new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        Matcher key = Pattern.compile("\"x\" ?: ?\"([^\"]+)\"").matcher(keys);
        if (!key.find()) {
            throw new AssertionError("no public key in " + keys);
        }
        String[] parts = genuine.split("\\.");
        String admin = encoded("{\"iss\":\"" + claims.getIssuer() + "\",\"sub\":\"admin\",\"aud\":[\""
                + claims.getAudience().getFirst()
                + "\"],\"exp\":9999999999,\"evenkeel.dev\":{\"groups\":[\"system:masters\"]}}");
        JWSHeader.Builder elliptic = new JWSHeader.Builder(JWSAlgorithm.ES256);
        ECDSASigner signer = new ECDSASigner(own);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("a token without its signature", parts[0] + "." + parts[1] + ".");
        all.put("a token with alg none", new PlainJWT(claims).serialize());
        all.put("a token with other claims", parts[0] + "." + admin + "." + parts[2]);
        all.put(
                "a token that is signed with the public key as a secret",
                signed(
                        new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(id),
                        claims,
                        new MACSigner((key.group(1) + key.group(1)).getBytes(StandardCharsets.US_ASCII))));
        all.put(
                "a token that is signed with another key under the same id",
                signed(elliptic.keyID(id), claims, signer));
        all.put(
                "a token that names a URL for its key",
                signed(elliptic.jwkURL(URI.create("http://127.0.0.1:1/keys")), claims, signer));
        all.put(
                "a token that brings its own key",
                signed(new JWSHeader.Builder(JWSAlgorithm.ES256).jwk(own.toPublicJWK()), claims, signer));
        all.put(
                "a token whose key id is a path",
                signed(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("../../dev/null"), claims, signer));
        JWTClaimsSet foreign =
                new JWTClaimsSet.Builder(claims).issuer("https://evil.example").build();
        all.put(
                "a token of an unknown issuer",
                signed(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(id), foreign, signer));
        return all;
    }

    private static String signed(JWSHeader.Builder header, JWTClaimsSet claims, JWSSigner signer) throws JOSEException {
        SignedJWT token = new SignedJWT(header.build(), claims);
        token.sign(signer);
        return token.serialize();
    }

    static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
