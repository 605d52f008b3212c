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
 * @param type of the manager
 * @param name name in logs and messages
 * @param tracks whether the desired object triggers the primary object
 * @param finalizer on the primary object, as long as the object exists; empty for none
 * @param harmonize copies immutable fields from the actual into the desired object
 * @param sanitize reduces an object to what may be logged; empty for all
 */
record ManagerOptions<C extends HasMetadata>(
        String type,
        Kind<C> kind,
        String name,
        boolean tracks,
        String finalizer,
        Optional<BiConsumer<C, C>> harmonize,
        Optional<UnaryOperator<C>> sanitize) {
    static <C extends HasMetadata> ManagerOptions<C> of(String type, Kind<C> kind) {
        return new ManagerOptions<>(type, kind, kind.kind() + type, false, "", Optional.empty(), Optional.empty());
    }

    ManagerOptions<C> named(String value) {
        return new ManagerOptions<>(type, kind, value, tracks, finalizer, harmonize, sanitize);
    }

    ManagerOptions<C> tracking() {
        return new ManagerOptions<>(type, kind, name, true, finalizer, harmonize, sanitize);
    }

    ManagerOptions<C> finalizer(String value) {
        return new ManagerOptions<>(type, kind, name, tracks, value, harmonize, sanitize);
    }

    ManagerOptions<C> harmonizing(BiConsumer<C, C> value) {
        return new ManagerOptions<>(type, kind, name, tracks, finalizer, Optional.of(value), sanitize);
    }

    ManagerOptions<C> sanitizing(UnaryOperator<C> value) {
        return new ManagerOptions<>(type, kind, name, tracks, finalizer, harmonize, Optional.of(value));
    }

    /** Returns a copy of the desired object, harmonized with the actual one; the function gets copies of both. */
    C harmonized(C actual, C desired) {
        C wanted = ModelCodec.copy(desired);
        harmonize.ifPresent(change -> change.accept(ModelCodec.copy(actual), wanted));
        return wanted;
    }

    /** Returns a required value, or throws with its name. */
    <V> V defined(Optional<V> value, String what) {
        return value.orElseThrow(() -> new IllegalStateException(this + " must define " + what));
    }

    @Override
    public String toString() {
        return type + " \"" + name + "\"";
    }
}
