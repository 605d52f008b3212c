package dev.evenkeel.reconcile.condition;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/** A resource with a mutable status. */
@Group("test.evenkeel.dev")
@Version("v1")
class Site extends CustomResource<Void, ResourceStatus> implements Namespaced {
    /** One whose status is a value. */
    @Group("test.evenkeel.dev")
    @Version("v1")
    static class Valued extends CustomResource<Void, Valued.State> implements Namespaced {
        static final StatusAccess<Valued> ACCESS = StatusAccess.of(
                        Valued::getStatus, Valued::setStatus, () -> new State(0L, List.of()))
                .conditions(State::conditions, (state, conditions) -> new State(state.generation(), conditions))
                .observedGeneration((state, generation) -> new State(generation, state.conditions()));

        record State(long generation, List<Condition> conditions) {}
    }

    /** One whose status has no conditions. */
    @Group("test.evenkeel.dev")
    @Version("v1")
    static class Bare extends CustomResource<Void, Void> implements Namespaced {}
}
