package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.LinkedHashSet;
import java.util.Set;

/** What every server has from the beginning. */
final class Bootstrap {
    /** Objects, such as the namespace {@code default}. */
    static final Set<Place> PLACES;

    /** Ids of kinds, such as {@code configmaps}. */
    static final Set<String> KINDS;

    private Bootstrap() {}

    static {
        Set<Place> places = new LinkedHashSet<>();
        Set<String> kinds = new LinkedHashSet<>();
        try (Engine engine = Engine.builder().executor(Runnable::run).build()) {
            Client client = engine.client();
            for (ResourceType type : ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION))
                    .types()
                    .all()) {
                kinds.add(type.id());
                if (type.rules().verbs().contains("list")) {
                    for (Encoded object :
                            client.list(Start.kind(type), ListOptions.ALL).items()) {
                        places.add(new Place(type.id(), object.header().key()));
                    }
                }
            }
        }
        PLACES = Set.copyOf(places);
        KINDS = Set.copyOf(kinds);
    }
}
