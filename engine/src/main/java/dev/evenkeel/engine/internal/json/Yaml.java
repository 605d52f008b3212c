package dev.evenkeel.engine.internal.json;

import dev.evenkeel.engine.JsonLimits;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * YAML documents as the trees of {@link Json}.
 *
 * <p><b>The problem.</b> YAML from clients is hostile input in a language that can repeat parts of itself, and it must
 * have the same meaning here as in kubectl and kube-apiserver, which read it by the rules of YAML 1.1.
 *
 * <ol>
 *   <li>Scalars are read as goyaml.v2 does: see {@link YamlScalars}. Keys become text; a whole number is an integer
 *       even if it was written as 1.0.
 *   <li>Anchors are copied where they are used, so that the tree has no shared parts; the number of repeated
 *       collections, their total size (the size that a document may have) and the depth are limited. An anchor that
 *       contains itself is refused.
 *   <li>Of equal keys the last wins; strict readers receive {@code line 6: key "note" already set in map}.
 *   <li>{@code <<} merges maps; later keys win over merged ones.
 *   <li>Whatever the bytes are, the answer is a tree or a {@link JsonException} within linear time.
 * </ol>
 *
 * <p>The grammar is snakeyaml-engine's, used for its events only: its own constructor recurses, and reads YAML 1.2.
 */
public final class Yaml {
    private Yaml() {}

    /** Parses the first document; null when there is none. Of duplicate keys the last wins. */
    public static @Nullable Object parse(byte[] bytes, JsonLimits limits) {
        return parse(bytes, limits, duplicate -> {});
    }

    /**
     * Parses the first document; null when there is none.
     *
     * @param duplicates receives each key that occurs again in its map, in upstream's words: {@code line 6: key "note"
     *     already set in map}; the last value wins
     * @throws JsonException when the bytes are not YAML, or exceed a limit; the message begins with {@code yaml:} where
     *     upstream's does
     */
    public static @Nullable Object parse(byte[] bytes, JsonLimits limits, Consumer<String> duplicates) {
        List<@Nullable Object> document = read(bytes, limits, duplicates, YamlReader::next);
        return document.isEmpty() ? null : document.getFirst();
    }

    /**
     * Parses all documents, except empty and null ones.
     *
     * @throws JsonException when the bytes are not YAML, or exceed a limit
     */
    public static List<Object> parseAll(byte[] bytes, JsonLimits limits) {
        return read(bytes, limits, duplicate -> {}, reader -> {
            List<Object> documents = new ArrayList<>();
            for (List<@Nullable Object> next = reader.next(); !next.isEmpty(); next = reader.next()) {
                Object document = next.getFirst();
                if (document != null) {
                    documents.add(document);
                }
            }
            return documents;
        });
    }

    private static <T> T read(
            byte[] bytes, JsonLimits limits, Consumer<String> duplicates, Function<YamlReader, T> result) {
        Json.checkSize(bytes, limits);
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(limits.maxBytes())
                .setBufferSize(Math.clamp(bytes.length, 128, 8192))
                .build();
        try {
            ParserImpl events = new ParserImpl(settings, new StreamReader(settings, text(bytes, limits)));
            return result.apply(new YamlReader(events, limits, duplicates));
        } catch (YamlEngineException e) {
            throw YamlSyntax.error(e);
        } catch (IllegalArgumentException e) {
            // the parser's own exception, for an escape that is cut off, or is not a character
            throw new JsonException("yaml: did not find expected hexadecimal number of an escape sequence");
        }
    }

    /**
     * Returns the characters; of JSON with spaces for tabs, which separate tokens there, but which the parser accepts
     * in few places.
     */
    private static String text(byte[] bytes, JsonLimits limits) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf('\t') >= 0 && isJson(bytes, limits) ? text.replace('\t', ' ') : text;
        } catch (CharacterCodingException e) {
            throw new JsonException("yaml: invalid UTF-8");
        }
    }

    private static boolean isJson(byte[] bytes, JsonLimits limits) {
        try {
            Json.parse(bytes, limits);
            return true;
        } catch (JsonException e) {
            return false;
        }
    }

    /**
     * Returns the tree as a YAML document in block style, UTF-8, keys sorted, as kube-apiserver answers {@code
     * application/yaml}.
     */
    public static byte[] write(@Nullable Object tree) {
        return text(tree).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the output of {@link #write} as text. */
    public static String text(@Nullable Object tree) {
        return YamlWriter.write(tree);
    }

    /** Parses the first document, which must be an object. */
    public static JsonObject parseObject(byte[] bytes, JsonLimits limits) {
        return Json.onlyObject(parse(bytes, limits));
    }
}
