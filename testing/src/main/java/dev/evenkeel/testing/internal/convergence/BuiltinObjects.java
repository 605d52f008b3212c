package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.simulation.internal.ObjectRef;
import java.util.LinkedHashSet;
import java.util.Set;

/** The objects and kinds that every server has from the start. */
final class BuiltinObjects {
    /** Objects, such as the namespace {@code default}. */
    static final Set<ObjectRef> REFS;

    /** Ids of kinds, such as {@code configmaps}. */
    static final Set<String> KINDS;

    private BuiltinObjects() {}

    static {
        Set<ObjectRef> refs = new LinkedHashSet<>();
        Set<String> kinds = new LinkedHashSet<>();
        try (Engine engine = Engine.builder().executor(Runnable::run).build()) {
            Client client = engine.client();
            for (ResourceType type : ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION))
                    .types()
                    .all()) {
                kinds.add(type.id());
                if (type.rules().verbs().contains("list")) {
                    for (Encoded object :
                            client.list(Baseline.kind(type), ListOptions.ALL).items()) {
                        refs.add(new ObjectRef(type.id(), object.header().key()));
                    }
                }
            }
        }
        REFS = Set.copyOf(refs);
        KINDS = Set.copyOf(kinds);
    }
}
