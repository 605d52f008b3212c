package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Objects of built-in kinds in protobuf, the encoding that Kubernetes' own programs prefer.
 *
 * <p><b>Problem.</b> Clients send and request objects of 80 kinds, in several versions each, in an encoding whose field
 * numbers are a contract. They are facts: {@link FactTable} has them, and trees are transcoded by the table. Classes
 * generated from definitions would be five megabytes of code that repeats the table, and every object would be copied
 * into them and back.
 *
 * <p><b>Form.</b> A body is four bytes ({@code k8s} and 0) and an envelope: apiVersion and kind (1), the object's message
 * (2), content encoding (3), content type (4). An event of a watch is a message of type (1) and the object, as a body, in
 * a raw extension (2).
 *
 * <p><b>Invariants.</b> (1) What is decoded has the form in which {@link BuiltinDecoder} leaves it. (2) Encoding what was
 * decoded gives the same bytes, if those came from Go. (3) Decoding fails only with a MalformedObjectException.
 *
 * <p>Safe for concurrent use; nothing but facts is shared.
 */
public final class ProtobufFormat {
    /** The media type. */
    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] PREFIX = {'k', '8', 's', 0};
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final String TYPE_META = "io.k8s.apimachinery.pkg.runtime.TypeMeta";
    private static final int ITEMS = 2;
    /** The bytes of items that are held between the two passes over a list. */
    private static final int MOST_HELD = 4 << 20;

    private ProtobufFormat() {}

    /**
     * A body that was opened: its message is not decoded yet.
     *
     * @param apiVersion empty when unspecified
     * @param kind empty when unspecified
     * @param raw the message
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Envelope(String apiVersion, String kind, byte[] raw) {
        /** Returns this envelope with a kind where it has none. */
        public Envelope orElse(String otherVersion, String otherKind) {
            return new Envelope(
                    apiVersion.isEmpty() ? otherVersion : apiVersion, kind.isEmpty() ? otherKind : kind, raw);
        }

        /** Returns a new tree with kind and apiVersion. */
        JsonObject head() {
            return JsonObject.of("kind", kind, "apiVersion", apiVersion);
        }
    }

    /** Loaded at the first use of this encoding: definitions by {@code group/version/Kind}. */
    private static final class Kinds {
        static final Map<String, String> DEFINITIONS = FactTable.INSTANCE.definitionsByKind();
    }

    /** Returns the definition of a kind that has a message; kinds such as DeleteOptions belong to every group. */
    static Optional<String> definition(String apiVersion, String kind) {
        String group = apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
        String known = Kinds.DEFINITIONS.get(group + "/" + kind);
        return Optional.ofNullable(known == null ? META + kind : known)
                .filter(name -> FactTable.INSTANCE.find(name) != null)
                .filter(name -> !MessageLayout.of(name).parts().isEmpty());
    }

    /** Returns true if objects of the kind have a form in protobuf. */
    public static boolean covers(String apiVersion, String kind) {
        return definition(apiVersion, kind).isPresent();
    }

    /** Returns the body of an object, or of a list, of a kind that is covered. */
    public static byte[] encode(JsonObject tree) {
        return encode(tree.string("apiVersion"), tree.string("kind"), message(tree));
    }

    /** Returns the message of an object whose kind it names, without an envelope: an item of a list. */
    public static byte[] message(JsonObject tree) {
        return message(tree, tree.string("apiVersion"), tree.string("kind"));
    }

    private static byte[] message(JsonObject tree, String apiVersion, String kind) {
        String definition = definition(apiVersion, kind)
                .orElseThrow(() -> new IllegalArgumentException("no protobuf form of " + apiVersion + " " + kind));
        BackwardWriter out = new BackwardWriter(1024);
        new ProtobufEncoder(out).fields(tree, MessageLayout.of(definition));
        return out.toByteArray();
    }

    /** Returns the body of an object whose {@link #message} is known. */
    public static byte[] encode(String apiVersion, String kind, byte[] message) {
        BackwardWriter out = new BackwardWriter(message.length + apiVersion.length() + kind.length() + 32);
        out.text(4, "");
        out.text(3, "");
        out.bytes(2, message);
        head(out, apiVersion, kind);
        return out.toByteArray();
    }

    /** Writes what stands before the message. */
    private static void head(BackwardWriter out, String apiVersion, String kind) {
        int before = out.size();
        out.text(2, kind);
        out.text(1, apiVersion);
        out.delimit(1, before);
        out.raw(PREFIX);
    }

    /**
     * Writes the body of a list, item by item. The length of a list stands before its items, so these are encoded twice
     * where they are too many to be held: then a list of any length needs {@value #MOST_HELD} bytes and one item.
     *
     * @param list the list without items
     * @param items the number of items
     * @param item returns the {@link #message} of an item, the same at each call
     */
    public static void writeList(OutputStream out, JsonObject list, int items, IntFunction<byte[]> item)
            throws IOException {
        byte[] own = message(list);
        long size = own.length;
        List<byte[]> held = new ArrayList<>();
        long bytesHeld = 0;
        for (int i = 0; i < items; i++) {
            byte[] message = item.apply(i);
            size += message.length + tag(ITEMS, message.length).length;
            if (held.size() == i && bytesHeld + message.length <= MOST_HELD) {
                held.add(message);
                bytesHeld += message.length;
            }
        }
        BackwardWriter head = new BackwardWriter(128);
        head.varint(size);
        head.tag(2, BackwardWriter.DELIMITED);
        head(head, list.string("apiVersion"), list.string("kind"));
        out.write(head.toByteArray());
        out.write(own);
        for (int i = 0; i < items; i++) {
            byte[] message = i < held.size() ? held.get(i) : item.apply(i);
            out.write(tag(ITEMS, message.length));
            out.write(message);
        }
        BackwardWriter tail = new BackwardWriter(4);
        tail.text(4, "");
        tail.text(3, "");
        out.write(tail.toByteArray());
    }

    private static byte[] tag(int number, int length) {
        BackwardWriter out = new BackwardWriter(6);
        out.varint(length);
        out.tag(number, BackwardWriter.DELIMITED);
        return out.toByteArray();
    }

    /**
     * Returns an event of a watch.
     *
     * @param type such as {@code ADDED}
     * @param object the body of the object
     */
    public static byte[] event(String type, byte[] object) {
        BackwardWriter out = new BackwardWriter(object.length + 32);
        int before = out.size();
        out.bytes(1, object);
        out.delimit(2, before);
        out.text(1, type);
        return out.toByteArray();
    }

    static boolean isEnvelope(byte[] bytes) {
        return bytes.length >= PREFIX.length && Arrays.equals(PREFIX, 0, 4, bytes, 0, 4);
    }

    /**
     * Opens a body.
     *
     * @throws MalformedObjectException when the bytes are not an envelope
     */
    public static Envelope open(byte[] body) {
        if (body.length == 0) {
            throw new MalformedObjectException("empty data");
        }
        if (!isEnvelope(body)) {
            throw new MalformedObjectException(
                    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
        }
        if (body.length == PREFIX.length) {
            throw new MalformedObjectException("empty body");
        }
        ProtobufReader in = new ProtobufReader(body).after(PREFIX.length);
        JsonObject head = new JsonObject();
        byte[] raw = {};
        while (!in.atEnd()) {
            int tag = in.tag("Unknown");
            switch (tag >>> 3) {
                case 1 -> {
                    ProtobufDecoder.requireDelimited(tag & 7, "TypeMeta");
                    new ProtobufDecoder().fields(in.content(), head, MessageLayout.of(TYPE_META));
                }
                case 2 -> {
                    ProtobufDecoder.requireDelimited(tag & 7, "Raw");
                    raw = in.bytes();
                }
                default -> in.skip(tag & 7);
            }
        }
        return new Envelope(head.string("apiVersion"), head.string("kind"), raw);
    }

    /**
     * Returns the object of an envelope; only its kind and apiVersion, if that kind is not known.
     *
     * @throws MalformedObjectException when the bytes are not a message of that kind
     */
    public static JsonObject decode(Envelope envelope) {
        return decode(envelope, new ProtobufDecoder());
    }

    /**
     * Does the same for an object that will be brought into the form of its kind, as every object that is written is:
     * leaves that out.
     *
     * @throws MalformedObjectException when the bytes are not a message of that kind
     */
    public static JsonObject decodeUnformed(Envelope envelope) {
        return unformed(envelope, new ProtobufDecoder());
    }

    /** Decodes with a decoder that may be inside another message. */
    static JsonObject decode(Envelope envelope, ProtobufDecoder decoder) {
        JsonObject tree = unformed(envelope, decoder);
        definition(envelope.apiVersion(), envelope.kind())
                .ifPresent(definition -> BuiltinDecoder.normalize(tree, definition));
        return tree;
    }

    private static JsonObject unformed(Envelope envelope, ProtobufDecoder decoder) {
        JsonObject tree = envelope.head();
        definition(envelope.apiVersion(), envelope.kind())
                .ifPresent(definition ->
                        decoder.fields(new ProtobufReader(envelope.raw()), tree, MessageLayout.of(definition)));
        return tree;
    }
}
