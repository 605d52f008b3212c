package dev.evenkeel.reconcile.manage;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * What all managers can be told.
 *
 * @param type of the manager
 * @param name for people
 * @param tracks whether the primary object is woken by what it wants
 * @param finalizer on the primary object, as long as there is something; empty for none
 * @param harmonize takes over from what is there into what is desired what can't be changed any more
 * @param sanitize what of an object may be logged; empty for all
 */
record Terms<C extends HasMetadata>(
        String type,
        Kind<C> kind,
        String name,
        boolean tracks,
        String finalizer,
        Optional<BiConsumer<C, C>> harmonize,
        Optional<UnaryOperator<C>> sanitize) {
    static <C extends HasMetadata> Terms<C> of(String type, Kind<C> kind) {
        return new Terms<>(type, kind, kind.kind() + type, false, "", Optional.empty(), Optional.empty());
    }

    Terms<C> named(String value) {
        return new Terms<>(type, kind, value, tracks, finalizer, harmonize, sanitize);
    }

    Terms<C> tracking() {
        return new Terms<>(type, kind, name, true, finalizer, harmonize, sanitize);
    }

    Terms<C> finalizer(String value) {
        return new Terms<>(type, kind, name, tracks, value, harmonize, sanitize);
    }

    Terms<C> harmonizing(BiConsumer<C, C> value) {
        return new Terms<>(type, kind, name, tracks, finalizer, Optional.of(value), sanitize);
    }

    Terms<C> sanitizing(UnaryOperator<C> value) {
        return new Terms<>(type, kind, name, tracks, finalizer, harmonize, Optional.of(value));
    }

    /** A copy of what is desired, in harmony with what is there; who harmonizes gets copies of both. */
    C harmonized(C actual, C desired) {
        C wanted = ModelCodec.copy(desired);
        harmonize.ifPresent(change -> change.accept(ModelCodec.copy(actual), wanted));
        return wanted;
    }

    /** What a builder lacks. */
    <V> V defined(Optional<V> value, String what) {
        return value.orElseThrow(() -> new IllegalStateException(this + " must define " + what));
    }

    @Override
    public String toString() {
        return type + " \"" + name + "\"";
    }
}
