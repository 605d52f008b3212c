package dev.evenkeel.load.internal.drive;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.controller.cache.InformerOptions;
import dev.evenkeel.load.Effect;
import dev.evenkeel.load.LoadException;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.result.Latencies;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sees when operations have their effect, in objects that it watches, and in the output of the controller.
 *
 * <ol>
 *   <li>A latency is the time from the acknowledgement to the effect; 0 if the effect was seen first.
 *   <li>An effect that a later one of the same object has replaced counts as seen when that is.
 *   <li>What the deletion of the changed object overtakes is neither seen nor missing.
 *   <li>What is not seen stays pending, until it is given up: it has no latency, but is counted.
 * </ol>
 *
 * <p>Thread-safe.
 */
public final class Effects implements AutoCloseable {
    /** No time. */
    public static final long NEVER = Long.MIN_VALUE;

    private static final Duration SYNC = Duration.ofMinutes(1);
    private static final Pattern PREFIXED = Pattern.compile("\\$\\{name#([^}]*)}");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[\\s,;\"'(){}\\[\\]<>=]+");

    private final Client client;
    private final Function<? super Operation, Optional<Effect>> rules;
    private final Pace pace;

    /** Guards what follows. */
    private final Object lock = new Object();

    private final Map<Place, Deque<Expectation>> pending = new HashMap<>();
    /** By word, in order of the operations: objects of several namespaces may have equal ones. */
    private final Map<String, Deque<Expectation>> words = new HashMap<>();

    private final Map<Place, Seen> latest = new HashMap<>();
    private final Map<Kind<Encoded>, Informer<Encoded>> informers = new HashMap<>();
    private Recorder all = new Recorder();
    private final Map<String, Recorder> byNamespace = new TreeMap<>();
    private int open;
    private long lastSeen = NEVER;

    private final Map<Kind<Encoded>, Set<String>> labels = new HashMap<>();

    /**
     * The place in which an effect is visible: the object of a key, or that in the namespace of the key with a label, whose value
     * is then the name of the key.
     */
    private record Place(Kind<Encoded> kind, String label, ObjectKey key) {
        Place(Kind<Encoded> kind, ObjectKey key) {
            this(kind, "", key);
        }
    }

    private record Seen(@Nullable Encoded object, long nanos) {}

    private static final class Expectation {
        final String namespace;
        final Predicate<@Nullable Encoded> visible;

        /** The time of the acknowledgement. */
        long acknowledged = NEVER;

        /** The time of the effect, if it came before the acknowledgement. */
        long seen = NEVER;

        Expectation(String namespace, Predicate<@Nullable Encoded> visible) {
            this.namespace = namespace;
            this.visible = visible;
        }
    }

    /**
     * The latencies of effects.
     *
     * @param visible the latencies
     * @param byNamespace the latencies by namespace of the changed objects
     * @param missing the number of effects that were not seen
     * @param missingIn the namespaces of these
     */
    public record Outcome(
            Latencies visible, SortedMap<String, Latencies> byNamespace, int missing, Set<String> missingIn) {}

    /**
     * Creates an observer.
     *
     * @param rules the effect that an operation should have, if any
     */
    public Effects(Client client, Function<? super Operation, Optional<Effect>> rules, Pace pace) {
        this.client = client;
        this.rules = rules;
        this.pace = pace;
    }

    /** Begins to watch the kind in which an effect is seen; returns when its present objects are known. */
    public void watch(Effect.Shown shown) throws InterruptedException {
        if (!shown.label().isEmpty()) {
            synchronized (lock) {
                labels.computeIfAbsent(shown.kind(), kind -> new HashSet<>()).add(shown.label());
            }
        }
        watch(shown.kind());
    }

    /** Begins to watch a kind, in which effects are seen; returns when its present objects are known. */
    public void watch(Kind<Encoded> kind) throws InterruptedException {
        synchronized (lock) {
            if (informers.containsKey(kind)) {
                return;
            }
        }
        Informer<Encoded> informer =
                new Informer<>(client, kind, ListOptions.ALL, pace.scheduler(), InformerOptions.DEFAULT);
        Informer.Registration handler = informer.handle("effects", change -> {
            Place place = new Place(kind, change.key());
            switch (change) {
                case Informer.Change.Added<Encoded>(var entry, var initial) -> seen(place, entry.object());
                case Informer.Change.Updated<Encoded>(var before, var entry) -> seen(place, entry.object());
                case Informer.Change.Deleted<Encoded> deleted -> seen(place, null);
                case Informer.Change.Resync<Encoded> resync -> {}
            }
        });
        synchronized (lock) {
            informers.put(kind, informer);
        }
        informer.start();
        if (!pace.scheduler().await(handler.synced(), SYNC)) {
            throw new LoadException(kind.id() + " can't be read: " + informer.unsynced());
        }
    }

    private void seen(Place place, @Nullable Encoded object) {
        long now = pace.nanos();
        synchronized (lock) {
            Seen before = latest.get(place);
            for (String label : labels.getOrDefault(place.kind(), Set.of())) {
                Optional<Place> was = Optional.ofNullable(before).flatMap(one -> labelled(place, label, one.object()));
                Optional<Place> is = labelled(place, label, object);
                // another object may have the label by now
                was.filter(one -> !is.equals(was) && Objects.equals(latest.get(one), before))
                        .ifPresent(one -> seen(one, null, now));
                is.ifPresent(one -> seen(one, object, now));
            }
            seen(place, object, now);
        }
    }

    private static Optional<Place> labelled(Place place, String label, @Nullable Encoded object) {
        return object != null
                        && Json.value(object.json(), "metadata.labels").orElse(null) instanceof Map<?, ?> present
                        && present.get(label) instanceof String value
                ? Optional.of(
                        new Place(place.kind(), label, ObjectKey.of(place.key().namespace(), value)))
                : Optional.empty();
    }

    private void seen(Place place, @Nullable Encoded object, long now) {
        if (object == null) {
            latest.remove(place);
        } else {
            latest.put(place, new Seen(object, now));
        }
        Deque<Expectation> expectations = pending.get(place);
        if (expectations != null) {
            check(place, expectations, object, now);
        }
    }

    private void check(Place place, Deque<Expectation> expectations, @Nullable Encoded object, long now) {
        Expectation last = null;
        for (Expectation one : expectations) {
            if (one.visible.test(object)) {
                last = one;
            }
        }
        if (last == null) {
            return;
        }
        for (Iterator<Expectation> i = expectations.iterator(); i.hasNext(); ) {
            Expectation one = i.next();
            i.remove();
            visible(one, now);
            if (one == last) {
                break;
            }
        }
        if (expectations.isEmpty()) {
            pending.remove(place);
        }
    }

    private void visible(Expectation expectation, long now) {
        lastSeen = Math.max(lastSeen, now);
        if (expectation.acknowledged == NEVER) {
            expectation.seen = now;
            return;
        }
        open--;
        long latency = Math.max(0, now - expectation.acknowledged);
        all.record(latency);
        byNamespace
                .computeIfAbsent(expectation.namespace, name -> new Recorder())
                .record(latency);
    }

    /** Prepares for the effect of an operation that is about to be sent. */
    void expect(Operation operation) {
        if (operation instanceof Operation.Create(var object)
                && rules.apply(operation).orElse(null) instanceof Effect.Output(String word)) {
            synchronized (lock) {
                words.computeIfAbsent(expanded(word, object.key()), unused -> new ArrayDeque<>())
                        .add(new Expectation(object.key().namespace(), unused -> true));
            }
        } else if (operation instanceof Operation.Delete(var kind, var key)) {
            switch (rules.apply(operation).orElse(null)) {
                case Effect.Shown shown -> expectDeletion(place(shown, key), key.namespace());
                case Effect.ObservedGeneration observed -> forget(new Place(kind, key));
                case Effect.Output(String word) -> forget(expanded(word, key), key.namespace());
                case null -> {}
            }
        }
    }

    private void expectDeletion(Place place, String namespace) {
        synchronized (lock) {
            if (!latest.containsKey(place)) {
                forget(place);
                return;
            }
            Expectation expectation = new Expectation(namespace, Objects::isNull);
            expectation.acknowledged = pace.nanos();
            open++;
            pending.computeIfAbsent(place, unused -> new ArrayDeque<>()).add(expectation);
        }
    }

    private void forget(String word, String namespace) {
        synchronized (lock) {
            for (Expectation overtaken : List.copyOf(expected(word))) {
                if (overtaken.namespace.equals(namespace)) {
                    remove(word, overtaken);
                    if (overtaken.acknowledged != NEVER) {
                        open--;
                    }
                }
            }
        }
    }

    private Collection<Expectation> expected(String word) {
        Deque<Expectation> expectations = words.get(word);
        return expectations == null ? List.of() : expectations;
    }

    private void remove(String word, Expectation expectation) {
        words.computeIfPresent(word, (unused, some) -> {
            some.remove(expectation);
            return some.isEmpty() ? null : some;
        });
    }

    /** Gives up what would be seen in an object that is not there, as the one that it is made for is deleted. */
    private void forget(Place place) {
        synchronized (lock) {
            Deque<Expectation> overtaken = pending.remove(place);
            if (overtaken != null) {
                open -= overtaken.size();
            }
        }
    }

    /** Expects the effect of an operation that was acknowledged. */
    void acknowledged(Operation operation, Encoded result, long now) {
        ObjectKey key = result.header().key();
        switch (rules.apply(operation).orElse(null)) {
            case null -> {}
            case Effect.Output(String word) -> {
                String text = expanded(word, key);
                synchronized (lock) {
                    for (Expectation expectation : expected(text)) {
                        if (expectation.acknowledged == NEVER && expectation.namespace.equals(key.namespace())) {
                            open++;
                            expectation.acknowledged = now;
                            if (expectation.seen != NEVER) {
                                remove(text, expectation);
                                visible(expectation, now);
                            }
                            break;
                        }
                    }
                }
            }
            case Effect.ObservedGeneration observed -> {
                long generation = number(Json.value(result.json(), "metadata.generation"));
                Kind<Encoded> kind = kind(operation);
                expect(
                        new Place(kind, key),
                        key.namespace(),
                        now,
                        object -> object != null && isObserved(object, generation, observed.condition()));
            }
            case Effect.Shown shown -> {
                Optional<Object> wanted =
                        shown.path().isEmpty() ? Optional.empty() : Json.value(result.json(), shown.source());
                expect(
                        place(shown, key),
                        key.namespace(),
                        now,
                        object -> object != null
                                && (shown.path().isEmpty()
                                        || Json.value(object.json(), shown.path())
                                                .equals(wanted)));
            }
        }
    }

    private static Kind<Encoded> kind(Operation operation) {
        return operation instanceof Operation.Create(var object) ? object.kind() : ((Operation.Edit) operation).kind();
    }

    private static boolean isObserved(Encoded object, long generation, String condition) {
        Optional<Object> status = Json.value(object.json(), "status");
        Map<?, ?> fields = status.orElse(null) instanceof Map<?, ?> map ? map : Map.of();
        Optional<Object> observed = Optional.ofNullable(fields.get("observedGeneration"));
        if (condition.isEmpty()) {
            return number(observed) >= generation;
        }
        List<?> conditions = fields.get("conditions") instanceof List<?> list ? list : List.of();
        return conditions.stream()
                .filter(one -> one instanceof Map<?, ?> each
                        && condition.equals(each.get("type"))
                        && "True".equals(each.get("status")))
                .map(one -> Optional.<Object>ofNullable(((Map<?, ?>) one).get("observedGeneration"))
                        .or(() -> observed))
                .anyMatch(seen -> seen.isEmpty() || number(seen) >= generation);
    }

    private static long number(Optional<Object> value) {
        return value.filter(Number.class::isInstance)
                .map(Number.class::cast)
                .map(Number::longValue)
                .orElse(-1L);
    }

    private static Place place(Effect.Shown shown, ObjectKey key) {
        return new Place(
                shown.kind(),
                shown.label(),
                ObjectKey.of(shown.kind().namespaced() ? key.namespace() : "", expanded(shown.name(), key)));
    }

    private static String expanded(String text, ObjectKey key) {
        return PREFIXED.matcher(text.replace("${namespace}", key.namespace()).replace("${name}", key.name()))
                .replaceAll(match -> Matcher.quoteReplacement(
                        key.name().startsWith(match.group(1))
                                ? key.name().substring(match.group(1).length())
                                : key.name()));
    }

    private void expect(Place place, String namespace, long now, Predicate<@Nullable Encoded> visible) {
        Expectation expectation = new Expectation(namespace, visible);
        expectation.acknowledged = now;
        synchronized (lock) {
            open++;
            Deque<Expectation> expectations = pending.computeIfAbsent(place, unused -> new ArrayDeque<>());
            expectations.add(expectation);
            Seen seen = latest.get(place);
            if (seen != null) {
                check(place, expectations, seen.object(), seen.nanos());
            }
        }
    }

    /** Reads a line of the output of the controller. */
    public void output(String line) {
        long now = pace.nanos();
        synchronized (lock) {
            if (words.isEmpty()) {
                return;
            }
            for (String word : BETWEEN_WORDS.split(line, -1)) {
                for (Expectation expectation : expected(word)) {
                    if (expectation.seen == NEVER) {
                        visible(expectation, now);
                        if (expectation.seen == NEVER) {
                            remove(word, expectation);
                        }
                        break;
                    }
                }
            }
        }
    }

    /** Returns whether an effect of the creation of an object is not seen yet. */
    public boolean isPending(LoadObject object) {
        ObjectKey key = object.key();
        Effect effect = rules.apply(new Operation.Create(object)).orElse(null);
        synchronized (lock) {
            return switch (effect) {
                case Effect.Shown shown -> pending.containsKey(place(shown, key));
                case Effect.ObservedGeneration observed -> pending.containsKey(new Place(object.kind(), key));
                case Effect.Output(String word) ->
                    expected(expanded(word, key)).stream().anyMatch(one -> one.namespace.equals(key.namespace()));
                case null -> false;
            };
        }
    }

    /** Returns the number of effects that are not seen yet. */
    public int pending() {
        synchronized (lock) {
            return open;
        }
    }

    /** Returns the time in which 99 % of effects were visible since the latencies were taken; empty if none were yet. */
    public Optional<Duration> latency() {
        synchronized (lock) {
            return all.percentile(99);
        }
    }

    /** Returns the time at which the last effect was seen; {@link #NEVER} if none was. */
    public long lastSeen() {
        synchronized (lock) {
            return lastSeen;
        }
    }

    /** Returns the latencies since the last call, and gives up what is pending. */
    public Outcome take() {
        synchronized (lock) {
            Set<String> missingIn = new HashSet<>();
            pending.values().forEach(some -> some.forEach(one -> missingIn.add(one.namespace)));
            words.values().stream()
                    .flatMap(Deque::stream)
                    .filter(one -> one.acknowledged != NEVER)
                    .forEach(one -> missingIn.add(one.namespace));
            SortedMap<String, Latencies> namespaces = new TreeMap<>();
            byNamespace.forEach((namespace, recorder) -> namespaces.put(namespace, recorder.latencies()));
            Outcome outcome = new Outcome(all.latencies(), namespaces, open, missingIn);
            pending.clear();
            words.clear();
            byNamespace.clear();
            all = new Recorder();
            open = 0;
            return outcome;
        }
    }

    @Override
    public void close() {
        List<Informer<Encoded>> open;
        synchronized (lock) {
            open = List.copyOf(informers.values());
        }
        open.forEach(Informer::close);
    }
}
