package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * The options that all managers have.
 *
 * @param name name in logs and messages
 * @param tracks whether the desired object triggers the primary object
 * @param finalizer on the primary object, as long as the object exists; empty for none
 * @param harmonize copies immutable fields from the actual into the desired object
 * @param sanitize reduces an object to what may be logged; empty for all
 * @param locked whether a patch is of the version that was read
 * @param force whether an apply takes over fields of other managers
 */
record ManagerOptions<C extends HasMetadata>(
        Kind<C> kind,
        String name,
        boolean tracks,
        String finalizer,
        Optional<BiConsumer<C, C>> harmonize,
        Optional<UnaryOperator<C>> sanitize,
        boolean locked,
        boolean force) {
    static <C extends HasMetadata> ManagerOptions<C> of(Kind<C> kind) {
        return new ManagerOptions<>(
                kind, kind.kind() + "ObjectManager", false, "", Optional.empty(), Optional.empty(), false, true);
    }

    ManagerOptions<C> name(String value) {
        return new ManagerOptions<>(kind, value, tracks, finalizer, harmonize, sanitize, locked, force);
    }

    ManagerOptions<C> tracks(boolean value) {
        return new ManagerOptions<>(kind, name, value, finalizer, harmonize, sanitize, locked, force);
    }

    ManagerOptions<C> finalizer(String value) {
        return new ManagerOptions<>(kind, name, tracks, value, harmonize, sanitize, locked, force);
    }

    ManagerOptions<C> harmonize(BiConsumer<C, C> value) {
        return new ManagerOptions<>(kind, name, tracks, finalizer, Optional.of(value), sanitize, locked, force);
    }

    ManagerOptions<C> sanitize(UnaryOperator<C> value) {
        return new ManagerOptions<>(kind, name, tracks, finalizer, harmonize, Optional.of(value), locked, force);
    }

    ManagerOptions<C> locked(boolean value) {
        return new ManagerOptions<>(kind, name, tracks, finalizer, harmonize, sanitize, value, force);
    }

    ManagerOptions<C> force(boolean value) {
        return new ManagerOptions<>(kind, name, tracks, finalizer, harmonize, sanitize, locked, value);
    }

    /** Returns a copy of the desired object, harmonized with the actual one; the function gets copies of both. */
    C harmonized(C actual, C desired) {
        C wanted = ModelCodec.copy(desired);
        harmonize.ifPresent(change -> change.accept(ModelCodec.copy(actual), wanted));
        return wanted;
    }

    @Override
    public String toString() {
        return "ObjectManager \"" + name + "\"";
    }
}
