package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.Registration;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The types that a program registers with an engine, from all its sources. A source may replace its types while the
 * engine runs; the types of requests under way stay known.
 */
public final class RegisteredTypes {
    private final List<TypeSource> sources;
    private final Map<ResourceType, RegisteredType> known = new ConcurrentHashMap<>();
    private final Map<Registration<?>, RegisteredType> models = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** A source of types of another module. */
    public interface Source extends TypeSource {
        /** Returns the types to serve now. */
        List<? extends RegisteredType> types();

        /** Adds a listener, to be called after each change of the types. */
        default void onChange(Runnable listener) {}
    }

    /** Creates the types of some sources. */
    public RegisteredTypes(List<TypeSource> sources) {
        this.sources = List.copyOf(sources);
        for (TypeSource source : sources) {
            if (source instanceof Source changing) {
                changing.onChange(() -> listeners.forEach(Runnable::run));
            }
        }
    }

    /**
     * Returns the types to serve now.
     *
     * @throws IllegalArgumentException when a type is registered twice
     */
    public List<ResourceType> types() {
        Map<String, ResourceType> types = new LinkedHashMap<>();
        for (TypeSource source : sources) {
            for (RegisteredType type : types(source)) {
                known.put(type.type(), type);
                if (types.put(type.type().id(), type.type()) != null) {
                    throw new IllegalArgumentException("the type " + type.type().id() + " is registered twice");
                }
            }
        }
        return List.copyOf(types.values());
    }

    private List<? extends RegisteredType> types(TypeSource source) {
        return switch (source) {
            case Source other -> other.types();
            case Registration<?> registration -> List.of(models.computeIfAbsent(registration, RegisteredTypes::model));
            default ->
                throw new IllegalArgumentException(
                        source.getClass().getName() + " is not a source of types: use Registration or ProtobufType");
        };
    }

    private static RegisteredType model(Registration<?> registration) {
        return new ModelType<>(registration);
    }

    /** Returns the registered type of a resource type, also when it has been replaced since. */
    public Optional<RegisteredType> find(ResourceType type) {
        return Optional.ofNullable(known.get(type));
    }

    /** Adds a listener, which is called after each change of the types; returns what removes it. */
    public Runnable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
