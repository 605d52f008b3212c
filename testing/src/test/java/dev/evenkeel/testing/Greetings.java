package dev.evenkeel.testing;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.EventRecorder.Type;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A config map for each greeting, with a secret word where there is one: a controller that skeletons are made for. */
public final class Greetings {
    /** Somebody is greeted. */
    @Group("example.com")
    @Version("v1")
    public static final class Greeting extends CustomResource<Spec, State> implements Namespaced {}

    /** The desired state. */
    public record Spec(String name, int times) {}

    /** The observed state. */
    public record State(boolean greeted) {}

    private Greetings() {}

    /** The controller. */
    public static Controller<Greeting> controller() {
        return Controller.of(Greeting.class, Greetings::reconcile)
                .owns(ConfigMap.class)
                .tracks(Secret.class);
    }

    private static Result reconcile(Reconciliation<Greeting> reconciliation) {
        Optional<Greeting> resource = reconciliation.resource();
        if (resource.isEmpty() || resource.get().isMarkedForDeletion()) {
            return Result.done();
        }
        Greeting greeting = resource.get();
        ObjectKey key = reconciliation.key();
        String word = reconciliation
                .tracker()
                .find(Secret.class, ObjectKey.of(key.namespace(), "secret"))
                .map(secret -> "psst")
                .orElse("hello");
        Map<String, String> data = Map.of(
                "text",
                (word + " " + greeting.getSpec().name() + "\n")
                        .repeat(greeting.getSpec().times()));
        Optional<ConfigMap> present = reconciliation.client().find(ConfigMap.class, key);
        if (present.isPresent() && !OwnerReferences.isControlledBy(present.get(), greeting)) {
            reconciliation.events().record(greeting, Type.WARNING, "Taken", "", "The config map is somebody else's");
            return Result.after(Duration.ofMinutes(1));
        }
        if (present.isEmpty()) {
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(key.namespace())
                    .withName(key.name())
                    .addToLabels("greeting", key.name())
                    .endMetadata()
                    .withData(data)
                    .build();
            OwnerReferences.control(greeting, map);
            reconciliation.client().create(map);
            reconciliation.events().record(greeting, Type.NORMAL, "Created", "Create", "Made \"" + key.name() + "\"");
        } else {
            ConfigMap map = present.get();
            Map<String, String> labels = Map.of("greeting", key.name());
            if (!data.equals(map.getData()) || !labels.equals(map.getMetadata().getLabels())) {
                map.setData(data);
                map.getMetadata().setLabels(labels);
                reconciliation.client().update(map);
            }
        }
        greeting.setStatus(new State(true));
        reconciliation.updateStatus(greeting);
        return Result.done();
    }
}
