package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Makes {@link Document}s of stored entries and of trees. */
public final class Documents {
    private static final byte[] OPEN = {'{'};
    private static final byte[] VERSION_HEAD = "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final int METADATA_HEAD = "\"metadata\":{".length();

    private Documents() {}

    /** Returns an entry in the version of the target at a revision (its own, or that of its deletion). */
    public static Document of(Store.Entry entry, long revision, Target target, ResourceStrategy strategy) {
        Store.Value value = entry.value();
        if (value.isEncodedFor(target.version())) {
            return new Stored(entry, revision, strategy.head());
        }
        return new Tree(strategy.convert(StoredObject.tree(value, revision)));
    }

    /** Returns the document of a tree, which must not be changed afterwards. */
    public static Document of(JsonObject tree) {
        return new Tree(tree);
    }

    /** A stored object whose encoding begins with the head: only the resourceVersion is missing. */
    private record Stored(Store.Entry entry, long revision, byte[] head) implements Document {
        @Override
        public byte[] json() {
            byte[] bytes = entry.value().bytes();
            byte[] version = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
            int length = StoredObject.jsonLength(bytes);
            int rest = head.length + METADATA_HEAD;
            byte[] out = new byte[length + VERSION_HEAD.length + version.length + 2];
            System.arraycopy(bytes, 0, out, 0, rest);
            int at = rest;
            System.arraycopy(VERSION_HEAD, 0, out, at, VERSION_HEAD.length);
            at += VERSION_HEAD.length;
            System.arraycopy(version, 0, out, at, version.length);
            at += version.length;
            out[at++] = '"';
            out[at++] = ',';
            System.arraycopy(bytes, rest, out, at, length - rest);
            return out;
        }

        @Override
        public JsonObject tree() {
            return StoredObject.tree(entry.value(), revision);
        }

        @Override
        public Optional<Object> stored() {
            return revision == entry.revision() ? Optional.of(entry.value()) : Optional.empty();
        }

        @Override
        public void writeTo(OutputStream out, boolean withHead) {
            byte[] bytes = entry.value().bytes();
            int rest = head.length + METADATA_HEAD;
            try {
                out.write(withHead ? head : OPEN);
                out.write(bytes, head.length, METADATA_HEAD);
                out.write(VERSION_HEAD);
                out.write(Long.toString(revision).getBytes(StandardCharsets.US_ASCII));
                out.write('"');
                out.write(',');
                out.write(bytes, rest, StoredObject.jsonLength(bytes) - rest);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private record Tree(JsonObject content) implements Document {
        @Override
        public byte[] json() {
            return Json.write(content);
        }

        @Override
        public JsonObject tree() {
            return content.copy();
        }
    }
}
