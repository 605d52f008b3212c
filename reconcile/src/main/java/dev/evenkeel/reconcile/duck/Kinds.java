package dev.evenkeel.reconcile.duck;

import dev.evenkeel.client.Kind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Knows what resource of the API is meant by an apiVersion and a kind: references do not say its plural, nor its scope. */
@FunctionalInterface
public interface Kinds {
    /** The kind; empty when it is not known. */
    Optional<Kind<?>> find(String apiVersion, String kind);

    /** These; of two that are called the same, the first. */
    static Kinds of(Kind<?>... kinds) {
        Map<String, Kind<?>> known = new LinkedHashMap<>();
        Arrays.stream(kinds).forEach(kind -> known.putIfAbsent(name(kind.apiVersion(), kind.kind()), kind));
        return (apiVersion, kind) -> Optional.ofNullable(known.get(name(apiVersion, kind)));
    }

    private static String name(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }

    /** These, and those that the others know. */
    default Kinds or(Kinds others) {
        return (apiVersion, kind) -> find(apiVersion, kind).or(() -> others.find(apiVersion, kind));
    }

    /**
     * The kind.
     *
     * @throws IllegalArgumentException when it is not known
     */
    default Kind<?> require(String apiVersion, String kind) {
        return find(apiVersion, kind)
                .orElseThrow(() -> new IllegalArgumentException(
                        name(apiVersion, kind) + ": no resource is known that is called so: add it to Kinds.of(...)"));
    }
}
