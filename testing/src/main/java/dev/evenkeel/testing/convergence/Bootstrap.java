package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.type.ResourceType;
import java.util.LinkedHashSet;
import java.util.Set;

/** The objects that every server has from the beginning, such as the namespace {@code default}. */
final class Bootstrap {
    static final Set<Place> PLACES = places();

    private Bootstrap() {}

    private static Set<Place> places() {
        Set<Place> places = new LinkedHashSet<>();
        try (Engine engine = Engine.builder().executor(Runnable::run).build()) {
            Client client = engine.client();
            for (ResourceType type :
                    engine.partition(Engine.DEFAULT_PARTITION).types().all()) {
                if (type.rules().verbs().contains("list")) {
                    for (Encoded object :
                            client.list(Trial.kind(type), ListOptions.ALL).items()) {
                        places.add(new Place(type.id(), object.header().key()));
                    }
                }
            }
        }
        return Set.copyOf(places);
    }
}
