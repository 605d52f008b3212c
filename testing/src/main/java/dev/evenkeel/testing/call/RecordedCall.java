package dev.evenkeel.testing.call;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client.Replicas;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * One call of a client: the request and the answer.
 *
 * @param number number of the call among those of a {@link ReactiveClient}, from 1, in the order in which they began
 * @param time time of its beginning
 * @param caller part of the code under test that made it, see {@link ReactiveClient#as}; empty when unknown
 * @param kind kind of the objects, with the class that the caller used
 * @param subresource sub-resource: {@code status}, {@code scale}; empty for the object
 * @param key requested key, of reads too; without name for many objects, and when the server generates the name
 * @param selection selection of lists, watches and collection deletes; otherwise {@link ListOptions#ALL}
 * @param writeOptions options of writes; otherwise {@link WriteOptions#DEFAULT}
 * @param deleteOptions options of deletes; otherwise {@link DeleteOptions#DEFAULT}
 */
public record RecordedCall(
        int number,
        Instant time,
        String caller,
        Verb verb,
        Kind<?> kind,
        String subresource,
        ObjectKey key,
        ListOptions selection,
        WriteOptions writeOptions,
        DeleteOptions deleteOptions,
        Body body,
        Answer answer) {
    /** The caller of calls that reactors make. */
    public static final String REACTOR = "reactor";

    /** Returns whether it attempts a change: a write that is not a dry run. The answer shows whether it took effect. */
    public boolean isWrite() {
        return verb.writes() && !writeOptions.dryRun() && !deleteOptions.dryRun();
    }

    /** Returns whether it failed. */
    public boolean failed() {
        return answer instanceof Answer.Failed;
    }

    RecordedCall begun(int n, String by) {
        return new RecordedCall(
                n, time, by, verb, kind, subresource, key, selection, writeOptions, deleteOptions, body, answer);
    }

    RecordedCall with(ListOptions selects, DeleteOptions deletes) {
        return new RecordedCall(
                number, time, caller, verb, kind, subresource, key, selects, writeOptions, deletes, body, answer);
    }

    RecordedCall with(WriteOptions options, Body sent) {
        return new RecordedCall(
                number, time, caller, verb, kind, subresource, key, selection, options, deleteOptions, sent, answer);
    }

    RecordedCall with(Answer a) {
        return new RecordedCall(
                number, time, caller, verb, kind, subresource, key, selection, writeOptions, deleteOptions, body, a);
    }

    /** Returns the request as text, such as {@code update websites.example.com/status default/blog}. */
    public String question() {
        String which = " " + key + (key.name().isEmpty() ? "*" : "");
        if (key.name().isEmpty() && verb.selects()) {
            which = key.namespace().isEmpty() ? "" : " in " + key.namespace();
        }
        String part = subresource.isEmpty() ? "" : "/" + subresource;
        return verb + " " + kind.id() + part + which + (verb.writes() && !isWrite() ? " (dry run)" : "");
    }

    /** Returns one line, such as {@code 3 create configmaps default/child -> 409 AlreadyExists}. */
    @Override
    public String toString() {
        return number + " " + question() + " -> " + answer.text();
    }

    /** The answer to a {@link RecordedCall}. Objects are immutable and as the server sent them. */
    public sealed interface Answer {
        /** No answer yet. */
        record Pending() implements Answer {}

        /** An object: read, or the state after the write. */
        record Found(Encoded object) implements Answer {}

        /** The object does not exist. */
        record Missing() implements Answer {}

        /** Objects: listed, or deleted; deleted ones without version. */
        record Listed(Listing<Encoded> listing) implements Answer {}

        /** A watch, which belongs to the caller. */
        record Watching(Watch<?> watch) implements Answer {}

        /** A scale. */
        record Scaled(Replicas replicas) implements Answer {}

        /** The object was deleted; the uid is empty when the server did not send it. */
        record Gone(String uid) implements Answer {}

        /** The object was marked for deletion; the uid is empty when the server did not send it. */
        record Marked(String uid, Encoded object) implements Answer {}

        /** The call failed: by a refusal of the API, or another exception. */
        record Failed(Throwable error) implements Answer {}

        /** Returns the answer as text, such as {@code version 7} or {@code 409 AlreadyExists}. */
        default String text() {
            return switch (this) {
                case Pending() -> "under way";
                case Found(Encoded object) -> {
                    String version = object.header().resourceVersion();
                    yield version.isEmpty() ? "done" : "version " + version;
                }
                case Missing() -> "none";
                case Listed(Listing<Encoded>(var items, String unused, String token)) ->
                    items.size() + (items.size() == 1 ? " object" : " objects") + (token.isEmpty() ? "" : ", and more");
                case Watching unused -> "watching";
                case Scaled(Replicas replicas) -> replicas.desired() + " desired, " + replicas.observed() + " observed";
                case Gone unused -> "gone";
                case Marked unused -> "marked for deletion";
                case Failed(ApiException refusal) -> (refusal.code() + " " + refusal.reason()).strip();
                case Failed(Throwable error) -> error.getClass().getSimpleName();
            };
        }
    }

    /**
     * The body of a {@link RecordedCall}, as it was before the call; immutable.
     *
     * <p>A path into it is written {@code spec.template.metadata.labels}, a key with dots in brackets,
     * {@code metadata.annotations[example.com/owner]}, an element of a list by its number,
     * {@code spec.containers.0.image}.
     */
    public sealed interface Body {
        /** No body, for reads and deletes. */
        record Nothing() implements Body {}

        /** An object, for create and apply. */
        record Whole(Encoded object) implements Body {}

        /**
         * An object that replaces another, for update.
         *
         * @param present the server's object just before; empty when there was none
         * @param part {@code status} when only that counts; empty when all of it does
         */
        record Replacement(Encoded object, Optional<Encoded> present, String part) implements Body {}

        /** A patch. */
        record Change(Patch patch) implements Body {}

        /** The desired number of replicas, for an update of a scale. */
        record Scale(int replicas) implements Body {}

        /** Returns the body as text: JSON, or the format of the patch. */
        default String text() {
            return switch (this) {
                case Nothing unused -> "";
                case Whole(Encoded object) -> object.toString();
                case Replacement update -> update.object().toString();
                case Change(Patch patch) -> patch.text();
                case Scale(int replicas) -> "{\"spec\":{\"replicas\":" + replicas + "}}";
            };
        }

        /**
         * Returns the object in a class; empty when the body has no whole object.
         *
         * @throws IllegalArgumentException when it does not fit the class; the message names the field
         */
        default <T extends HasMetadata> Optional<T> object(Class<T> type) {
            return switch (this) {
                case Whole(Encoded object) -> Optional.of(object.decode(type));
                case Replacement update -> Optional.of(update.object().decode(type));
                default -> Optional.empty();
            };
        }

        /**
         * Returns a copy with a changed object; this body when it has no whole object.
         *
         * @throws IllegalArgumentException when it does not fit the class; the message names the field
         */
        default <T extends HasMetadata> Body with(Class<T> type, UnaryOperator<T> change) {
            return switch (this) {
                case Whole(Encoded object) -> new Whole(changed(object, type, change));
                case Replacement(Encoded object, Optional<Encoded> present, String part) ->
                    new Replacement(changed(object, type, change), present, part);
                default -> this;
            };
        }

        private static <T extends HasMetadata> Encoded changed(Encoded object, Class<T> type, UnaryOperator<T> change) {
            return Encoded.of(ModelCodec.encode(change.apply(object.decode(type))));
        }

        /**
         * Returns a condition for bodies that write at this path, above or below it: a patch with an operation there,
         * an update that differs there from the server's object, an object to create or apply with a value there.
         */
        static Predicate<Body> touches(String path) {
            Path wanted = Path.parse(path);
            return new Described<>("touching " + path, body -> Writes.of(body).touch(wanted));
        }

        /**
         * Returns a condition for bodies that write this value at this path.
         *
         * @param value a string, number or boolean, or lists and maps of such
         */
        static Predicate<Body> sets(String path, Object value) {
            Path wanted = Path.parse(path);
            String words = "setting " + path + " to " + value;
            return new Described<>(words, body -> Writes.of(body).set(wanted, value));
        }

        /** Returns a condition for bodies whose {@link #text} contains this text. */
        static Predicate<Body> contains(String text) {
            String words = "containing \"" + text + "\"";
            return new Described<>(words, body -> body.text().contains(text));
        }
    }

    /** The verb of a {@link RecordedCall}, independent of the sub-resource. */
    public enum Verb {
        /** Reads an object, or its scale. */
        GET,
        /** Reads many objects. */
        LIST,
        /** Opens a watch. */
        WATCH,
        /** Creates an object. */
        CREATE,
        /** Replaces an object, its status or its scale. */
        UPDATE,
        /** Server-side apply, with an object or with a patch. */
        APPLY,
        /** All other patches. */
        PATCH,
        /** Deletes an object. */
        DELETE,
        /** Deletes all selected objects. */
        DELETE_COLLECTION;

        /** Returns whether it writes. */
        public boolean writes() {
            return this != GET && this != LIST && this != WATCH;
        }

        /** Returns whether it is for many objects, so that its calls have no name. */
        public boolean selects() {
            return this == LIST || this == WATCH || this == DELETE_COLLECTION;
        }

        /** Returns it in lower case, such as {@code delete collection}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
