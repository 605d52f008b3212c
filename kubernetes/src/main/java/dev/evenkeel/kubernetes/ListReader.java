package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a list while it is received: each item is cut out and decoded as soon as it is complete, so that a list takes
 * the memory of its items and no more. Servers omit apiVersion and kind of items; they are prepended.
 */
final class ListReader<T extends HasMetadata> {
    private static final byte[] API_VERSION = "apiVersion".getBytes(UTF_8);
    private static final byte[] KIND = "kind".getBytes(UTF_8);
    private static final byte[] NOTHING = {};

    private final Kind<T> kind;
    private final JsonSource source;
    private final byte[] version;
    private final byte[] name;
    private final byte[] both;
    private final List<T> items = new ArrayList<>();
    private String type = "";
    private String resourceVersion = "";
    private String continueToken = "";

    private ListReader(Kind<T> kind, InputStream in, int limit) {
        this.kind = kind;
        source = new JsonSource(in, limit);
        String versionField = "\"apiVersion\":\"" + kind.apiVersion() + "\",";
        String kindField = "\"kind\":\"" + kind.kind() + "\",";
        version = ("{" + versionField).getBytes(UTF_8);
        name = ("{" + kindField).getBytes(UTF_8);
        both = ("{" + versionField + kindField).getBytes(UTF_8);
    }

    static <T extends HasMetadata> Listing<T> read(Kind<T> kind, InputStream in, int limit) throws IOException {
        return new ListReader<>(kind, in, limit).read();
    }

    private Listing<T> read() throws IOException {
        source.expect('{');
        while (!source.pass('}')) {
            String field = source.name();
            source.expect(':');
            switch (field) {
                case "items" -> items();
                case "metadata" -> metadata();
                case "kind" -> type = source.peek() == '"' ? source.name() : skipped();
                default -> source.skip();
            }
            source.pass(',');
        }
        if (!type.isEmpty() && !type.endsWith("List") && !type.equals("Status")) {
            throw new KubernetesClient.UnexpectedAnswerException(
                    "the server answered with one " + type + " where a list of " + kind.id() + " belongs");
        }
        return new Listing<>(items, resourceVersion, continueToken);
    }

    private String skipped() throws IOException {
        source.skip();
        return "";
    }

    private void metadata() throws IOException {
        source.mark();
        source.skip();
        byte[] text = source.take();
        if (text[0] == '{') {
            JsonNode metadata = JsonDocuments.parse(text);
            resourceVersion = metadata.path("resourceVersion").asText("");
            continueToken = metadata.path("continue").asText("");
        }
    }

    private void items() throws IOException {
        if (source.peek() != '[') {
            source.skip();
            return;
        }
        source.expect('[');
        while (!source.pass(']')) {
            items.add(ModelCodec.decode(item(), kind.javaType()));
            source.pass(',');
        }
    }

    private byte[] item() throws IOException {
        source.mark();
        source.expect('{');
        boolean hasVersion = false;
        boolean hasKind = false;
        boolean empty = true;
        while (!source.pass('}')) {
            int[] field = source.field();
            int length = field[1] - field[0];
            hasVersion |= length == API_VERSION.length && source.markedIs(field[0], API_VERSION);
            hasKind |= length == KIND.length && source.markedIs(field[0], KIND);
            empty = false;
            source.skip();
            source.pass(',');
        }
        if (empty) {
            throw new KubernetesClient.UnexpectedAnswerException("an item of the list of " + kind.id() + " is empty");
        }
        byte[] before = hasVersion ? (hasKind ? NOTHING : name) : (hasKind ? version : both);
        return source.take(before, before.length == 0 ? 0 : 1);
    }
}
