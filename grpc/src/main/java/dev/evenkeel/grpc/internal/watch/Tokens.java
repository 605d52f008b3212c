package dev.evenkeel.grpc.internal.watch;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.grpc.internal.call.Errors;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * The tokens of lists and watches. Clients hold them, so they are not trusted: a token says where to continue within a
 * selection that the request repeats, and that is checked and permitted again.
 */
final class Tokens {
    private static final JsonLimits LIMITS = new JsonLimits(64 * 1024, 4, 8192, 30, 10_000);

    private Tokens() {}

    /**
     * A place in a selection at one revision.
     *
     * @param query of the plan
     * @param partition that is read
     * @param start where to continue in the partition; empty for its beginning
     */
    record Place(String query, long revision, String partition, String start) {
        String text() {
            return encode(JsonObject.of("q", query, "rv", revision, "p", partition, "s", start));
        }

        static Place parse(String field, String token) {
            return of(field, decode(field, token));
        }

        private static Place of(String field, JsonObject tree) {
            if (tree.integer("rv") <= 0 || tree.string("p").isEmpty()) {
                throw malformed(field);
            }
            return new Place(tree.string("q"), tree.integer("rv"), tree.string("p"), tree.string("s"));
        }
    }

    /**
     * The position of a watch: within its snapshot, or after it.
     *
     * @param snapshot the place in the snapshot; ignored when there are revisions
     * @param revisions up to which changes were sent, by partition; empty during the snapshot
     */
    record Position(Place snapshot, Map<String, Long> revisions) {
        String text() {
            if (revisions.isEmpty()) {
                return snapshot.text();
            }
            JsonObject at = new JsonObject();
            revisions.forEach(at::put);
            return encode(JsonObject.of("q", snapshot.query, "at", at));
        }

        static Position parse(String field, String token) {
            JsonObject tree = decode(field, token);
            if (!tree.has("at")) {
                return new Position(Place.of(field, tree), Map.of());
            }
            Map<String, Long> revisions = new TreeMap<>();
            tree.object("at").forEach((partition, revision) -> {
                if (!(revision instanceof Long number) || number <= 0) {
                    throw malformed(field);
                }
                revisions.put(partition, number);
            });
            if (revisions.isEmpty()) {
                throw malformed(field);
            }
            return new Position(new Place(tree.string("q"), 0, "", ""), revisions);
        }
    }

    private static String encode(JsonObject tree) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.write(tree));
    }

    private static JsonObject decode(String field, String token) {
        try {
            return Json.parseObject(Base64.getUrlDecoder().decode(token), LIMITS);
        } catch (IllegalArgumentException | JsonException e) {
            throw malformed(field);
        }
    }

    private static RuntimeException malformed(String field) {
        return Errors.invalid(field, field + " invalid: it is not one that this service has issued");
    }
}
