package dev.evenkeel.server.replay;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One recorded request with its answer; the fields are described in the README of the recordings. */
record Exchange(JsonObject tree) {
    private static final JsonLimits ANY = new JsonLimits(1 << 28, 2000, 1 << 27, 2000, 50);

    /** The exchanges of a recording, in the order of sending. */
    static List<Exchange> of(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank())
                .map(line -> new Exchange(Json.parseObject(line.getBytes(StandardCharsets.UTF_8), ANY)))
                .toList();
    }

    String id() {
        return tree.string("id");
    }

    String what() {
        return tree.string("what");
    }

    String method() {
        return tree.string("request", "method");
    }

    String path() {
        return tree.string("request", "path");
    }

    /** The headers that the request names; defaults are added when it is sent. */
    Map<String, String> requestHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        tree.object("request", "headers").forEach((name, value) -> headers.put(name, String.valueOf(value)));
        return headers;
    }

    boolean anonymous() {
        return Boolean.TRUE.equals(tree.at("request", "anonymous"));
    }

    /** The text to send, with variables still in it. */
    Optional<String> requestBody() {
        JsonObject request = tree.object("request");
        if (request.containsKey("body")) {
            return Optional.of(spaced(request.get("body")));
        }
        if (request.get("bodyText") instanceof String text) {
            return Optional.of(text);
        }
        if (request.get("bodyGenerate") instanceof Map<?, ?> parts) {
            return Optional.of(Json.string(parts, "prefix")
                    + Json.string(parts, "repeat").repeat((int) Json.integer(parts, "count"))
                    + Json.string(parts, "suffix"));
        }
        return Optional.empty();
    }

    /** The bytes to send, which have no variables. */
    Optional<byte[]> requestBytes() {
        return Optional.ofNullable((String) tree.at("request", "bodyBase64"))
                .map(text -> Base64.getDecoder().decode(text));
    }

    /** The recorded answer in protobuf as JSON. */
    Optional<Object> decoded() {
        return Optional.ofNullable(tree.get("decoded"));
    }

    /** The recorded events of a watch in protobuf as JSON. */
    Optional<List<@Nullable Object>> decodedEvents() {
        return tree.containsKey("decodedEvents") ? Optional.of(array("decodedEvents")) : Optional.empty();
    }

    /** 0 when the recorded server closed the connection. */
    int status() {
        return (int) tree.integer("status");
    }

    JsonObject headers() {
        return tree.object("headers");
    }

    @Nullable
    Object body() {
        return tree.get("body");
    }

    Optional<String> bodyText() {
        return Optional.ofNullable((String) tree.get("bodyText"));
    }

    boolean bodyIgnored() {
        return tree.containsKey("bodyIgnored");
    }

    JsonObject vars() {
        return tree.object("vars");
    }

    Optional<String> revisions() {
        return Optional.ofNullable((String) tree.get("rv"));
    }

    /** Returns how long to repeat the request until the answer is the recorded one; 0 for once. */
    long pollSeconds() {
        return tree.integer("poll", "maxSeconds");
    }

    long sleepSeconds() {
        return tree.integer("sleepSeconds");
    }

    boolean watch() {
        return Boolean.TRUE.equals(tree.get("watch"));
    }

    /** Returns the ids of the exchanges that take place while the watch is open. */
    List<@Nullable Object> during() {
        return array("during");
    }

    List<@Nullable Object> events() {
        return array("events");
    }

    List<@Nullable Object> filterItems() {
        return array("filterItems");
    }

    boolean unordered() {
        return tree.containsKey("unordered");
    }

    boolean unstable() {
        return Boolean.TRUE.equals(tree.get("unstable"));
    }

    private List<@Nullable Object> array(String field) {
        return tree.get(field) instanceof List<?> list ? Json.asArray(list) : List.of();
    }

    /** JSON as the recorder wrote it, with a space after each comma and colon: some answers quote the body. */
    private static String spaced(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> Json.text(entry.getKey()) + ": " + spaced(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case List<?> list -> list.stream().map(Exchange::spaced).collect(Collectors.joining(", ", "[", "]"));
            case null, default -> Json.text(value);
        };
    }
}
