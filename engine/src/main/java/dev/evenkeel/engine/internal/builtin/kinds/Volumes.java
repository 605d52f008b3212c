package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rules that persistent volumes and claims share. They are not bound to each other here. */
final class Volumes {
    private static final List<String> ACCESS_MODES =
            List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");
    private static final List<String> SHORT_MODES = List.of("RWO", "ROX", "RWX", "RWOP");

    private Volumes() {}

    /** Adds the finalizer that keeps an object while it is used. */
    static void protect(JsonObject tree, String finalizer) {
        Metadata.addFinalizer(tree.withObject("metadata"), finalizer);
    }

    /** Requires an amount that is not negative. */
    static void validateAmount(Field amount) {
        FormatRules.quantity(amount)
                .map(Quantity::roundedUp)
                .filter(value -> value.value().signum() < 0)
                .ifPresent(value -> amount.invalid(value.value().longValue(), "must be a valid resource quantity"));
    }

    static void validateAccessModes(Field modes) {
        for (Object mode : modes.array()) {
            if (!ACCESS_MODES.contains(mode)) {
                modes.notSupported(mode, ACCESS_MODES.stream().sorted().toList());
            }
        }
        if (modes.array().contains("ReadWriteOncePod")
                && modes.array().stream()
                        .anyMatch(mode -> ACCESS_MODES.contains(mode) && !"ReadWriteOncePod".equals(mode))) {
            modes.forbidden("may not use ReadWriteOncePod with other access modes");
        }
    }

    /** Returns access modes in short form, such as {@code RWO,ROX}. */
    static String accessModes(List<@Nullable Object> modes) {
        return ACCESS_MODES.stream()
                .filter(modes::contains)
                .map(mode -> SHORT_MODES.get(ACCESS_MODES.indexOf(mode)))
                .collect(Collectors.joining(","));
    }

    static String phase(JsonObject tree) {
        return tree.has("metadata", "deletionTimestamp") ? "Terminating" : tree.string("status", "phase");
    }

    /** Returns the storage class, which was an annotation in the past; the annotation wins even when it is empty. */
    static String storageClass(JsonObject tree) {
        JsonObject annotations = tree.object("metadata", "annotations");
        String beta = "volume.beta.kubernetes.io/storage-class";
        return annotations.has(beta) ? annotations.string(beta) : tree.string("spec", "storageClassName");
    }

    /** Returns the name of a class, marked when one of the annotations makes it the default. */
    static String className(JsonObject tree, String... annotations) {
        JsonObject present = tree.object("metadata", "annotations");
        String name = tree.string("metadata", "name");
        return Stream.of(annotations).anyMatch(annotation -> "true".equals(present.get(annotation)))
                ? name + " (default)"
                : name;
    }
}
