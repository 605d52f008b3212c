package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Who an object belongs to. The garbage collector deletes an object when all its owners are gone; of the owners at most
 * one is its controller, the one that made it and keeps it as it should be.
 */
public final class OwnerReferences {
    private OwnerReferences() {}

    /**
     * A controller reference to this owner, which as foreground deletion has it is kept until the dependent is gone.
     *
     * @param owner as the API returned it: with a uid
     */
    public static OwnerReference controller(HasMetadata owner) {
        String uid = owner.getMetadata().getUid();
        if (uid == null) {
            throw new IllegalArgumentException(owner.getKind() + " \"" + ObjectKey.of(owner)
                    + "\" has no metadata.uid: an owner must have been read from the API");
        }
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(uid)
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /** The controller of an object; empty when it has none. */
    public static Optional<OwnerReference> controllerOf(HasMetadata object) {
        for (OwnerReference reference : references(object)) {
            if (Boolean.TRUE.equals(reference.getController())) {
                return Optional.of(reference);
            }
        }
        return Optional.empty();
    }

    /** Whether this very owner, not another one of the same name, is the controller of the object. */
    public static boolean isControlledBy(HasMetadata object, HasMetadata owner) {
        return controllerOf(object)
                .filter(reference ->
                        Objects.equals(reference.getUid(), owner.getMetadata().getUid()))
                .isPresent();
    }

    /**
     * Makes the owner the controller of the object.
     *
     * @throws IllegalArgumentException when the owner lives in another namespace: the garbage collector would take it
     *     for gone, and delete the object
     * @throws IllegalStateException when another owner controls the object already
     */
    public static void control(HasMetadata owner, HasMetadata object) {
        String ownerNamespace = ObjectKey.of(owner).namespace();
        if (!ownerNamespace.isEmpty()
                && !ownerNamespace.equals(ObjectKey.of(object).namespace())) {
            throw new IllegalArgumentException(object.getKind() + " \"" + ObjectKey.of(object)
                    + "\" cannot be owned by an object of namespace \"" + ownerNamespace
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
