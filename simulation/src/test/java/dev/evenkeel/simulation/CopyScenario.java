package dev.evenkeel.simulation;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Two processes copy, while a user makes, changes and deletes. */
final class CopyScenario implements SimulationScenario {
    @Override
    public String name() {
        return "copy";
    }

    @Override
    public Simulation.ServerFactory server() {
        return InProcess::start;
    }

    @Override
    public BooleanSupplier prepare(Simulation simulation) {
        for (String name : new String[] {"one", "two"}) {
            simulation.process(
                    name,
                    (client, scheduler) -> new CopyProgram("copy in " + name, client, scheduler, simulation.monitor()));
        }
        for (int i = 0; i < 12; i++) {
            simulation.at(Duration.ofSeconds(i * 5), "user", () -> change(simulation));
        }
        return () -> CopyProgram.converged(simulation.server());
    }

    private static void change(Simulation simulation) {
        Client server = simulation.server();
        ObjectKey key = ObjectKey.of("default", "c" + simulation.random().nextInt(3));
        Optional<ConfigMap> present = server.find(CopyProgram.KIND, key);
        String value = Integer.toString(simulation.random().nextInt(1000));
        if (present.isEmpty()) {
            server.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(key.namespace())
                    .withName(key.name())
                    .addToLabels("copy", "from")
                    .endMetadata()
                    .addToData("k", value)
                    .build());
        } else if (simulation.random().nextInt(3) == 0) {
            server.delete(present.get());
        } else {
            present.get().getData().put("k", value);
            server.update(present.get());
        }
    }
}
