package dev.evenkeel.controller;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.cache.Index;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.controller.cache.Projection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The definition of a controller: its primary kind, the events that trigger reconciliations, its options, and its
 * reconciler. Immutable: each setter returns a copy. A {@link Manager} runs it.
 *
 * <p>Defaults: two workers; a deadline of two minutes for a reconciliation; failures retried after 5 ms, doubling up to
 * 1000 s, plus up to a tenth at random; every object reconciled at least every ten hours; placed on one
 * {@linkplain Placement#leader() leader} if the manager has leases, and on every server otherwise.
 *
 * @param <T> class of the primary objects
 */
public final class Controller<T extends HasMetadata> {
    /** The default deadline of a reconciliation. */
    public static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Duration INITIALIZER_DEADLINE = Duration.ofMinutes(2);
    private static final Projection PROJECTION = Projection.withoutManagedFields();

    /** The default resync interval, at which every object is reconciled even if nothing changed. */
    public static final Duration RESYNC_INTERVAL = Duration.ofHours(10);

    /** A kind that is watched in addition to the primary one. */
    public record Watched<T extends HasMetadata, W extends HasMetadata>(
            Kind<W> kind,
            ListOptions selection,
            Relation relation,
            Optional<Mapper<T, W>> mapper,
            Trigger<W> trigger,
            Projection projection,
            List<Index<W, ?>> indexes) {}

    private final Draft<T> settings;

    private Controller(Draft<T> settings) {
        this.settings = settings;
    }

    /** All settings; written only while a copy of a controller is made. */
    private static final class Draft<T extends HasMetadata> implements Cloneable {
        private String name;
        private Kind<T> primary;
        private Reconciler<T> reconciler;
        private ListOptions selection = ListOptions.ALL;
        private Projection projection = PROJECTION;
        private Trigger<T> trigger = Trigger.any();
        private List<Index<T, ?>> indexes = List.of();
        private List<Watched<T, ?>> watched = List.of();
        private List<Source> sources = List.of();
        private Set<ObjectKey> always = Set.of();
        private Initializer initializer = Initializer.NONE;
        private Duration initializerDeadline = INITIALIZER_DEADLINE;
        private Placement placement = Placement.leader();
        private RateLimiter backoff = RateLimiter.standard();
        private Optional<Function<ObjectKey, Object>> flow = Optional.empty();
        private int workers = 2;
        private Duration deadline = DEADLINE;
        private Duration interval = RESYNC_INTERVAL;

        Draft(String name, Kind<T> primary, Reconciler<T> reconciler) {
            this.name = name;
            this.primary = primary;
            this.reconciler = reconciler;
        }

        @Override
        @SuppressWarnings("unchecked")
        protected Draft<T> clone() {
            try {
                return (Draft<T>) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private Controller<T> with(Consumer<Draft<T>> change) {
        Draft<T> draft = settings.clone();
        change.accept(draft);
        return new Controller<>(draft);
    }

    /** Returns a controller of this kind, named after it, that does not watch other kinds yet. */
    public static <T extends HasMetadata> Controller<T> of(Kind<T> primary, Reconciler<T> reconciler) {
        return new Controller<>(new Draft<>(primary.id(), primary, reconciler));
    }

    /** Returns a controller of the kind of this class. */
    public static <T extends HasMetadata> Controller<T> of(Class<T> primary, Reconciler<T> reconciler) {
        return of(Kind.of(primary), reconciler);
    }

    /** Returns a copy with the given name, which is used for display, metrics and leases. Unique in a manager. */
    public Controller<T> name(String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the name of a controller must not be empty");
        }
        return with(draft -> draft.name = value);
    }

    /** Returns a copy whose reconciler is wrapped, such as to observe it or to inject faults in tests. */
    public Controller<T> around(UnaryOperator<Reconciler<T>> wrapper) {
        return with(draft -> draft.reconciler = wrapper.apply(draft.reconciler));
    }

    /** Returns a copy for the selected primary objects only; the namespace and the selectors of the options count. */
    public Controller<T> selection(ListOptions value) {
        return with(draft -> draft.selection = value);
    }

    /** Returns a copy that caches only these fields of primary objects, which are all that the reconciler can read. */
    public Controller<T> projection(Projection value) {
        return with(draft -> draft.projection = value);
    }

    /** Returns a copy that is triggered only by matching changes of primary objects; new objects must match, too. */
    public Controller<T> trigger(Trigger<T> value) {
        return with(draft -> draft.trigger = value);
    }

    /** Returns a copy with an index of the primary objects. */
    public Controller<T> index(Index<T, ?> value) {
        return with(draft -> draft.indexes = appended(draft.indexes, value));
    }

    /** Returns a copy that is triggered by objects of this kind whose controlling owner is a primary object. */
    public <W extends HasMetadata> Controller<T> owns(Kind<W> kind) {
        return watched(kind, ListOptions.ALL, Relation.OWNS, Mapper.controller(primary()), Trigger.any());
    }

    /** Returns a copy as {@link #owns(Kind)} for the kind of this class. */
    public Controller<T> owns(Class<? extends HasMetadata> type) {
        return owns(Kind.of(type));
    }

    /** Returns a copy that is triggered by objects of this kind, which the mapper maps to primary objects. */
    public <W extends HasMetadata> Controller<T> watches(Kind<W> kind, Mapper<T, W> mapper) {
        return watches(kind, ListOptions.ALL, mapper, Trigger.any());
    }

    /** Returns a copy as {@link #watches(Kind, Mapper)} for the kind of this class. */
    public <W extends HasMetadata> Controller<T> watches(Class<W> type, Mapper<T, W> mapper) {
        return watches(Kind.of(type), mapper);
    }

    /**
     * Returns a copy that is triggered by matching changes of selected objects of this kind, which the mapper maps to
     * primary objects.
     */
    public <W extends HasMetadata> Controller<T> watches(
            Kind<W> kind, ListOptions selection, Mapper<T, W> mapper, Trigger<W> trigger) {
        return watched(kind, selection, Relation.WATCHES, mapper, trigger);
    }

    /**
     * Returns a copy that is triggered by the objects that its primary objects refer to: by their creation, their
     * changes and their deletion.
     */
    public <W extends HasMetadata> Controller<T> refersTo(Reference<T, W> reference) {
        return index(reference.index()).watches(reference.target(), reference.toSources());
    }

    /**
     * Returns a copy that is triggered by the objects that refer to its primary objects, and those that did before they
     * changed. {@link Reference#sourcesOf} finds them in the cache.
     */
    public <W extends HasMetadata> Controller<T> referredBy(Reference<W, T> reference) {
        return watched(new Watched<>(
                reference.source(),
                ListOptions.ALL,
                Relation.WATCHES,
                Optional.of(reference.toTargets()),
                Trigger.any(),
                PROJECTION,
                List.of(reference.index())));
    }

    private <W extends HasMetadata> Controller<T> watched(
            Kind<W> kind, ListOptions selection, Relation relation, Mapper<T, W> mapper, Trigger<W> trigger) {
        return watched(new Watched<>(kind, selection, relation, Optional.of(mapper), trigger, PROJECTION, List.of()));
    }

    private Controller<T> watched(Watched<T, ?> added) {
        return with(draft -> draft.watched = appended(draft.watched, added));
    }

    /** Returns a copy that caches objects of this kind for reading, without being triggered by them. */
    public <W extends HasMetadata> Controller<T> reads(Kind<W> kind) {
        return reads(kind, ListOptions.ALL, PROJECTION, List.of());
    }

    /** Returns a copy that caches objects of the kind of this class for reading, without being triggered by them. */
    public <W extends HasMetadata> Controller<T> reads(Class<W> type) {
        return reads(Kind.of(type));
    }

    /**
     * Returns a copy that caches selected objects of this kind for reading, without being triggered by them.
     *
     * @param projection fields that are needed
     * @param indexes indexes to look them up; also of a kind that is watched or owned as well
     */
    public <W extends HasMetadata> Controller<T> reads(
            Kind<W> kind, ListOptions selection, Projection projection, List<Index<W, ?>> indexes) {
        List<Index<W, ?>> all = List.copyOf(indexes);
        return watched(
                new Watched<>(kind, selection, Relation.READS, Optional.empty(), Trigger.any(), projection, all));
    }

    /**
     * Returns a copy whose reconciliations may {@linkplain Reconciliation#tracker track} objects of this kind, and
     * which is triggered by tracked ones. The metadata of an object are enough to detect changes, so
     * {@link Kind#metadataOnly} suffices for a kind that is read from the API alone.
     */
    public <W extends HasMetadata> Controller<T> tracks(Kind<W> kind) {
        Watched<T, W> tracked = new Watched<>(
                kind, ListOptions.ALL, Relation.TRACKS, Optional.empty(), Trigger.any(), PROJECTION, List.of());
        return tracked().contains(kind) ? this : watched(tracked);
    }

    /** Returns a copy whose reconciliations may track objects of the kind of this class. */
    public Controller<T> tracks(Class<? extends HasMetadata> type) {
        return tracks(Kind.of(type));
    }

    /** Returns a copy that is also triggered by this source. */
    public Controller<T> source(Source value) {
        return with(draft -> draft.sources = appended(draft.sources, value));
    }

    /**
     * Returns a copy that reconciles this key even if no such object exists: at the start, at each
     * {@link #resyncInterval interval}, and when a tracked object changes.
     */
    public Controller<T> always(ObjectKey key) {
        Set<ObjectKey> keys = new LinkedHashSet<>(always());
        keys.add(key);
        return with(draft -> draft.always = Collections.unmodifiableSet(keys));
    }

    /** Returns a copy that calls this initializer before the first reconciliation. */
    public Controller<T> initializer(Initializer value) {
        return with(draft -> draft.initializer = value);
    }

    /**
     * Returns a copy whose initializer is interrupted after this time, by default 2 minutes. The lease is released
     * then, so that another process can take it.
     */
    public Controller<T> initializerDeadline(Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("initializerDeadline must be positive: " + value);
        }
        return with(draft -> draft.initializerDeadline = value);
    }

    /** Returns a copy with the given placement. */
    public Controller<T> placement(Placement value) {
        return with(draft -> draft.placement = value);
    }

    /** Returns a copy with the given delays after failures. */
    public Controller<T> retry(RateLimiter value) {
        return with(draft -> draft.backoff = value);
    }

    /**
     * Returns a copy that is fair between flows: keys of one flow do not delay those of another. Such as
     * {@code ObjectKey::namespace}.
     */
    public Controller<T> fairnessKey(Function<ObjectKey, Object> flow) {
        return with(draft -> draft.flow = Optional.of(flow));
    }

    /** Returns a copy that reconciles up to this many keys concurrently, at least 1. */
    public Controller<T> workers(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("controller " + name() + " needs at least one worker, not " + value);
        }
        return with(draft -> draft.workers = value);
    }

    /** Returns a copy whose reconciliations are interrupted after this time, and then count as failed. */
    public Controller<T> deadline(Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("deadline must be positive: " + value);
        }
        return with(draft -> draft.deadline = value);
    }

    /** Returns a copy that reconciles every object at least at this interval, spread over that time; zero for never. */
    public Controller<T> resyncInterval(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("interval must not be negative: " + value);
        }
        return with(draft -> draft.interval = value);
    }

    private static <E> List<E> appended(List<E> list, E element) {
        List<E> longer = new ArrayList<>(list);
        longer.add(element);
        return List.copyOf(longer);
    }

    /** Returns the name, which is unique in a manager. */
    public String name() {
        return settings.name;
    }

    /** Returns the kind whose objects are reconciled. */
    public Kind<T> primary() {
        return settings.primary;
    }

    /** Returns the reconciler. */
    public Reconciler<T> reconciler() {
        return settings.reconciler;
    }

    /** Returns the selection of primary objects. */
    public ListOptions selection() {
        return settings.selection;
    }

    /** Returns the cached fields of primary objects. */
    public Projection projection() {
        return settings.projection;
    }

    /** Returns the trigger that selects changes of primary objects. */
    public Trigger<T> trigger() {
        return settings.trigger;
    }

    /** Returns the indexes of the primary objects. */
    public List<Index<T, ?>> indexes() {
        return settings.indexes;
    }

    /** Refuses declarations that could have no effect where only these namespaces are read. */
    void check(Informers.Namespaces namespaces) {
        check(namespaces, "selecting", primary(), selection());
        for (Watched<T, ?> watched : watched()) {
            String what = watched.relation().name().toLowerCase(Locale.ROOT);
            check(namespaces, what, watched.kind(), watched.selection());
        }
        for (ObjectKey key : always()) {
            String what = "controller " + name() + ": always " + key;
            namespaces.of(primary()).require(key.namespace(), what, "leave it out");
        }
    }

    private void check(Informers.Namespaces namespaces, String verb, Kind<?> kind, ListOptions selected) {
        if (!selected.namespace().isEmpty()) {
            String what = "controller " + name() + ": " + verb + " " + kind.id();
            namespaces.of(kind).require(selected.namespace(), what, "select in one of these");
        }
    }

    public List<Watched<T, ?>> watched() {
        return settings.watched;
    }

    /** Returns the kinds that its reconciliations may track. */
    public List<? extends Kind<?>> tracked() {
        return kinds(Relation.TRACKS);
    }

    /** Returns the kinds of this relation, in the order of their declaration. */
    public List<? extends Kind<?>> kinds(Relation relation) {
        if (relation == Relation.PRIMARY) {
            return List.of(primary());
        }
        return watched().stream()
                .filter(w -> w.relation() == relation)
                .map(Watched::kind)
                .toList();
    }

    /** Returns the sources. */
    public List<Source> sources() {
        return settings.sources;
    }

    /** Returns the keys that are reconciled even if no such object exists. */
    public Set<ObjectKey> always() {
        return settings.always;
    }

    /** Returns the initializer. */
    public Initializer initializer() {
        return settings.initializer;
    }

    /** Returns the time after which the initializer is interrupted. */
    public Duration initializerDeadline() {
        return settings.initializerDeadline;
    }

    /** Returns the placement. */
    public Placement placement() {
        return settings.placement;
    }

    /** Returns the delays after failures. */
    public RateLimiter retry() {
        return settings.backoff;
    }

    /** Returns the function that maps keys to flows; empty for none. */
    public Optional<Function<ObjectKey, Object>> fairnessKey() {
        return settings.flow;
    }

    /** Returns the maximum number of concurrent reconciliations. */
    public int workers() {
        return settings.workers;
    }

    /** Returns the deadline of a reconciliation. */
    public Duration deadline() {
        return settings.deadline;
    }

    /** Returns the resync interval, at which every object is reconciled at least; zero for never. */
    public Duration resyncInterval() {
        return settings.interval;
    }

    /** Returns its dependencies: the kinds and sources that trigger it, and those it reads. */
    public List<Dependencies.Edge> dependencies() {
        List<Dependencies.Edge> edges = new ArrayList<>();
        edges.add(edge(Relation.PRIMARY, primary().id(), ""));
        for (Watched<T, ?> watched : watched()) {
            String by = watched.mapper().map(Mapper::name).orElse("");
            edges.add(edge(watched.relation(), watched.kind().id(), by));
        }
        sources().forEach(source -> edges.add(edge(Relation.SOURCE, source.name(), "")));
        return edges;
    }

    private Dependencies.Edge edge(Relation relation, String from, String by) {
        return new Dependencies.Edge(name(), relation, from, by);
    }

    /** Returns the name and the watched kinds. */
    @Override
    public String toString() {
        return "controller " + name() + " " + dependencies();
    }

    /** Prepares a controller before the first reconciliation, such as by creating shared objects. */
    @FunctionalInterface
    public interface Initializer {
        /** Nothing is to be done. */
        Initializer NONE = context -> {};

        /**
         * Prepares a controller. Called each time the controller becomes active, as when it has become the leader, so
         * it must be idempotent. After an exception it is called again, after a growing delay; no key is reconciled
         * before it has succeeded. After {@link Controller#initializerDeadline} it is interrupted, and the lease is
         * released.
         *
         * @throws Exception when it fails
         */
        void initialize(Initialization context) throws Exception;
    }

    /**
     * The dependency graph: the controllers, the kinds and sources that trigger them, and the mappers that find the
     * keys affected by a change.
     *
     * @param edges one for each kind or source of a controller, in the order of their declaration
     */
    public record Dependencies(List<Edge> edges) {
        /** Copies the edges. */
        public Dependencies {
            edges = List.copyOf(edges);
        }

        /** The relation of a kind, or a source, to a controller. */
        public enum Relation {
            /** Its objects are reconciled. */
            PRIMARY,
            /** Its objects are owned by primary ones. */
            OWNS,
            /** Its objects are mapped to primary ones. */
            WATCHES,
            /** Its objects are tracked by reconciliations of primary ones. */
            TRACKS,
            /** It is read, and triggers no reconciliations. */
            READS,
            /** It supplies keys. */
            SOURCE
        }

        /**
         * A kind or source that a controller declared.
         *
         * @param from id of the kind, or name of the source
         * @param by name of the mapper; empty when there is none
         */
        public record Edge(String controller, Relation relation, String from, String by) {}

        /** Returns the graph as a Mermaid flowchart: the same text for the same controllers. */
        public String mermaid() {
            Map<String, String> nodes = new LinkedHashMap<>();
            List<String> lines = new ArrayList<>();
            for (Edge edge : edges) {
                String controller = nodes.computeIfAbsent("c:" + edge.controller(), k -> "n" + nodes.size());
                boolean source = edge.relation() == Relation.SOURCE;
                String from = nodes.computeIfAbsent((source ? "s:" : "k:") + edge.from(), k -> "n" + nodes.size());
                String arrow = edge.relation() == Relation.READS ? " -.-> " : " --> ";
                String label = switch (edge.relation()) {
                    case PRIMARY -> "reconciles";
                    case OWNS -> "owned";
                    case WATCHES -> edge.by();
                    case TRACKS -> "tracked";
                    case READS -> "read";
                    case SOURCE -> "";
                };
                lines.add("    " + from + arrow + (label.isEmpty() ? "" : "|" + quoted(label) + "| ") + controller);
            }
            StringBuilder text = new StringBuilder("flowchart LR\n");
            nodes.forEach((name, id) -> {
                String shown = quoted(name.substring(2));
                String shape = switch (name.charAt(0)) {
                    case 'c' -> "{{" + shown + "}}";
                    case 's' -> "([" + shown + "])";
                    default -> "[" + shown + "]";
                };
                text.append("    ").append(id).append(shape).append('\n');
            });
            Collections.sort(lines);
            lines.forEach(line -> text.append(line).append('\n'));
            return text.toString();
        }

        private static String quoted(String text) {
            return '"' + text.replace("\"", "#quot;") + '"';
        }
    }
}
