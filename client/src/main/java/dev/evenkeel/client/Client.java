package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/**
 * Reads, writes and watches objects of an engine in process, or of a server; both behave the same.
 *
 * <p>A client keeps no reference to its arguments, and each result is a copy that belongs to the caller. If a request is
 * refused, each method throws an {@link ApiException}, the same for an engine as for a server. Safe for use by many threads.
 *
 * <p>Methods that take a class are short for those that take its {@link Kind}.
 */
public interface Client {
    /** Reads an object; empty when it does not exist. */
    <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key);

    /** Reads a page of objects. */
    <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options);

    /** Watches objects; see {@link ListOptions#resourceVersion()} for the start of the watch. */
    <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options);

    /** Creates an object, named by {@code metadata.name} or {@code metadata.generateName}. */
    <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options);

    /**
     * Replaces an object.
     *
     * @throws ConflictException when its resourceVersion is set and not the current one
     */
    <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options);

    /** Replaces the status of an object, and nothing else. */
    <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options);

    /** Patches an object. With {@link Patch.Type#APPLY}, creates it when it is missing. */
    <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options);

    /** Patches the status of an object, and nothing else. */
    <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options);

    /**
     * Applies an object on the server: it owns the given fields for the manager, and only those.
     *
     * @throws ConflictException when other managers own some of them, and {@link WriteOptions#force()} is not set
     */
    <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options);

    /** Applies the status of an object on the server. */
    <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options);

    /** Returns the desired and observed replicas of an object with a scale. */
    Replicas scale(Kind<?> kind, ObjectKey key);

    /** Sets the desired replicas of an object with a scale. */
    Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options);

    /** Deletes an object. One with finalizers is only marked for deletion. */
    <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options);

    /**
     * Deletes all selected objects; limit and continue are ignored.
     *
     * @return the objects as they were before; those with finalizers remain, marked for deletion
     */
    <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options);

    /**
     * Creates a document in a subresource of an object: a {@code Binding} in {@code binding} of a pod gives it a node, an
     * {@code Eviction} in {@code eviction} deletes it.
     *
     * @throws MethodNotAllowedException when the kind does not have such a subresource, or this client can't do it: those of
     *     the engine and of API servers can
     */
    default void createSubresource(
            Kind<?> kind, ObjectKey key, String subresource, HasMetadata document, WriteOptions options) {
        throw ApiException.of(Status.of(
                405,
                "MethodNotAllowed",
                "this client does not create documents in subresources: " + kind.id() + "/" + subresource,
                Status.Details.of(key.name(), kind.group(), kind.plural())));
    }

    /**
     * The scale of an object.
     *
     * @param selector label selector of the counted objects, in text form; empty when not known
     */
    record Replicas(int desired, int observed, String selector) {}

    /**
     * Reads an object.
     *
     * @throws NotFoundException when it does not exist
     */
    default <T extends HasMetadata> T get(Kind<T> kind, ObjectKey key) {
        return find(kind, key)
                .orElseThrow(() -> new NotFoundException(Status.of(
                        404,
                        "NotFound",
                        kind.id() + " \"" + key.name() + "\" not found",
                        Status.Details.of(key.name(), kind.group(), kind.plural()))));
    }

    /** Reads an object; {@link NotFoundException} when it does not exist. */
    default <T extends HasMetadata> T get(Class<T> type, ObjectKey key) {
        return get(Kind.of(type), key);
    }

    /** Reads an object; empty when it does not exist. */
    default <T extends HasMetadata> Optional<T> find(Class<T> type, ObjectKey key) {
        return find(Kind.of(type), key);
    }

    /** Reads a page of objects. */
    default <T extends HasMetadata> Listing<T> list(Class<T> type, ListOptions options) {
        return list(Kind.of(type), options);
    }

    /** Watches objects. */
    default <T extends HasMetadata> Watch<T> watch(Class<T> type, ListOptions options) {
        return watch(Kind.of(type), options);
    }

    /** Creates an object. */
    default <T extends HasMetadata> T create(T object) {
        return create(kindOf(object), object, WriteOptions.DEFAULT);
    }

    /** Replaces an object. */
    default <T extends HasMetadata> T update(T object) {
        return update(kindOf(object), object, WriteOptions.DEFAULT);
    }

    /** Replaces the status of an object. */
    default <T extends HasMetadata> T updateStatus(T object) {
        return updateStatus(kindOf(object), object, WriteOptions.DEFAULT);
    }

    /** Applies an object on the server. */
    default <T extends HasMetadata> T apply(T object, WriteOptions options) {
        return apply(kindOf(object), object, options);
    }

    /** Applies the status of an object on the server. */
    default <T extends HasMetadata> T applyStatus(T object, WriteOptions options) {
        return applyStatus(kindOf(object), object, options);
    }

    /** Deletes an object. */
    default <T extends HasMetadata> Deletion<T> delete(T object) {
        return delete(kindOf(object), ObjectKey.of(object), DeleteOptions.DEFAULT);
    }

    /** Deletes an object. */
    default <T extends HasMetadata> Deletion<T> delete(Class<T> type, ObjectKey key) {
        return delete(Kind.of(type), key, DeleteOptions.DEFAULT);
    }

    @SuppressWarnings("unchecked")
    private static <T extends HasMetadata> Kind<T> kindOf(T object) {
        return Kind.of((Class<T>) object.getClass());
    }
}
