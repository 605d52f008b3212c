package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A client that forwards its calls to another one: to observe, count, delay or refuse them.
 *
 * <p>Each read goes through {@link #read}, each write through {@link #write}, and before that the options of writes
 * through {@link #options(WriteOptions)}. By default all are forwarded unchanged.
 *
 * <pre>{@code
 * Client logged = new ForwardingClient(client) {
 *     protected <R> R write(Operation operation, Supplier<R> effect) {
 *         log.info("{}", operation);
 *         return effect.get();
 *     }
 * };
 * }</pre>
 */
public abstract class ForwardingClient implements Client {
    /** The action of a call. */
    public enum Action {
        /** Reads an object. */
        FIND,
        /** Reads a page of objects. */
        LIST,
        /** Opens a watch. */
        WATCH,
        /** Reads the scale of an object. */
        GET_SCALE,
        /** Creates an object. */
        CREATE,
        /** Creates a document in a subresource of an object. */
        CREATE_SUBRESOURCE,
        /** Replaces an object. */
        UPDATE,
        /** Replaces the status of an object. */
        UPDATE_STATUS,
        /** Patches an object. */
        PATCH,
        /** Patches the status of an object. */
        PATCH_STATUS,
        /** Applies an object on the server. */
        APPLY,
        /** Applies the status of an object on the server. */
        APPLY_STATUS,
        /** Sets the scale of an object. */
        SCALE,
        /** Deletes an object. */
        DELETE,
        /** Deletes all selected objects. */
        DELETE_ALL;

        /** Returns whether it is about the status alone. */
        public boolean ofStatus() {
            return this == UPDATE_STATUS || this == PATCH_STATUS || this == APPLY_STATUS;
        }

        /** Returns whether it deletes. */
        public boolean deletes() {
            return this == DELETE || this == DELETE_ALL;
        }

        /** Returns the action in lower case, such as {@code update status}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * A call.
     *
     * @param key key of the object; without a name for several objects, or when the server generates it
     */
    public record Operation(Action action, Kind<?> kind, ObjectKey key, boolean dryRun) {
        /** Returns a text such as {@code update status deployments.apps shop/web}. */
        @Override
        public String toString() {
            String where = key.name().isEmpty() ? key.namespace().isEmpty() ? "" : " in " + key.namespace() : " " + key;
            return action + " " + kind.id() + where;
        }
    }

    private final Client next;

    /** Creates a client that forwards to the given one. */
    protected ForwardingClient(Client next) {
        this.next = next;
    }

    /** Makes a read: returns the answer of the effect, unless overridden. */
    protected <R> R read(Operation operation, Supplier<R> effect) {
        return effect.get();
    }

    /** Makes a write: returns the answer of the effect, unless overridden. */
    protected <R> R write(Operation operation, Supplier<R> effect) {
        return effect.get();
    }

    /** Returns the options that a write is forwarded with: the same, unless overridden. */
    protected WriteOptions options(WriteOptions options) {
        return options;
    }

    /** Returns the options that a delete is forwarded with: the same, unless overridden. */
    protected DeleteOptions options(DeleteOptions options) {
        return options;
    }

    private <R> R read(Action action, Kind<?> kind, ObjectKey key, Supplier<R> effect) {
        return read(new Operation(action, kind, key, false), effect);
    }

    private <R> R write(
            Action action, Kind<?> kind, ObjectKey key, WriteOptions options, Function<WriteOptions, R> effect) {
        WriteOptions passed = options(options);
        return write(new Operation(action, kind, key, passed.dryRun()), () -> effect.apply(passed));
    }

    private <R> R delete(
            Action action, Kind<?> kind, ObjectKey key, DeleteOptions options, Function<DeleteOptions, R> effect) {
        DeleteOptions passed = options(options);
        return write(new Operation(action, kind, key, passed.dryRun()), () -> effect.apply(passed));
    }

    private static ObjectKey in(ListOptions options) {
        return ObjectKey.of(options.namespace(), "");
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        return read(Action.FIND, kind, key, () -> next.find(kind, key));
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        return read(Action.LIST, kind, in(options), () -> next.list(kind, options));
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        return read(Action.WATCH, kind, in(options), () -> next.watch(kind, options));
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        return write(Action.CREATE, kind, ObjectKey.of(object), options, with -> next.create(kind, object, with));
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return write(Action.UPDATE, kind, ObjectKey.of(object), options, with -> next.update(kind, object, with));
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        ObjectKey key = ObjectKey.of(object);
        return write(Action.UPDATE_STATUS, kind, key, options, with -> next.updateStatus(kind, object, with));
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return write(Action.PATCH, kind, key, options, with -> next.patch(kind, key, patch, with));
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return write(Action.PATCH_STATUS, kind, key, options, with -> next.patchStatus(kind, key, patch, with));
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return write(Action.APPLY, kind, ObjectKey.of(object), options, with -> next.apply(kind, object, with));
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        ObjectKey key = ObjectKey.of(object);
        return write(Action.APPLY_STATUS, kind, key, options, with -> next.applyStatus(kind, object, with));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return read(Action.GET_SCALE, kind, key, () -> next.scale(kind, key));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        return write(Action.SCALE, kind, key, options, with -> next.scale(kind, key, replicas, with));
    }

    @Override
    public void createSubresource(
            Kind<?> kind, ObjectKey key, String subresource, HasMetadata document, WriteOptions options) {
        boolean unused = write(Action.CREATE_SUBRESOURCE, kind, key, options, with -> {
            next.createSubresource(kind, key, subresource, document, with);
            return true;
        });
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return delete(Action.DELETE, kind, key, options, with -> next.delete(kind, key, with));
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        return delete(Action.DELETE_ALL, kind, in(selection), options, with -> next.deleteAll(kind, selection, with));
    }
}
