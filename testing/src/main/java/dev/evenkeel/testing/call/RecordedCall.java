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
 * One call of a client: what was asked, and what came back.
 *
 * @param number counts the calls of a {@link ReactiveClient}, from 1, in the order in which they began
 * @param time when it began
 * @param caller which part of the code under test made it, see {@link ReactiveClient#as}; empty when it did not say
 * @param verb what it does
 * @param kind to objects of what kind, in the class that the caller asked for
 * @param subresource to what part of it: {@code status}, {@code scale}; empty for the object
 * @param key which object; without name when it is about many, and when the server is to find a name. As it was asked
 *     for, of reads too
 * @param selection of lists, watches and collection deletes which objects; of others {@link ListOptions#ALL}
 * @param writeOptions of writes how; of others {@link WriteOptions#DEFAULT}
 * @param deleteOptions of deletes how; of others {@link DeleteOptions#DEFAULT}
 * @param body what was sent
 * @param answer what came back
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

    /** Whether it would change something: a write that is no dry run. Whether it did, the answer says. */
    public boolean isWrite() {
        return verb.writes() && !writeOptions.dryRun() && !deleteOptions.dryRun();
    }

    /** Whether it failed. */
    public boolean failed() {
        return answer instanceof Answer.Failed;
    }

    RecordedCall withNumber(int value) {
        return new RecordedCall(
                value,
                time,
                caller,
                verb,
                kind,
                subresource,
                key,
                selection,
                writeOptions,
                deleteOptions,
                body,
                answer);
    }

    RecordedCall withCaller(String value) {
        return new RecordedCall(
                number,
                time,
                value,
                verb,
                kind,
                subresource,
                key,
                selection,
                writeOptions,
                deleteOptions,
                body,
                answer);
    }

    RecordedCall with(ListOptions value) {
        return new RecordedCall(
                number, time, caller, verb, kind, subresource, key, value, writeOptions, deleteOptions, body, answer);
    }

    RecordedCall with(WriteOptions value) {
        return new RecordedCall(
                number, time, caller, verb, kind, subresource, key, selection, value, deleteOptions, body, answer);
    }

    RecordedCall with(DeleteOptions value) {
        return new RecordedCall(
                number, time, caller, verb, kind, subresource, key, selection, writeOptions, value, body, answer);
    }

    RecordedCall withBody(Body value) {
        return new RecordedCall(
                number,
                time,
                caller,
                verb,
                kind,
                subresource,
                key,
                selection,
                writeOptions,
                deleteOptions,
                value,
                answer);
    }

    RecordedCall withAnswer(Answer value) {
        return new RecordedCall(
                number,
                time,
                caller,
                verb,
                kind,
                subresource,
                key,
                selection,
                writeOptions,
                deleteOptions,
                body,
                value);
    }

    /** What is asked, such as {@code update websites.example.com/status default/blog}. */
    public String question() {
        StringBuilder text = new StringBuilder(verb.toString()).append(' ').append(kind.id());
        if (!subresource.isEmpty()) {
            text.append('/').append(subresource);
        }
        if (!key.name().isEmpty()) {
            text.append(' ').append(key);
        } else if (verb.selects()) {
            text.append(key.namespace().isEmpty() ? "" : " in " + key.namespace());
        } else {
            text.append(' ').append(key).append('*');
        }
        if (verb.writes() && !isWrite()) {
            text.append(" (dry run)");
        }
        return text.toString();
    }

    /** In one line, such as {@code 3 create configmaps default/child -> 409 AlreadyExists}. */
    @Override
    public String toString() {
        return number + " " + question() + " -> " + answer;
    }

    /** What came back to a {@link RecordedCall}. Objects are as they were answered, and never change. */
    public sealed interface Answer {
        /** Nothing yet: the call is under way. */
        record Pending() implements Answer {
            @Override
            public String toString() {
                return "under way";
            }
        }

        /**
         * The object: read, or as it is after the write.
         *
         * @param object the object
         */
        record Found(Encoded object) implements Answer {
            @Override
            public String toString() {
                String version = object.header().resourceVersion();
                return version.isEmpty() ? "done" : "version " + version;
            }
        }

        /** There is no such object. */
        record Missing() implements Answer {
            @Override
            public String toString() {
                return "none";
            }
        }

        /**
         * Objects: of a list, or those deleted.
         *
         * @param listing the objects; for those deleted without version
         */
        record Listed(Listing<Encoded> listing) implements Answer {
            @Override
            public String toString() {
                int count = listing.items().size();
                return count
                        + (count == 1 ? " object" : " objects")
                        + (listing.continueToken().isEmpty() ? "" : ", and more");
            }
        }

        /**
         * A watch, which belongs to the caller.
         *
         * @param watch the watch
         */
        record Watching(Watch<?> watch) implements Answer {
            @Override
            public String toString() {
                return "watching";
            }
        }

        /**
         * A scale.
         *
         * @param replicas the scale
         */
        record Scaled(Replicas replicas) implements Answer {
            @Override
            public String toString() {
                return replicas.desired() + " desired, " + replicas.observed() + " observed";
            }
        }

        /**
         * The object is gone.
         *
         * @param uid its uid; empty when it was not said
         */
        record Gone(String uid) implements Answer {
            @Override
            public String toString() {
                return "gone";
            }
        }

        /**
         * The object stays, marked for deletion.
         *
         * @param uid its uid; empty when it was not said
         * @param object the object as it stays
         */
        record Marked(String uid, Encoded object) implements Answer {
            @Override
            public String toString() {
                return "marked for deletion";
            }
        }

        /**
         * The call failed.
         *
         * @param error a refusal of the API, or what else was thrown
         */
        record Failed(Throwable error) implements Answer {
            @Override
            public String toString() {
                return error instanceof ApiException refusal
                        ? (refusal.code() + " " + refusal.reason()).strip()
                        : error.getClass().getSimpleName();
            }
        }
    }

    /**
     * What a {@link RecordedCall} sends, as it was before the call; nothing changes it.
     *
     * <p>A path into it is written {@code spec.template.metadata.labels}, a key with dots in brackets,
     * {@code metadata.annotations[example.com/owner]}, an element of a list by its number, {@code spec.containers.0.image}.
     */
    public sealed interface Body {
        /** Nothing: of reads and deletes. */
        record Nothing() implements Body {}

        /**
         * An object: of create and apply.
         *
         * @param object the object
         */
        record Whole(Encoded object) implements Body {}

        /**
         * An object that replaces another: of update.
         *
         * @param object the object
         * @param present what the server had just before; empty when it had none
         * @param part {@code status} when nothing else of it counts; empty when all of it does
         */
        record Replacement(Encoded object, Optional<Encoded> present, String part) implements Body {}

        /**
         * A patch.
         *
         * @param patch the patch
         */
        record Change(Patch patch) implements Body {}

        /**
         * Replicas: of an update of a scale.
         *
         * @param replicas how many are wanted
         */
        record Scale(int replicas) implements Body {}

        /** As text: JSON, or what the patch is written in. */
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
         * The object in a class; empty when no whole object is sent.
         *
         * @throws IllegalArgumentException when it does not fit the class; says which field
         */
        default <T extends HasMetadata> Optional<T> object(Class<T> type) {
            return switch (this) {
                case Whole(Encoded object) -> Optional.of(object.decode(type));
                case Replacement update -> Optional.of(update.object().decode(type));
                default -> Optional.empty();
            };
        }

        /**
         * The same with this made of its object; the same when it has no whole object.
         *
         * @throws IllegalArgumentException when it does not fit the class; says which field
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
         * Bodies that write at this path, above or below it: a patch with an operation there, an update that differs there
         * from what the server has, an object to create or apply that has something there.
         */
        static Predicate<Body> touches(String path) {
            Path wanted = Path.parse(path);
            return new Described<>("touching " + path, body -> Writes.of(body).touch(wanted));
        }

        /**
         * Bodies that write this value at this path.
         *
         * @param value a string, number or boolean, or lists and maps of such
         */
        static Predicate<Body> sets(String path, Object value) {
            Path wanted = Path.parse(path);
            return new Described<>(
                    "setting " + path + " to " + value, body -> Writes.of(body).set(wanted, value));
        }

        /** Bodies whose {@link #text} has this in it. */
        static Predicate<Body> contains(String text) {
            return new Described<>(
                    "containing \"" + text + "\"", body -> body.text().contains(text));
        }
    }

    /** What a {@link RecordedCall} does. Which sub-resource it does it to is said apart. */
    public enum Verb {
        /** Reads an object, or its scale. */
        GET,
        /** Reads many objects. */
        LIST,
        /** Opens a watch. */
        WATCH,
        /** Makes an object. */
        CREATE,
        /** Replaces an object, its status or its scale. */
        UPDATE,
        /** Server-side apply, whether it is asked for with an object or with a patch. */
        APPLY,
        /** All other patches. */
        PATCH,
        /** Deletes an object. */
        DELETE,
        /** Deletes all selected objects. */
        DELETE_COLLECTION;

        /** Whether it changes something. */
        public boolean writes() {
            return this != GET && this != LIST && this != WATCH;
        }

        /** Whether it is about many objects, so that its calls have no name. */
        public boolean selects() {
            return this == LIST || this == WATCH || this == DELETE_COLLECTION;
        }

        /** In small letters, as {@code delete collection}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
