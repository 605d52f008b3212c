package dev.evenkeel.testing.internal.remote;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The names of a case in a shared server, in both directions.
 *
 * <p>A namespace of the case is one with a prefix, which is random for each case, in the server: in keys, in fields named
 * {@code namespace}, and as the name of a {@code Namespace}. A uid that the case knows is that which the server has set.
 * Both are unique texts, so answers are translated as texts.
 */
final class Translation {
    private final String prefix = "case-" + UUID.randomUUID().toString().substring(0, 8) + "-";
    private final Map<String, String> uids = new ConcurrentHashMap<>();

    String prefix() {
        return prefix;
    }

    /** Records the uid of a given object, and the one that the server has set. */
    void uid(String ofCase, String ofServer) {
        uids.put(ofCase, ofServer);
    }

    boolean knows(String uid) {
        return uids.containsKey(uid) || uids.containsValue(uid);
    }

    String namespace(String name) {
        return name.isEmpty() || name.startsWith(prefix) ? name : prefix + name;
    }

    static boolean isNamespace(Kind<?> kind) {
        return kind.kind().equals("Namespace") && kind.group().isEmpty();
    }

    ObjectKey out(Kind<?> kind, ObjectKey key) {
        return new ObjectKey(
                namespace(key.namespace()),
                isNamespace(kind) && !key.name().isEmpty() ? namespace(key.name()) : key.name());
    }

    Encoded out(HasMetadata object) {
        JsonObject tree = Json.parseObject(ModelCodec.encode(object), JsonLimits.DEFAULT);
        decoded(tree, this::uidsOut);
        if (tree.string("kind").equals("Namespace") && tree.string("apiVersion").equals("v1")) {
            JsonObject metadata = tree.withObject("metadata");
            metadata.put("name", namespace(metadata.string("name")));
        }
        return Encoded.of(uidsOut(Json.text(namespaces(tree))).getBytes(StandardCharsets.UTF_8));
    }

    Patch out(Patch patch) {
        String text = patch.text().stripLeading();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Object tree = text.startsWith("{") || text.startsWith("[")
                ? Json.parse(bytes, JsonLimits.DEFAULT)
                : Yaml.parse(bytes, JsonLimits.DEFAULT);
        return new Patch(patch.type(), uidsOut(Json.text(namespaces(tree))));
    }

    String uidsOut(String text) {
        String result = text;
        for (Map.Entry<String, String> uid : uids.entrySet()) {
            result = result.replace(uid.getKey(), uid.getValue());
        }
        return result;
    }

    private @Nullable Object namespaces(@Nullable Object tree) {
        return switch (tree) {
            case JsonObject object -> {
                JsonObject copy = new JsonObject();
                object.forEach((field, value) -> copy.put(
                        field,
                        field.equals("namespace") && value instanceof String name
                                ? namespace(name)
                                : namespaces(value)));
                yield copy;
            }
            case List<?> list -> {
                List<@Nullable Object> copy = new ArrayList<>();
                list.forEach(item -> copy.add(namespaces(item)));
                yield copy;
            }
            case null, default -> tree;
        };
    }

    String in(String text) {
        String result = text.replace(prefix, "");
        for (Map.Entry<String, String> uid : uids.entrySet()) {
            result = result.replace(uid.getValue(), uid.getKey());
        }
        return result;
    }

    /** Translates the texts that a secret has in Base64. */
    private static void decoded(JsonObject tree, UnaryOperator<String> translation) {
        if (tree.string("kind").equals("Secret")) {
            tree.findObject("data")
                    .ifPresent(data -> data.replaceAll((name, value) -> {
                        String text =
                                new String(Base64.getDecoder().decode(String.valueOf(value)), StandardCharsets.UTF_8);
                        String translated = translation.apply(text);
                        return translated.equals(text)
                                ? value
                                : Base64.getEncoder().encodeToString(translated.getBytes(StandardCharsets.UTF_8));
                    }));
        }
    }

    <T extends HasMetadata> T in(Kind<T> kind, HasMetadata object) {
        byte[] json = ModelCodec.encode(object);
        if (kind.kind().equals("Secret")) {
            JsonObject tree = Json.parseObject(json, JsonLimits.DEFAULT);
            decoded(tree, this::in);
            json = Json.write(tree);
        }
        String text = new String(json, StandardCharsets.UTF_8);
        return Encoded.of(in(text).getBytes(StandardCharsets.UTF_8)).decode(kind.javaType());
    }

    /** Makes a call, and translates the message of a refusal. */
    <R> R call(Supplier<R> call) {
        try {
            return call.get();
        } catch (ApiException e) {
            Status status = e.status();
            String message = in(status.message());
            if (message.equals(status.message())) {
                throw e;
            }
            throw ApiException.of(
                    new Status(status.code(), status.reason(), message, status.details(), status.continueToken()));
        }
    }
}
