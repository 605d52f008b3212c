package dev.evenkeel.access.internal;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.service.PrivateObjects;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The keys by which a partition signs its tokens: EC P-256, kept in its store.
 *
 * <p>A key signs for {@link #ROTATION}, and then the next one does. Its public half is known until the last token that it
 * may have signed has ended. Keys are created by the server that needs one first; a server that meets an unknown key id
 * reads the keys again.
 */
final class SigningKeys {
    /** The time for which a key signs. */
    static final Duration ROTATION = Duration.ofDays(90);

    /** The longest life of a token. */
    static final Duration LONGEST = Duration.ofDays(366);

    private static final String NAME = "signing-keys";

    private final PrivateObjects objects;
    private final InstantSource clock;
    private volatile Known known = new Known(0, List.of());

    private record Known(long revision, List<Key> keys) {}

    private record Key(ECKey key, Instant created) {}

    SigningKeys(PrivateObjects objects, InstantSource clock) {
        this.objects = objects;
        this.clock = clock;
    }

    /** Returns the key that signs now; creates it if necessary. */
    ECKey signing() {
        Known now = known;
        while (true) {
            if (!now.keys().isEmpty()) {
                Key newest = now.keys().getLast();
                if (newest.created().plus(ROTATION).isAfter(clock.instant())) {
                    return newest.key();
                }
            }
            Known stored = read();
            now = stored.revision() == now.revision() ? rotate(stored) : stored;
        }
    }

    /** Returns the public key with an id; empty when there is none, or it is too old. */
    Optional<ECKey> verifying(String id) {
        return find(known, id).or(() -> find(read(), id)).map(ECKey::toPublicJWK);
    }

    private static Optional<ECKey> find(Known known, String id) {
        return known.keys().stream()
                .map(Key::key)
                .filter(key -> key.getKeyID().equals(id))
                .findFirst();
    }

    /** Returns the public keys of all valid tokens, as a JSON Web Key Set. */
    String publicKeys() {
        signing();
        List<JWK> keys = known.keys().stream().<JWK>map(Key::key).toList();
        return new JWKSet(keys).toString(true);
    }

    private Known read() {
        Known read = objects.read(NAME)
                .map(found -> new Known(found.revision(), keys(found.content())))
                .orElseGet(() -> new Known(0, List.of()));
        known = read;
        return read;
    }

    private static List<Key> keys(JsonObject content) {
        return content.objects("keys").stream()
                .map(key -> {
                    try {
                        return new Key(ECKey.parse(key.string("jwk")), Instant.parse(key.string("created")));
                    } catch (ParseException e) {
                        throw new IllegalStateException("a signing key in the store cannot be read", e);
                    }
                })
                .toList();
    }

    /** Adds a key and drops those whose tokens have ended; returns the stored keys, which another server may have written. */
    private Known rotate(Known stored) {
        Instant now = clock.instant();
        List<Key> keys = new ArrayList<>(stored.keys());
        keys.removeIf(key -> key.created().plus(ROTATION).plus(LONGEST).isBefore(now));
        keys.add(new Key(generate(), now));
        List<JsonObject> content = keys.stream()
                .map(key -> JsonObject.of(
                        "created", key.created().toString(), "jwk", key.key().toJSONString()))
                .toList();
        objects.write(NAME, stored.revision(), JsonObject.of("keys", content));
        return read();
    }

    private static ECKey generate() {
        try {
            return new ECKeyGenerator(Curve.P_256)
                    .keyUse(KeyUse.SIGNATURE)
                    .algorithm(JWSAlgorithm.ES256)
                    .keyIDFromThumbprint(true)
                    .generate();
        } catch (JOSEException e) {
            throw new IllegalStateException("this JDK cannot create a signing key: " + e.getMessage(), e);
        }
    }
}
