package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A custom resource as users write them, with records. */
@Group("demo.example.com")
@Version("v1")
public class Gadget extends CustomResource<Gadget.Spec, Gadget.State> implements Namespaced {
    record Spec(int size, @Nullable String colour, @Nullable List<String> tags) {}

    record State(long seen) {}
}
