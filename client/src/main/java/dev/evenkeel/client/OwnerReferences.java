package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads and sets owner references. The garbage collector deletes an object when all its owners are gone; at most one
 * owner is its controller, which created and maintains it.
 */
public final class OwnerReferences {
    private OwnerReferences() {}

    /**
     * Returns a controller reference to this owner, which blocks its foreground deletion until the dependent is gone.
     *
     * @param owner as the API returned it: with a uid
     */
    public static OwnerReference controller(HasMetadata owner) {
        String uid = owner.getMetadata().getUid();
        if (uid == null) {
            throw new IllegalArgumentException(owner.getKind() + " \"" + ObjectKey.of(owner)
                    + "\" has no metadata.uid: an owner must have been read from the API");
        }
        return new OwnerReference(
                owner.getApiVersion(),
                true,
                true,
                owner.getKind(),
                owner.getMetadata().getName(),
                uid);
    }

    /** Returns the controller of an object; empty when it has none. */
    public static Optional<OwnerReference> controllerOf(HasMetadata object) {
        for (OwnerReference reference : references(object)) {
            if (Boolean.TRUE.equals(reference.getController())) {
                return Optional.of(reference);
            }
        }
        return Optional.empty();
    }

    /** Returns whether this very owner, not another one of the same name, is the controller of the object. */
    public static boolean isControlledBy(HasMetadata object, HasMetadata owner) {
        String uid = owner.getMetadata().getUid();
        return controllerOf(object)
                .filter(it -> Objects.equals(it.getUid(), uid))
                .isPresent();
    }

    /**
     * Makes the owner the controller of the object.
     *
     * @throws IllegalArgumentException when the owner is in another namespace: the garbage collector would consider it
     *     gone, and delete the object
     * @throws IllegalStateException when another owner already controls the object
     */
    public static void control(HasMetadata owner, HasMetadata object) {
        String namespace = ObjectKey.of(owner).namespace();
        if (!namespace.isEmpty() && !namespace.equals(ObjectKey.of(object).namespace())) {
            throw new IllegalArgumentException(object.getKind() + " \"" + ObjectKey.of(object)
                    + "\" cannot be owned by an object of namespace \"" + namespace
                    + "\": owners are cluster-scoped or of the same namespace");
        }
        OwnerReference reference = controller(owner);
        Optional<OwnerReference> present = controllerOf(object);
        if (present.isPresent() && !reference.getUid().equals(present.get().getUid())) {
            throw new IllegalStateException(object.getKind() + " \"" + ObjectKey.of(object) + "\" is controlled by "
                    + present.get().getKind() + " \"" + present.get().getName() + "\" already");
        }
        List<OwnerReference> references = new ArrayList<>(references(object));
        references.removeIf(other -> reference.getUid().equals(other.getUid()));
        references.add(reference);
        object.getMetadata().setOwnerReferences(references);
    }

    private static List<OwnerReference> references(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of());
    }
}
