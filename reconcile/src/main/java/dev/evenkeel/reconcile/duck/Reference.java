package dev.evenkeel.reconcile.duck;

import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an object of any kind.
 *
 * @param apiVersion such as {@code apps/v1}
 * @param kind such as {@code Deployment}
 * @param key key of the object
 */
public record Reference(String apiVersion, String kind, ObjectKey key) {
    /** Refuses references without a kind. */
    public Reference {
        if (apiVersion.isEmpty() || kind.isEmpty()) {
            throw new IllegalArgumentException("object must directly define apiVersion and kind, and that of " + key
                    + " are \"" + apiVersion + "\" and \"" + kind + "\"");
        }
    }

    /** Returns a reference to an object, by its own apiVersion, kind and key. */
    public static Reference of(HasMetadata object) {
        return new Reference(text(object.getApiVersion()), text(object.getKind()), ObjectKey.of(object));
    }

    /** Returns the reference of a field such as {@code spec.objectRef}. */
    public static Reference of(ObjectReference reference) {
        return new Reference(
                text(reference.getApiVersion()),
                text(reference.getKind()),
                ObjectKey.of(text(reference.getNamespace()), text(reference.getName())));
    }

    /**
     * Returns a reference to an owner.
     *
     * @param namespace of the owned object; empty when the owner is cluster-scoped
     */
    public static Reference of(OwnerReference owner, String namespace) {
        return new Reference(
                text(owner.getApiVersion()), text(owner.getKind()), ObjectKey.of(namespace, text(owner.getName())));
    }

    private static String text(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }

    /** Returns {@code apps/v1 Deployment default/web}. */
    @Override
    public String toString() {
        return apiVersion + " " + kind + " " + key;
    }
}
