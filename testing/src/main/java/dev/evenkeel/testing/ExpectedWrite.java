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
    default Verb verb() {
        return switch (this) {
            case Sent sent -> sent.verb;
            case Patched unused -> Verb.PATCH;
            case Scaled unused -> Verb.UPDATE;
            case Deleted unused -> Verb.DELETE;
            case DeletedAll unused -> Verb.DELETE_COLLECTION;
        };
    }

    /** Returns the sub-resource; empty for the object itself. */
    default String subresource() {
        return this instanceof Scaled ? "scale" : "";
    }

    Kind<?> kind();

    ObjectKey key();

    /** Returns the key of a call to compare with that of this write. */
    default ObjectKey key(RecordedCall call) {
        return call.key();
    }

    default String question() {
        return verb() + " " + kind().id() + (subresource().isEmpty() ? "" : "/" + subresource())
                + (key().name().isEmpty()
                        ? key().namespace().isEmpty() ? "" : " in " + key().namespace()
                        : " " + key());
    }

    /** An object that is created, updated or applied; an empty field manager stands for any. */
    record Sent(
            Verb verb, String subresource, Kind<?> kind, ObjectKey key, Encoded object, Optional<String> fieldManager)
            implements ExpectedWrite {}

    /** A patch: the function returns the expected one for the one that was sent. */
    record Patched(String subresource, Kind<?> kind, ObjectKey key, UnaryOperator<Patch> patch)
            implements ExpectedWrite {}

    record Scaled(Kind<?> kind, ObjectKey key, int replicas) implements ExpectedWrite {}

    /** A deletion; empty options stand for any. */
    record Deleted(Kind<?> kind, ObjectKey key, Optional<DeleteOptions> options) implements ExpectedWrite {}

    record DeletedAll(Kind<?> kind, ListOptions selection) implements ExpectedWrite {
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
