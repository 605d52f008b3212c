package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes {@link Document}s of stored entries and of trees. */
public final class Documents {
    private static final byte[] OPEN = {'{'};

    private Documents() {}

    /** Returns an entry in the version of the target at a revision (its own, or that of its deletion). */
    public static Document of(Entry entry, long revision, Target target, ResourceStrategy strategy) {
        StoredObject object = (StoredObject) entry.value();
        if (object.isOf(target.version())) {
            return new Stored(object, revision, strategy.head());
        }
        return new Tree(strategy.convert(object.tree(revision)));
    }

    /** Returns the document of a tree, which must not be changed afterwards. */
    public static Document of(Map<String, @Nullable Object> tree) {
        return new Tree(tree);
    }

    private record Stored(StoredObject object, long revision, byte[] head) implements Document {
        @Override
        public byte[] json() {
            return object.json(head, revision);
        }

        @Override
        public Map<String, @Nullable Object> tree() {
            return object.tree(revision);
        }

        @Override
        public void writeTo(OutputStream out, boolean withHead) {
            try {
                object.writeTo(out, withHead ? head : OPEN, revision);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private record Tree(Map<String, @Nullable Object> content) implements Document {
        @Override
        public byte[] json() {
            return Json.write(content);
        }

        @Override
        public Map<String, @Nullable Object> tree() {
            return Json.copyObject(content);
        }
    }
}
