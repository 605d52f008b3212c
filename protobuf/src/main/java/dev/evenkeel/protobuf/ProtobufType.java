package dev.evenkeel.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.protobuf.internal.Comments;
import dev.evenkeel.protobuf.internal.Hooks;
import dev.evenkeel.protobuf.internal.ServedType;
import dev.evenkeel.protobuf.internal.ServedTypes;
import dev.evenkeel.protobuf.internal.TypeVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Builds a type whose data is a protobuf message, for {@link Engine.Builder#register}.
 *
 * <pre>{@code
 * Engine.builder().register(ProtobufType.of(Artist.getDefaultInstance())
 *     .mutate(artist -> artist.toBuilder().setName(artist.getName().strip()).build())
 *     .validate((artist, old) -> artist.getName().isEmpty()
 *         ? List.of(FieldError.required("name", "an artist needs a name")) : List.of())
 *     .build())
 * }</pre>
 *
 * <p>Names, scope, columns and versions are options of the message, in {@code evenkeel/type/v1/type.proto}. The message is
 * the {@code spec} of objects, in protobuf's JSON mapping. Its protovalidate rules are enforced. Comments become the
 * descriptions of the schema if the build packs a descriptor set with source information as {@code
 * META-INF/evenkeel/types.binpb}.
 *
 * <p>An exception of a hook is answered with code 500 and the name of the hook, and nothing is written; an {@link
 * dev.evenkeel.client.ApiException} is the answer itself. Hooks are not called for writes that leave the data as it is.
 *
 * @param <T> class of the data, in the version in which objects are stored
 */
public final class ProtobufType<T extends Message> {
    private final T storage;
    private final Comments comments;
    private final List<TypeVersion<?, T>> versions = new ArrayList<>();
    private Hooks<T> hooks = Hooks.none();

    private ProtobufType(T storage, Comments comments) {
        this.storage = storage;
        this.comments = comments;
        versions.add(new TypeVersion<>(storage, Function.identity(), Function.identity()));
    }

    /** Starts the type of a generated class. */
    public static <T extends Message> ProtobufType<T> of(T defaultInstance) {
        return new ProtobufType<>(
                defaultInstance, Comments.of(defaultInstance.getClass().getClassLoader()));
    }

    /** Starts the type of a message that is known at run time only. */
    public static ProtobufType<DynamicMessage> of(Descriptor message) {
        return new ProtobufType<>(
                DynamicMessage.getDefaultInstance(message), Comments.of(ProtobufType.class.getClassLoader()));
    }

    /**
     * Adds another version of the type, which is converted by its binary form: fields with the same number are the same, and
     * fields that one of the versions does not have are kept by the other one.
     */
    public ProtobufType<T> version(Message defaultInstance) {
        versions.add(TypeVersion.compatible(defaultInstance, storage));
        return this;
    }

    /**
     * Adds another version of the type.
     *
     * @param <V> class of the data in that version
     * @param upgrade converts to the version in which objects are stored
     * @param downgrade converts from it
     */
    public <V extends Message> ProtobufType<T> version(
            V defaultInstance, Function<V, T> upgrade, Function<T, V> downgrade) {
        versions.add(new TypeVersion<>(defaultInstance, upgrade, downgrade));
        return this;
    }

    /** Sets values for absent fields: each field of the message that is set here. */
    public ProtobufType<T> defaults(T values) {
        hooks = new Hooks<>(
                Optional.of(values), hooks.mutate(), hooks.validate(), hooks.read(), hooks.write(), hooks.list());
        return this;
    }

    /** Sets the hook that changes the data before it is validated; it may return its argument. */
    public ProtobufType<T> mutate(UnaryOperator<T> hook) {
        hooks = new Hooks<>(
                hooks.defaults(), Optional.of(hook), hooks.validate(), hooks.read(), hooks.write(), hooks.list());
        return this;
    }

    /**
     * Sets the hook that returns the errors of data that its schema and its protovalidate rules accept. The second argument
     * is the data before an update. Paths of errors are those in the message, such as {@code albums[0].title}.
     */
    public ProtobufType<T> validate(BiFunction<T, Optional<T>, List<FieldError>> hook) {
        hooks = new Hooks<>(
                hooks.defaults(), hooks.mutate(), Optional.of(hook), hooks.read(), hooks.write(), hooks.list());
        return this;
    }

    /**
     * Sets the rule that decides who may read an object. Lists and watches show the objects that the user may read; an object
     * that the user may not read any more is deleted for its watches.
     */
    public ProtobufType<T> authorizeRead(AccessRule<T> rule) {
        hooks = new Hooks<>(
                hooks.defaults(), hooks.mutate(), hooks.validate(), Optional.of(rule), hooks.write(), hooks.list());
        return this;
    }

    /** Sets the rule that decides who may create, update and delete an object; for the old content and for the new one. */
    public ProtobufType<T> authorizeWrite(AccessRule<T> rule) {
        hooks = new Hooks<>(
                hooks.defaults(), hooks.mutate(), hooks.validate(), hooks.read(), Optional.of(rule), hooks.list());
        return this;
    }

    /** Sets the rule that decides who may list and watch the type at all; default: who the roles allow. */
    public ProtobufType<T> authorizeList(Predicate<Access> rule) {
        hooks = new Hooks<>(
                hooks.defaults(), hooks.mutate(), hooks.validate(), hooks.read(), hooks.write(), Optional.of(rule));
        return this;
    }

    /**
     * Returns the type.
     *
     * @throws IllegalArgumentException when an option of a message is invalid
     */
    public TypeSource build() {
        return new ServedTypes(List.of(new ServedType<>(List.copyOf(versions), hooks, comments)));
    }
}
