package dev.evenkeel.testing;

import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.call.RecordedCall.Verb;
import java.util.Optional;
import java.util.function.UnaryOperator;

sealed interface ExpectedWrite {
    Verb verb();

    /** Returns the sub-resource; empty for the object itself. */
    default String subresource() {
        return "";
    }

    Kind<?> kind();

    ObjectKey key();

    /** Returns the key of a call to compare with that of this write. */
    default ObjectKey key(RecordedCall call) {
        return call.key();
    }

    /** Returns the text of the request, as that of a call. */
    default String question() {
        return verb() + " " + kind().id() + (subresource().isEmpty() ? "" : "/" + subresource())
                + (key().name().isEmpty()
                        ? key().namespace().isEmpty() ? "" : " in " + key().namespace()
                        : " " + key());
    }

    /**
     * An object that is created, updated or applied.
     *
     * @param fieldManager field manager of an apply; empty for any
     */
    record Sent(
            Verb verb, String subresource, Kind<?> kind, ObjectKey key, Encoded object, Optional<String> fieldManager)
            implements ExpectedWrite {}

    /**
     * A patch.
     *
     * @param patch returns the expected patch for the one that was sent
     */
    record Patched(String subresource, Kind<?> kind, ObjectKey key, UnaryOperator<Patch> patch)
            implements ExpectedWrite {
        @Override
        public Verb verb() {
            return Verb.PATCH;
        }
    }

    /** A new number of replicas. */
    record Scaled(Kind<?> kind, ObjectKey key, int replicas) implements ExpectedWrite {
        @Override
        public Verb verb() {
            return Verb.UPDATE;
        }

        @Override
        public String subresource() {
            return "scale";
        }
    }

    /**
     * A deletion.
     *
     * @param options empty for any
     */
    record Deleted(Kind<?> kind, ObjectKey key, Optional<DeleteOptions> options) implements ExpectedWrite {
        @Override
        public Verb verb() {
            return Verb.DELETE;
        }
    }

    /** A deletion of selected objects. */
    record DeletedAll(Kind<?> kind, ListOptions selection) implements ExpectedWrite {
        @Override
        public Verb verb() {
            return Verb.DELETE_COLLECTION;
        }

        @Override
        public ObjectKey key() {
            return new ObjectKey(selection.namespace(), "");
        }

        @Override
        public ObjectKey key(RecordedCall call) {
            return new ObjectKey(call.key().namespace(), "");
        }
    }
}
