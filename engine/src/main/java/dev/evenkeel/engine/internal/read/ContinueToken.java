package dev.evenkeel.engine.internal.read;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.spi.Store;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;

/**
 * The end of a page of a list, in upstream's form: base64url of {@code {"v":…,"rv":…,"start":…}}. Clients hold tokens,
 * so they are not trusted: a token can only start a list inside the requested namespace.
 *
 * @param revision the state that is listed; -1 for the present, when that state was compacted
 * @param start the first key, relative to the list: a NUL behind the last one returned
 */
public record ContinueToken(long revision, String start) {
    private static final String VERSION = "meta.k8s.io/v1";
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final Set<String> NO_SEGMENTS = Set.of("", ".", "..");
    private static final JsonLimits LIMITS = new JsonLimits(4096, 4, 4096, 30, 0);

    /** Returns the token behind the last key of a page. */
    static ContinueToken after(Store.Key last, String namespace, long revision) {
        String relative =
                namespace.isEmpty() && !last.namespace().isEmpty() ? last.namespace() + "/" + last.name() : last.name();
        return new ContinueToken(revision, relative + "\0");
    }

    /** Parses a token; refuses in upstream's words. */
    static ContinueToken parse(String token) {
        byte[] bytes = decoded(token);
        JsonObject tree;
        try {
            tree = Json.parseObject(bytes, LIMITS);
        } catch (JsonException e) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            throw invalid("invalid character '" + (text.isEmpty() ? "" : text.charAt(0))
                    + "' looking for beginning of value");
        }
        String version = tree.string("v");
        if (!version.equals(VERSION)) {
            throw invalid("server does not recognize this encoded version " + version);
        }
        long revision = tree.integer("rv");
        if (revision == 0) {
            throw invalid("incorrect encoded start resourceVersion (version " + VERSION + ")");
        }
        String start = tree.string("start");
        if (start.isEmpty()) {
            throw invalid("encoded start key empty (version " + VERSION + ")");
        }
        String plain = start.startsWith("/") ? start.substring(1) : start;
        if (Arrays.stream(plain.split("/", -1)).anyMatch(NO_SEGMENTS::contains)) {
            throw invalid(start);
        }
        return new ContinueToken(revision, plain);
    }

    /** Decodes as Go does without padding: an error names the first byte that is wrong. */
    private static byte[] decoded(String token) {
        for (int i = 0; i < token.length(); i++) {
            if (DIGITS.indexOf(token.charAt(i)) < 0) {
                throw invalid("illegal base64 data at input byte " + i);
            }
        }
        if (token.length() % 4 == 1) {
            throw invalid("illegal base64 data at input byte " + (token.length() - 1));
        }
        return Base64.getUrlDecoder().decode(token);
    }

    private static RuntimeException invalid(String why) {
        return Refusal.badRequest("invalid continue token: continue key is not valid: " + why);
    }

    /** Returns the key at which the list continues. */
    Store.Key key(String collection, String namespace) {
        int slash = start.indexOf('/');
        return namespace.isEmpty() && slash >= 0
                ? new Store.Key(collection, start.substring(0, slash), start.substring(slash + 1))
                : new Store.Key(collection, namespace, start);
    }

    /** Returns the token as clients receive it. */
    public String text() {
        JsonObject tree = JsonObject.of("v", VERSION, "rv", revision, "start", start);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.write(tree));
    }
}
