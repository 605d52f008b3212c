package dev.evenkeel.testing.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Which caches stand still, and what a process that starts meanwhile is told in their place. */
final class Lags {
    /** What a cache asks for when it starts. */
    private record Question(Kind<?> kind, ListOptions options) {}

    private final Client server;
    /** The kinds, in order, and whether of each object only the last state will be told. */
    private final Map<String, Boolean> kinds = new TreeMap<>();

    private final Map<Question, Supplier<Listing<?>>> lists = new HashMap<>();
    private final Map<Question, Listing<?>> old = new HashMap<>();

    Lags(Client server) {
        this.server = server;
    }

    boolean none() {
        return kinds.isEmpty();
    }

    /** Whether what there is of a kind is not told. */
    boolean holds(String kind) {
        return kinds.containsKey(kind);
    }

    /** The kinds that caches have asked for so far. */
    Set<String> followed() {
        Set<String> followed = new TreeSet<>();
        lists.keySet().forEach(question -> followed.add(question.kind().id()));
        return followed;
    }

    /** From now on nothing is told of a kind. */
    void begin(String kind) {
        kinds.putIfAbsent(kind, false);
        keep(kind);
    }

    /** Of a kind of which nothing is told: later, of each object only what it is then. */
    void miss(String kind) {
        kinds.put(kind, true);
    }

    /** Keeps what there is of a kind, to be told to a process that starts while its cache stands still. */
    void keep(String kind) {
        lists.forEach((question, list) -> {
            if (question.kind().id().equals(kind)) {
                old.putIfAbsent(question, list.get());
            }
        });
    }

    /** All go on: the kinds, in order, and whether only the last state of each object is told. */
    Map<String, Boolean> end() {
        Map<String, Boolean> ended = new TreeMap<>(kinds);
        old.keySet().removeIf(question -> kinds.containsKey(question.kind().id()));
        kinds.clear();
        return ended;
    }

    /** What a process is told of a kind. */
    @SuppressWarnings("unchecked") // what was listed for a question is of its kind
    <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        if (!options.resourceVersion().equals("0")) {
            return server.list(kind, options);
        }
        Question question = new Question(kind, options);
        lists.put(question, () -> server.list(kind, options));
        Listing<?> before = old.get(question);
        return before == null ? server.list(kind, options) : (Listing<T>) before;
    }
}
