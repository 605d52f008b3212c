package dev.evenkeel.server.internal.http;

import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import java.util.List;
import java.util.Optional;

/** The encodings of answers. */
public enum Encoding {
    JSON(HttpExchange.JSON),
    YAML(HttpExchange.YAML),
    /** For documents of built-in kinds only, see {@link ProtobufFormat}. */
    PROTOBUF(ProtobufFormat.MEDIA_TYPE);

    /** The parameters of clauses that ask for another form, which errors do not have. */
    private static final List<String> CHANGED = List.of("as", "g", "v", "sv");

    private final String mediaType;
    private final String subtype;

    Encoding(String mediaType) {
        this.mediaType = mediaType;
        subtype = mediaType.substring(mediaType.indexOf('/') + 1);
    }

    public String mediaType() {
        return mediaType;
    }

    /** Returns the encoding that a clause of {@code Accept} covers; JSON if it covers several. */
    static Optional<Encoding> of(MediaType clause) {
        for (Encoding encoding : values()) {
            if (encoding.isCoveredBy(clause)) {
                return Optional.of(encoding);
            }
        }
        return Optional.empty();
    }

    boolean isCoveredBy(MediaType clause) {
        return clause.covers("application", subtype);
    }

    /** Returns the encoding that a client prefers for errors, which every client must understand. */
    static Encoding ofErrors(String accept) {
        if (accept.isBlank() || accept.equals(HttpExchange.JSON)) {
            return JSON;
        }
        return MediaType.accept(accept).stream()
                .filter(clause ->
                        CHANGED.stream().allMatch(name -> clause.parameter(name).isEmpty()))
                .flatMap(clause -> of(clause).stream())
                .findFirst()
                .orElse(JSON);
    }

    byte[] encode(JsonObject tree, boolean pretty) {
        return switch (this) {
            case JSON -> pretty ? Json.writePretty(tree) : Json.write(tree);
            case YAML -> Yaml.write(tree);
            case PROTOBUF -> ProtobufFormat.encode(tree);
        };
    }
}
