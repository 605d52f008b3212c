package dev.evenkeel.protobuf.internal;

import dev.evenkeel.engine.internal.admission.RegisteredTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Types that can be replaced while engines serve them. One that has not changed stays the same instance. */
public final class ReplacedTypes implements RegisteredTypes.Source {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile List<? extends ServedType<?>> types;

    public ReplacedTypes(List<? extends ServedType<?>> types) {
        this.types = List.copyOf(types);
    }

    @Override
    public List<? extends ServedType<?>> types() {
        return types;
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /**
     * Replaces the types.
     *
     * @throws IllegalArgumentException when objects of the present types would not mean the same
     */
    public void replace(List<? extends ServedType<?>> next) {
        List<String> problems = Compatibility.problems(types, next);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "incompatible with the types that are served: " + String.join(", ", problems));
        }
        Map<String, ServedType<?>> known = new HashMap<>();
        types.forEach(type -> known.put(type.type().id(), type));
        List<ServedType<?>> result = new ArrayList<>();
        for (ServedType<?> type : next) {
            ServedType<?> before = known.get(type.type().id());
            result.add(before != null && before.sameDefinition(type) ? before : type);
        }
        types = List.copyOf(result);
        listeners.forEach(Runnable::run);
    }
}
