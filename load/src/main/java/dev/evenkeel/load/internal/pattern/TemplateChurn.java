package dev.evenkeel.load.internal.pattern;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.Template;
import dev.evenkeel.load.WorldState;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link dev.evenkeel.load.Patterns#churn}. */
public record TemplateChurn(Template template, int edits, List<String> in) implements Pattern {
    public TemplateChurn {
        in = List.copyOf(in);
        Counts.positive("count", template.count());
        if (edits < 0) {
            throw new IllegalArgumentException("edits must not be negative: " + edits);
        }
    }

    private record Place(String namespace, long index) {}

    @Override
    public Iterator<Operation> cycle(WorldState world, RandomGenerator random) {
        List<String> namespaces = !template.kind().namespaced() ? List.of("") : in.isEmpty() ? world.namespaces() : in;
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("world.namespaces must be positive for objects in namespaces");
        }
        List<Place> places = IntStream.rangeClosed(1, template.count())
                .boxed()
                .flatMap(i -> namespaces.stream()
                        .map(namespace -> new Place(namespace, world.count("objects of " + template.name()))))
                .toList();
        return Stream.<Stream<? extends Operation>>of(
                        places.stream()
                                .map(place -> new Operation.Create(template.object(place.namespace(), place.index()))),
                        IntStream.rangeClosed(1, edits)
                                .boxed()
                                .flatMap(revision -> places.stream().map(place -> edit(place, revision))),
                        // those of the cycle before, so that the last ones must have their effects at the end
                        places.stream()
                                .map(place -> new Place(place.namespace(), place.index() - places.size()))
                                .filter(place -> place.index() > 0)
                                .flatMap(this::delete))
                .<Operation>flatMap(some -> some)
                .iterator();
    }

    private Operation edit(Place place, int revision) {
        return new Operation.Edit(
                template.kind(),
                template.key(place.namespace(), place.index()),
                template.content(place.namespace(), place.index(), revision),
                false);
    }

    private Stream<Operation> delete(Place place) {
        ObjectKey key = template.key(place.namespace(), place.index());
        Operation delete = new Operation.Delete(template.kind(), key);
        boolean finalized =
                template.tree().get("metadata") instanceof Map<?, ?> metadata && metadata.get("finalizers") != null;
        if (!finalized) {
            return Stream.of(delete);
        }
        Map<String, @Nullable Object> none = new LinkedHashMap<>();
        none.put("finalizers", null);
        return Stream.of(delete, new Operation.Edit(template.kind(), key, Map.of("metadata", none), false));
    }
}
