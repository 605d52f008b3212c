package dev.evenkeel.testing.object;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A custom resource as users write them, with records. */
@Group("demo.example.com")
@Version("v1")
public class Boat extends CustomResource<Boat.Spec, Boat.State> implements Namespaced {
    /** The desired state. */
    public record Spec(
            int length,
            @Nullable String colour,
            @Nullable List<Sail> sails,
            @Nullable Map<String, String> flags) {}

    /** A sail, known by its name. */
    public record Sail(String name, int area) {}

    /** The observed state. */
    public record State(long knots, @Nullable List<Condition> conditions) {}
}
