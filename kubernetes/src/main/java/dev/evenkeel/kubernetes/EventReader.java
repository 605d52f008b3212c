package dev.evenkeel.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;

/** Decodes the events of a watch. */
final class EventReader {
    private EventReader() {}

    /** Returns the event of a text; throws an event that is an error as the exception of the API. */
    static <T extends HasMetadata> Watch.Event<T> read(Kind<T> kind, byte[] text, int length) {
        String type = "";
        byte[] object = {};
        try {
            JsonSource source = new JsonSource(text, length);
            source.expect('{');
            while (!source.pass('}')) {
                String field = source.name();
                source.expect(':');
                if (field.equals("type") && source.peek() == '"') {
                    type = source.name();
                } else if (field.equals("object")) {
                    source.mark();
                    source.skip();
                    object = source.take();
                } else {
                    source.skip();
                }
                source.pass(',');
            }
        } catch (IOException e) {
            throw damaged(text, length);
        }
        if (type.equals("ERROR")) {
            JsonNode status = JsonDocuments.parse(object);
            throw ErrorResponses.of(status.path("code").asInt(0), status);
        }
        if (object.length == 0 || object[0] != '{') {
            throw damaged(text, length);
        }
        Watch.Type known = switch (type) {
            case "ADDED" -> Watch.Type.ADDED;
            case "MODIFIED" -> Watch.Type.MODIFIED;
            case "DELETED" -> Watch.Type.DELETED;
            case "BOOKMARK" -> Watch.Type.BOOKMARK;
            default -> throw damaged(text, length);
        };
        T decoded = ModelCodec.decode(object, kind.javaType());
        return new Watch.Event<>(known, decoded, version(decoded));
    }

    private static String version(HasMetadata object) {
        if (object instanceof Encoded encoded) {
            return encoded.header().resourceVersion();
        }
        String version =
                object.getMetadata() == null ? null : object.getMetadata().getResourceVersion();
        return version == null ? "" : version;
    }

    private static KubernetesClient.UnexpectedAnswerException damaged(byte[] text, int length) {
        return new KubernetesClient.UnexpectedAnswerException(
                "not a watch event: " + JsonDocuments.excerpt(java.util.Arrays.copyOf(text, Math.min(length, 800))));
    }
}
