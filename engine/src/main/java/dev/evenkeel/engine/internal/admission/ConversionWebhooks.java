package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.NameGenerator;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.schema.MetadataRules;
import dev.evenkeel.engine.internal.strategy.Conversion;
import dev.evenkeel.engine.internal.strategy.Strategies;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.spi.AdmissionCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Converts custom resources as their definition specifies: with a webhook, or by another apiVersion.
 *
 * <p>Objects of a definition with a webhook are never shown or stored in another version unless the webhook has converted
 * them: what it cannot do is refused, with upstream's messages. A webhook may change labels and annotations, but no other
 * metadata.
 *
 * @param strategies have the defaults of the version from which an object is converted
 * @param caller calls webhooks; empty when none are called
 */
public record ConversionWebhooks(
        Strategies strategies, Optional<AdmissionCaller> caller, RandomGenerator random, JsonLimits limits)
        implements Conversion {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String GROUP = "apiextensions.k8s.io/";

    @Override
    public JsonObject convert(JsonObject tree, ResourceType type, ResourceType.Version version) {
        String from = tree.string("apiVersion");
        type.versions().stream()
                .filter(known -> type.apiVersion(known).equals(from))
                .findFirst()
                .ifPresent(known -> strategies.of(type, known).applyDefaults(tree));
        boolean empty = tree.keySet().stream().allMatch(key -> key.equals("apiVersion") || key.equals("kind"));
        return type.conversion()
                .filter(webhook -> !empty)
                .map(webhook -> called(tree, type, type.apiVersion(version), webhook))
                .orElseGet(() -> NONE.convert(tree, type, version));
    }

    private JsonObject called(JsonObject tree, ResourceType type, String desired, JsonObject webhook) {
        String what = "conversion webhook for " + groupVersion(tree) + ", Kind=" + tree.string("kind");
        List<?> converted;
        try {
            converted = call(tree, type, desired, webhook);
        } catch (IOException | JsonException e) {
            throw Refusal.internal(what + " failed: " + e.getMessage());
        }
        if (converted.size() != 1) {
            throw Refusal.internal(what + " returned " + converted.size() + " objects, expected 1");
        }
        JsonObject result = Json.object(converted.getFirst())
                .orElseThrow(() -> Refusal.internal(what + " returned invalid object at index 0: no object"));
        check(tree, result, desired, what);
        restore(tree, result, what);
        return result;
    }

    private List<?> call(JsonObject tree, ResourceType type, String desired, JsonObject webhook) throws IOException {
        String version = webhook.strings("conversionReviewVersions").stream()
                .filter(known -> known.equals("v1") || known.equals("v1beta1"))
                .findFirst()
                .orElseThrow(() -> new IOException("no supported conversion review versions"));
        AdmissionCaller reachable = caller.orElseThrow(() -> new IOException("this server calls no webhooks"));
        String uid = NameGenerator.uuid(random);
        JsonObject review = JsonObject.of("kind", "ConversionReview", "apiVersion", GROUP + version)
                .set(
                        "request",
                        JsonObject.of("uid", uid, "desiredAPIVersion", desired).set("objects", List.of(tree)));
        byte[] answer =
                reachable.call(Webhooks.webhook(type.id(), webhook.get("clientConfig")), Json.write(review), TIMEOUT);
        JsonObject read = Json.parseObject(answer, limits);
        boolean strict = version.equals("v1"); // as upstream, which is more lenient with the older version
        String expected = GROUP + version + ", Kind=ConversionReview";
        String got = groupVersion(read) + ", Kind=" + read.string("kind");
        if (strict && !got.equals(expected)) {
            throw new IOException("expected webhook response of " + expected + ", got " + got);
        }
        JsonObject response = read.findObject("response").orElseThrow(() -> new IOException("no response provided"));
        if (strict && !response.string("uid").equals(uid)) {
            throw new IOException(
                    "expected response.uid=" + Json.text(uid) + ", got " + Json.text(response.string("uid")));
        }
        String status = response.string("result", "status");
        if (!status.equals("Success")) {
            String message = response.string("result", "message");
            throw new IOException(
                    message.isEmpty() ? "response.result.status was '" + status + "', not 'Success'" : message);
        }
        return response.array("convertedObjects");
    }

    private static String groupVersion(JsonObject tree) {
        String apiVersion = tree.string("apiVersion");
        return apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
    }

    private static void check(JsonObject tree, JsonObject result, String desired, String what) {
        String invalid = what + " returned invalid object";
        String got = result.string("apiVersion");
        if (!got.equals(desired)) {
            throw Refusal.internal(
                    invalid + " at index 0: invalid groupVersion (expected " + desired + ", received " + got + ")");
        }
        if (!result.string("kind").equals(tree.string("kind"))) {
            throw Refusal.internal(invalid + " at index 0: invalid kind (expected " + tree.string("kind")
                    + ", received " + result.string("kind") + ")");
        }
        for (String field : List.of("name", "namespace", "uid")) {
            String before = tree.string("metadata", field);
            String after = result.string("metadata", field);
            if (!before.equals(after)) {
                throw Refusal.internal(invalid + ": must have the same " + (field.equals("uid") ? "UID" : field) + ": "
                        + before + " != " + after);
            }
        }
    }

    /** Restores the metadata, except for labels and annotations. */
    private static void restore(JsonObject tree, JsonObject result, String what) {
        String invalid = what + " returned invalid metadata: ";
        if (!result.containsKey("metadata")) {
            throw Refusal.internal(invalid + "missing metadata in converted object");
        }
        JsonObject changed = result.findObject("metadata")
                .orElseThrow(() -> Refusal.internal(invalid + "invalid metadata in converted object"));
        JsonObject metadata = tree.object("metadata").copy();
        for (String field : List.of("labels", "annotations")) {
            Object value = changed.get(field);
            if (value == null) {
                metadata.remove(field);
                continue;
            }
            String path = "metadata." + field;
            JsonObject texts = Json.object(value)
                    .orElseThrow(() -> Refusal.internal(invalid + "invalid " + path + " in converted object"));
            texts.forEach((key, text) -> requireText(invalid + path + "[" + key + "]", text));
            if (!texts.equals(metadata.get(field))) {
                requireValid(invalid, field, texts);
            }
            metadata.put(field, texts);
        }
        result.put("metadata", metadata);
    }

    private static void requireText(String what, @Nullable Object text) {
        if (!(text instanceof String)) {
            throw Refusal.internal(what + " must be a string in converted object");
        }
    }

    private static void requireValid(String invalid, String field, JsonObject texts) {
        List<String> problems = MetadataRules.converted(field, texts).stream()
                .map(FieldError::text)
                .toList();
        if (!problems.isEmpty()) {
            String all = String.join(", ", problems);
            throw Refusal.internal(invalid + (problems.size() == 1 ? all : "[" + all + "]"));
        }
    }
}
