package dev.evenkeel.testing.convergence;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The primary resource of the reconcilers in these tests. */
@Group("test.evenkeel.dev")
@Plural("gardens")
@Version("v1")
public final class Garden extends CustomResource<Garden.Spec, Garden.State> implements Namespaced {
    /** The desired state: a number of beds of a crop. */
    public record Spec(String crop, int beds) {}

    /** The observed state. */
    public record State(long observedGeneration, String phase, String child, List<Condition> conditions) {
        /** Texts and lists that are missing are empty. */
        public State(
                long observedGeneration,
                @Nullable String phase,
                @Nullable String child,
                @Nullable List<Condition> conditions) {
            this.observedGeneration = observedGeneration;
            this.phase = Objects.requireNonNullElse(phase, "");
            this.child = Objects.requireNonNullElse(child, "");
            this.conditions = List.copyOf(Objects.requireNonNullElse(conditions, List.of()));
        }

        State(long observedGeneration, String phase, String child) {
            this(observedGeneration, phase, child, List.of());
        }
    }

    /** An object without a spec, to be filled. */
    public Garden() {}

    static Garden of(String name, String crop, int beds) {
        Garden garden = new Garden();
        garden.getMetadata().setNamespace("default");
        garden.getMetadata().setName(name);
        garden.setSpec(new Spec(crop, beds));
        return garden;
    }

    long generation() {
        return getMetadata().getGeneration();
    }

    String name() {
        return getMetadata().getName();
    }

    String crop() {
        return getSpec().crop();
    }

    State state() {
        return getStatus() == null ? new State(0, "", "") : getStatus();
    }
}
