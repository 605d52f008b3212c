package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Message;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.RegisteredType;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A type that is defined in protobuf, as the engine serves it: its versions, their formats, and the hooks of the program.
 *
 * <p><b>The problem.</b> The engine works on JSON trees in the version of the request, and stores JSON; programs want
 * messages of one class; clients of the binary form expect to get back what they wrote. Invariants:
 *
 * <ol>
 *   <li>The stored form is the JSON that the mapping prints, in the storage version. It is the only form,
 *       whether an object was written in JSON or in binary form.
 *   <li>Hooks see the data in the storage version, whatever the version of the request: they are written once.
 *   <li>A write that leaves the data as it is calls neither hooks nor rules, so that finalizers can be removed from objects
 *       that a later rule refuses.
 *   <li>A conversion or a hook that fails writes nothing, and the error names it.
 * </ol>
 *
 * <p><b>Cost.</b> A write reads and prints the message a few times. Reads copy bytes, unless they are in another version or
 * subject to an access rule that looks at the content. Storing the binary form instead would make each read of the
 * Kubernetes API a conversion, and patches and field ownership need the tree anyway.
 *
 * @param <T> class of the data in the storage version
 */
public final class ServedType<T extends Message> implements RegisteredType {
    private final Map<String, Version<T>> versions = new LinkedHashMap<>();
    private final Version<T> storage;
    private final Hooks<T> hooks;
    private final ResourceType type;
    private final FieldRules rules = new FieldRules();

    private record Version<T extends Message>(TypeVersion<?, T> version, DataFormat format) {
        T up(Message message) {
            return version.up(message);
        }

        Message down(T message) {
            return version.downgrade().apply(message);
        }
    }

    /**
     * Creates a type.
     *
     * @param prototypes the versions; the first is the storage version
     */
    public ServedType(List<TypeVersion<?, T>> prototypes, Hooks<T> hooks, Comments comments) {
        this.hooks = hooks;
        for (TypeVersion<?, T> version : prototypes) {
            TypeOptions options = TypeOptions.of(version.prototype().getDescriptorForType());
            DataFormat format = new DataFormat(options, new MessageFormat(version.prototype()));
            if (versions.put(options.version(), new Version<>(version, format)) != null) {
                throw new IllegalArgumentException(
                        "the type " + options.kind() + " has two messages for version " + options.version());
            }
        }
        storage = versions.values().iterator().next();
        List<TypeOptions> all = versions.values().stream()
                .map(version -> version.format().options())
                .toList();
        TypeDefinition.requireAgreement(all, all.getFirst());
        Optional<JsonObject> defaults =
                hooks.defaults().map(message -> storage.format().write(message).object("spec"));
        type = new TypeDefinition(all, all.getFirst(), comments, defaults).type();
    }

    @Override
    public ResourceType type() {
        return type;
    }

    /** Returns true if another type has the same messages, with all that they contain, and the same schema. */
    boolean sameDefinition(ServedType<?> other) {
        return versions.keySet().equals(other.versions.keySet())
                && versions.keySet().stream()
                        .allMatch(name ->
                                format(name).files().equals(other.format(name).files())
                                        && type.version(name)
                                                .orElseThrow()
                                                .schema()
                                                .source()
                                                .equals(other.type
                                                        .version(name)
                                                        .orElseThrow()
                                                        .schema()
                                                        .source()));
    }

    Hooks<T> hooks() {
        return hooks;
    }

    @Override
    public ResourceStrategy strategy(ResourceType.Version version) {
        return new ProtobufStrategy(this, version);
    }

    private Version<T> version(String name) {
        return Objects.requireNonNull(versions.get(name), name);
    }

    /** Returns true if objects are one for all partitions. */
    boolean global() {
        return storage.format().options().global();
    }

    /** Returns the format of the data in a version. */
    DataFormat format(String version) {
        return version(version).format();
    }

    /** Returns the data of an object in the storage version; empty when it has none. */
    Optional<T> data(String version, JsonObject tree) {
        Version<T> from = version(version);
        return from.format().message(tree).map(message -> converted(version, () -> from.up(message)));
    }

    /** Returns the default instance of the data. */
    @SuppressWarnings("unchecked") // the first version is the one of T
    T empty() {
        return (T) storage.version().prototype();
    }

    /** Converts, in place, the data of an object of another version. */
    void convert(JsonObject tree, String from, String to) {
        Version<T> source = version(from);
        Version<T> target = version(to);
        Optional<Message> message = source.format().message(tree);
        if (message.isPresent()) {
            Message result = converted(to, () -> target.down(source.up(message.get())));
            put(tree, target.format().write(result));
        }
    }

    private static <R> R converted(String version, Supplier<R> conversion) {
        try {
            return conversion.get();
        } catch (InvalidDataException | ApiException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failed("conversion of version " + version, e);
        }
    }

    /** Returns the error of a hook that failed. */
    static ApiException failed(String hook, RuntimeException thrown) {
        ApiException refusal = ApiException.of(
                Status.of(500, "InternalError", "Internal error occurred: the " + hook + " failed: " + thrown));
        refusal.initCause(thrown);
        return refusal;
    }

    private static void put(JsonObject tree, JsonObject members) {
        tree.put("spec", members.get("spec"));
        tree.setOrRemove(
                DataFormat.UNKNOWN,
                members.array(DataFormat.UNKNOWN).isEmpty() ? null : members.get(DataFormat.UNKNOWN));
    }

    /** Returns true if a write leaves the data as it is. */
    static boolean unchanged(JsonObject tree, @Nullable JsonObject old) {
        return old != null
                && Objects.equals(tree.get("spec"), old.get("spec"))
                && Objects.equals(tree.get(DataFormat.UNKNOWN), old.get(DataFormat.UNKNOWN));
    }

    /** Returns the violations of the rules in the message of a version, and in that of the storage version. */
    List<FieldError> violations(String version, JsonObject tree) {
        Version<T> given = version(version);
        Optional<Message> message;
        try {
            message = given.format().message(tree);
        } catch (InvalidDataException e) {
            return e.errors();
        }
        if (message.isEmpty()) {
            return List.of();
        }
        List<FieldError> errors = rules.validate(message.get());
        return errors.isEmpty() && !version.equals(type.storageVersion().name())
                ? rules.validate(converted(version, () -> given.up(message.get())))
                : errors;
    }

    @Override
    public void mutate(Target target, JsonObject tree, @Nullable JsonObject old) {
        if (hooks.mutate().isEmpty() || unchanged(tree, old)) {
            return;
        }
        String version = target.version().name();
        T before = read(version, tree).orElse(null);
        if (before == null) {
            return;
        }
        T after = hooks.mutate().get().apply(before);
        if (!after.equals(before)) {
            put(
                    tree,
                    format(version)
                            .write(converted(version, () -> version(version).down(after))));
        }
    }

    @Override
    public List<FieldError> validate(Target target, JsonObject tree, @Nullable JsonObject old) {
        if (hooks.validate().isEmpty() || unchanged(tree, old)) {
            return List.of();
        }
        String version = target.version().name();
        T data = read(version, tree).orElse(null);
        if (data == null) {
            return List.of();
        }
        Optional<T> before = old == null ? Optional.empty() : read(version, old);
        return hooks.validate().get().apply(data, before).stream()
                .map(error -> new FieldError(error.reason(), below(error.field()), error.detail()))
                .toList();
    }

    private static String below(String field) {
        return field.isEmpty() ? "spec" : "spec." + field;
    }

    private Optional<T> read(String version, JsonObject tree) {
        try {
            return data(version, tree);
        } catch (InvalidDataException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }
}
