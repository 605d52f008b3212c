package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The caches that are paused, and what a process that starts meanwhile gets for them. */
final class StaleCaches {
    /** The list that a cache requests when it starts. */
    private record Question(Kind<?> kind, ListOptions options) {}

    /** The paused kinds, in order, and whether only the last state of each object will be delivered. */
    private final Map<String, Boolean> paused = new TreeMap<>();

    private final Map<Question, Supplier<Listing<?>>> lists = new HashMap<>();
    private final Map<Question, Listing<?>> old = new HashMap<>();
    private final List<CacheWatch<?>> watches = new ArrayList<>();

    Set<String> cached() {
        return lists.keySet().stream()
                .map(question -> question.kind().id())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Pauses the cache of a kind; false if the kind is not cached. */
    boolean pause(String kind, boolean misses) {
        paused.merge(kind, misses, Boolean::logicalOr);
        keep(kind);
        return cached().contains(kind);
    }

    /** Keeps the present objects of a kind for a process that starts while its cache is paused. */
    void keep(String kind) {
        lists.forEach((question, list) -> {
            if (question.kind().id().equals(kind)) {
                old.putIfAbsent(question, list.get());
            }
        });
    }

    /** Resumes all caches, and returns their kinds. */
    Set<String> resume() {
        Set<String> resumed = Set.copyOf(paused.keySet());
        watches.stream().filter(watch -> paused.getOrDefault(watch.kind, false)).forEach(CacheWatch::compact);
        old.keySet().removeIf(question -> paused.containsKey(question.kind().id()));
        paused.clear();
        return resumed;
    }

    void processEnded() {
        watches.clear();
    }

    @SuppressWarnings("unchecked") // the listing of a question has its kind
    <T extends HasMetadata> Listing<T> list(Client server, Kind<T> kind, ListOptions options) {
        if (!isOfCache(options)) {
            return server.list(kind, options);
        }
        Question question = new Question(kind, options);
        lists.put(question, () -> server.list(kind, options));
        Listing<?> before = old.get(question);
        return before == null ? server.list(kind, options) : (Listing<T>) before;
    }

    static boolean isOfCache(ListOptions options) {
        return options.resourceVersion().equals("0");
    }

    /** Returns a watch for a process, which is not ready while the cache of its kind is paused. */
    <T extends HasMetadata> Watch<T> watch(Kind<T> kind, Watch<T> watch) {
        CacheWatch<T> wrapped = new CacheWatch<>(kind.id(), watch);
        watches.add(wrapped);
        return wrapped;
    }

    private final class CacheWatch<T extends HasMetadata> implements Watch<T> {
        private final String kind;
        private final Watch<T> watch;
        private Iterator<Event<T>> compacted = List.<Event<T>>of().iterator();
        private Optional<ExpiredException> expired = Optional.empty();

        CacheWatch(String kind, Watch<T> watch) {
            this.kind = kind;
            this.watch = watch;
        }

        /**
         * Keeps of each object the last state only, as after a broken connection. Of several with the same name the
         * deletions are kept: a list that has the last one, or none, replaces whichever the cache shows.
         */
        void compact() {
            LinkedHashMap<ObjectKey, Event<T>> last = new LinkedHashMap<>();
            List<Event<T>> kept = new ArrayList<>();
            while (watch.ready()) {
                try {
                    Optional<Event<T>> event = watch.next();
                    if (event.isEmpty()) {
                        break;
                    }
                    if (event.get().type() != Type.BOOKMARK) {
                        Event<T> former = last.putLast(key(event.get().object()), event.get());
                        if (former != null && former.type() == Type.DELETED) {
                            kept.add(former);
                        }
                    }
                } catch (ExpiredException e) {
                    expired = Optional.of(e);
                    break;
                } catch (InterruptedException e) {
                    throw new IllegalStateException("a watch that is ready must not block", e);
                }
            }
            kept.addAll(last.values());
            compacted = kept.iterator();
        }

        @Override
        public boolean ready() {
            return !paused.containsKey(kind) && (compacted.hasNext() || expired.isPresent() || watch.ready());
        }

        @Override
        public Optional<Event<T>> next() throws InterruptedException {
            if (compacted.hasNext()) {
                return Optional.of(compacted.next());
            }
            if (expired.isPresent()) {
                throw expired.get();
            }
            return watch.next();
        }

        @Override
        public void close() {
            watches.remove(this);
            watch.close();
        }
    }

    static ObjectKey key(HasMetadata object) {
        return object instanceof Encoded encoded ? encoded.header().key() : ObjectKey.of(object);
    }
}
