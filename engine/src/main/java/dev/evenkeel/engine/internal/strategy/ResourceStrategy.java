package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.ContentRules;
import dev.evenkeel.engine.internal.access.ContentWrite;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one version of a kind, which the verbs and the steps of a write call; those name no kind themselves.
 *
 * <p>A write calls {@link #normalise} on the decoded object, then {@link #applyDefaults}, then {@link
 * #prepareForCreate} or {@link #prepareForUpdate} on the object that will be stored (the system fields of its metadata
 * are set), then {@link #validate} and {@link #warnings}. Trees are changed in place, except {@code old}.
 * Implementations are stateless and safe for concurrent use; the context gives access to services of the engine.
 */
public interface ResourceStrategy {
    /** Returns the head of documents in this version. */
    byte[] head();

    /** Returns the collection that objects are stored in: the id of the type, unless two types share one storage. */
    String storage();

    /**
     * Returns the partition that keeps the objects of the type for all partitions, which may read them; empty when each
     * partition has its own.
     */
    default Optional<String> partition() {
        return Optional.empty();
    }

    /** Returns an object of the kind before any field is set. */
    JsonObject blank();

    /**
     * Brings a decoded object into the form of its schema: unknown fields are dropped, values normalised.
     *
     * @param duplicates paths of keys that occurred more than once
     * @param empties receives the lists and maps of a built-in kind that were sent without elements
     * @return problems that do not refuse the object, in upstream's order: {@code unknown field "spec.foo"},
     *     {@code duplicate field "data.a"}
     * @throws MalformedObjectException when a value has the wrong type
     */
    List<String> normalise(JsonObject tree, List<String> duplicates, Consumer<SentEmpty> empties);

    /** Brings a decoded object into the form of its schema. */
    default List<String> normalise(JsonObject tree, List<String> duplicates) {
        return normalise(tree, duplicates, empty -> {});
    }

    /** Brings an applied configuration, which need not be complete, into the form that is compared with the object. */
    default void normaliseConfiguration(JsonObject applied) {}

    /** Brings the result of an apply into the form of its schema; nulls that are not values stay, to be refused. */
    default void normaliseApplied(JsonObject tree, Consumer<SentEmpty> empties) {
        normalise(tree, List.of(), empties);
    }

    /** Converts an object of another version to this one. */
    JsonObject convert(JsonObject tree);

    /** Fills in defaults. Called for creates, updates and results of patches; idempotent. */
    default void applyDefaults(JsonObject tree) {}

    /** Removes fields whose feature is off; called before an object is prepared to be stored. */
    default void dropDisabled(JsonObject tree) {}

    /**
     * Returns the name of a new object that was sent without one; empty when it is made as for other kinds.
     *
     * @param prefix the {@code generateName} of the object; empty when it has none
     * @param uuid makes random ones
     */
    default Optional<String> nameFrom(String prefix, Supplier<String> uuid) {
        return Optional.empty();
    }

    /** Prepares an object to be stored for the first time: drops its status, allocates, generates. */
    default void prepareForCreate(JsonObject tree, Context context) {}

    /** Prepares an object, sent to itself or to a subresource, to replace {@code old}. */
    default void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {}

    /** Returns the dotted paths that writes to the object or to a subresource cannot change, such as {@code status}. */
    List<String> resetFields(String subresource);

    /** Restores the fields that a write to the object or to a subresource does not change. */
    default void reset(JsonObject tree, JsonObject old, String subresource) {}

    /** Returns the errors of an object, or of its change when {@code old} is given. */
    List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource);

    /** Returns the errors of an object or its change, with those that depend on other objects. */
    default List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource, Context context) {
        return validate(tree, old, subresource);
    }

    /** Brings an object whose fields have got their owners into the form that is stored. */
    default void settle(JsonObject tree) {}

    /** Removes what the result of an apply has for its validation only, before it is stored. */
    default void settleApplied(JsonObject tree) {}

    /** Returns the group of the kind in the messages of errors. */
    default String errorGroup(ResourceType type) {
        return type.group();
    }

    /** Returns warnings for the sender of an accepted change of the status. */
    default List<String> statusWarnings(JsonObject tree) {
        return List.of();
    }

    /** Returns warnings for the sender of an accepted object; {@code old} is given when it changes. */
    default List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return List.of();
    }

    /**
     * Checks that the sender of a write may write this content, and overwrite the old one.
     *
     * @throws dev.evenkeel.client.ForbiddenException when it is not allowed
     */
    default void authorize(ContentWrite write) {}

    /** Returns the rules of the program about who may read and write single objects; empty when there are none. */
    default Optional<ContentRules> contentRules() {
        return Optional.empty();
    }

    /** Returns the policy for dependents in a delete without one. */
    default GarbageCollection garbageCollection() {
        return GarbageCollection.DELETE_DEPENDENTS;
    }

    /** Returns warnings for the sender of a delete without a policy. */
    default List<String> deletionWarnings() {
        return List.of();
    }

    /**
     * Returns true if the first delete of an object only marks it, by {@link #markForDeletion}, even if nothing else
     * delays the deletion. As upstream, such kinds refuse preconditions in other words.
     */
    default boolean marksForDeletion() {
        return false;
    }

    /** Marks an object for deletion in the kind's own way. */
    default void markForDeletion(JsonObject tree, Context context) {}

    /**
     * Returns the time that a graceful deletion of an object takes, in seconds; empty for kinds that are deleted at
     * once.
     *
     * @param requested the time requested by the client
     */
    default OptionalLong grace(JsonObject tree, OptionalLong requested) {
        return OptionalLong.empty();
    }

    /** Returns true if an object marked for deletion must be kept although it has no finalizers in its metadata. */
    default boolean held(JsonObject tree) {
        return false;
    }

    /** Returns the cells of an object in a table, in the order of the version's columns. */
    List<@Nullable Object> cells(JsonObject tree, Instant now);

    /** Returns the metadata of an object where only that is shown, with changes if necessary. */
    default JsonObject partial(JsonObject metadata) {
        return metadata;
    }

    /** Returns the conditions of an object's row in a table. */
    default List<@Nullable Object> conditions(JsonObject tree) {
        return List.of();
    }

    /** Returns the order of the objects of a list in tables; empty for the order of the list. */
    default Optional<Comparator<JsonObject>> rowOrder() {
        return Optional.empty();
    }

    /** Returns the first bytes of documents: {@code apiVersion} and {@code kind}. */
    static byte[] head(ResourceType type, ResourceType.Version version) {
        return ("{\"apiVersion\":\"" + type.apiVersion(version) + "\",\"kind\":\"" + type.kind() + "\",")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The subresource of this name, if documents can be posted to it. */
    default Optional<Posting> posting(String subresource) {
        return Optional.empty();
    }

    /** Returns the answers to creates of a kind that is never stored. */
    default Optional<Review> review() {
        return Optional.empty();
    }

    /** Returns whether a write to a subresource begins a new generation when it changes more than metadata and status. */
    default boolean countsGeneration(String subresource) {
        return true;
    }

    /** Returns whether a list or map that was sent without elements differs from an absent one for the generation. */
    default boolean countsEmpty() {
        return false;
    }

    /** Returns whether a write that changes annotations begins a new generation. */
    default boolean countsAnnotations() {
        return false;
    }

    /** The policy for dependents of deleted objects. */
    enum GarbageCollection {
        /** Dependents are deleted. */
        DELETE_DEPENDENTS,
        /** Dependents stay and lose the reference to their owner. */
        ORPHAN_DEPENDENTS,
        /** The kind has no dependents; policies are ignored. */
        UNSUPPORTED
    }

    /**
     * Services of the engine for strategies.
     *
     * @param user the sender of the request
     * @param namespaceLabels returns the labels of a namespace
     * @param warnings receives warnings for the sender
     */
    record Context(
            InstantSource clock,
            User user,
            Addresses addresses,
            Function<String, JsonObject> namespaceLabels,
            Consumer<String> warnings) {
        /** Creates services for namespaces without labels, that drop warnings. */
        public Context(InstantSource clock, User user, Addresses addresses) {
            this(clock, user, addresses, namespace -> new JsonObject(), warning -> {});
        }

        public Instant now() {
            return clock.instant();
        }

        /** Returns a copy for a request of another user, which allocates from other addresses. */
        public Context with(User sender, Addresses free, Consumer<String> receiver) {
            return new Context(clock, sender, free, namespaceLabels, receiver);
        }
    }

    /** Allocates cluster addresses and node ports for a write. */
    interface Addresses {
        /** Allocates any address. */
        String address();

        /** Allocates any node port; returns nothing when all are in use. */
        OptionalInt nodePort();

        /** Allocates an address; returns false when it is in use. */
        boolean take(String address);

        /** Allocates a node port; returns false when it is in use. */
        boolean take(int nodePort);

        /** Returns whether what is allocated is not written, and thus, as upstream, need not be in a range. */
        default boolean isDryRun() {
            return false;
        }
    }
}
