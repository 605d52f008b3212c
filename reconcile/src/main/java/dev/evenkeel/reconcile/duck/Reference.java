package dev.evenkeel.reconcile.duck;

import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An object of whatever kind, as other objects name it.
 *
 * @param apiVersion such as {@code apps/v1}
 * @param kind such as {@code Deployment}
 * @param key where it is
 */
public record Reference(String apiVersion, String kind, ObjectKey key) {
    /** Refuses what does not say its kind. */
    public Reference {
        if (apiVersion.isEmpty() || kind.isEmpty()) {
            throw new IllegalArgumentException("object must directly define apiVersion and kind, and that of " + key
                    + " are \"" + apiVersion + "\" and \"" + kind + "\"");
        }
    }

    /** This object, by what it says itself. */
    public static Reference of(HasMetadata object) {
        return new Reference(text(object.getApiVersion()), text(object.getKind()), ObjectKey.of(object));
    }

    /** What a field such as {@code spec.objectRef} names. */
    public static Reference of(ObjectReference reference) {
        return new Reference(
                text(reference.getApiVersion()),
                text(reference.getKind()),
                ObjectKey.of(text(reference.getNamespace()), text(reference.getName())));
    }

    /**
     * An owner.
     *
     * @param namespace of the object that is owned; empty when the owner is cluster-scoped
     */
    public static Reference of(OwnerReference owner, String namespace) {
        return new Reference(
                text(owner.getApiVersion()), text(owner.getKind()), ObjectKey.of(namespace, text(owner.getName())));
    }

    private static String text(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }

    /** {@code apps/v1 Deployment default/web}. */
    @Override
    public String toString() {
        return apiVersion + " " + kind + " " + key;
    }
}
