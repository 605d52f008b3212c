package dev.evenkeel.reconcile.condition;

import dev.evenkeel.client.ModelCodec;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.CustomResource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Accesses mutable statuses. Classes with one are recognised by decoding an object with an empty status. */
record Conditioned() implements StatusAccess<CustomResource<?, ConditionedStatus>> {
    private static final byte[] BLANK = "{\"status\":{}}".getBytes(StandardCharsets.UTF_8);

    static final ClassValue<Optional<StatusAccess<?>>> BY_CLASS = new ClassValue<>() {
        @Override
        protected Optional<StatusAccess<?>> computeValue(Class<?> type) {
            return CustomResource.class.isAssignableFrom(type) && blank(type) instanceof ConditionedStatus
                    ? Optional.of(new Conditioned())
                    : Optional.empty();
        }
    };

    /** Returns an empty status; null when objects of the class cannot have one. */
    private static @Nullable Object blank(Class<?> type) {
        try {
            return ModelCodec.decode(BLANK, type.asSubclass(CustomResource.class))
                    .getStatus();
        } catch (IllegalArgumentException e) {
            // a status that cannot be empty is not a ConditionedStatus
            return null;
        }
    }

    @Override
    public List<Condition> conditions(CustomResource<?, ConditionedStatus> object) {
        return Optional.ofNullable(object.getStatus())
                .map(ConditionedStatus::getConditions)
                .orElse(List.of());
    }

    @Override
    public void setConditions(CustomResource<?, ConditionedStatus> object, List<Condition> conditions) {
        status(object).setConditions(conditions);
    }

    @Override
    public void setObservedGeneration(CustomResource<?, ConditionedStatus> object, long generation) {
        status(object).setObservedGeneration(generation);
    }

    private static ConditionedStatus status(CustomResource<?, ConditionedStatus> object) {
        ConditionedStatus present = object.getStatus();
        if (present != null) {
            return present;
        }
        if (blank(object.getClass()) instanceof ConditionedStatus status) {
            object.setStatus(status);
            return status;
        }
        throw new IllegalStateException("status: " + object.getClass().getName() + " can't be read with an empty one");
    }
}
