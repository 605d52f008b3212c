package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
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
 * What a reconciler needs to be run: which objects it is for, what else wakes it, and how it is run. A value: each method
 * gives another one. A {@link Manager} runs it.
 *
 * <p>Defaults: two workers; a deadline of two minutes a reconciliation; failures tried again after 5 ms, doubling up to
 * 1000 s, a tenth of it chance; every object reconciled at least every ten hours; placed at one {@linkplain
 * Placement#leader() leader}, if the manager has leases, and everywhere otherwise.
 *
 * @param <T> class of the primary objects
 */
public final class Controller<T extends HasMetadata> {
    /** How long a reconciliation may take, unless told otherwise. */
    public static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Duration INITIALIZER_DEADLINE = Duration.ofMinutes(2);

    /** How often every object is reconciled though nothing changed, unless told otherwise. */
    public static final Duration INTERVAL = Duration.ofHours(10);

    /** A kind that is watched beside the primary one. */
    public record Watched<T extends HasMetadata, W extends HasMetadata>(
            Kind<W> kind,
            ListOptions selection,
            Dependencies.Relation relation,
            Optional<Mapper<T, W>> mapper,
            Trigger<W> trigger,
            Projection projection,
            List<Index<W, ?>> indexes) {}

    private final Draft<T> settings;

    private Controller(Draft<T> settings) {
        this.settings = settings;
    }

    /** All that there is to set; written only while a controller is made of another. */
    private static final class Draft<T extends HasMetadata> {
        private String name;
        private Kind<T> primary;
        private Reconciler<T> reconciler;
        private ListOptions selection = ListOptions.ALL;
        private Projection projection = Projection.withoutManagedFields();
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
        private Duration interval = INTERVAL;

        Draft(String name, Kind<T> primary, Reconciler<T> reconciler) {
            this.name = name;
            this.primary = primary;
            this.reconciler = reconciler;
        }

        Draft(Draft<T> other) {
            name = other.name;
            primary = other.primary;
            reconciler = other.reconciler;
            selection = other.selection;
            projection = other.projection;
            trigger = other.trigger;
            indexes = other.indexes;
            watched = other.watched;
            sources = other.sources;
            always = other.always;
            initializer = other.initializer;
            initializerDeadline = other.initializerDeadline;
            placement = other.placement;
            backoff = other.backoff;
            flow = other.flow;
            workers = other.workers;
            deadline = other.deadline;
            interval = other.interval;
        }
    }

    private Controller<T> with(Consumer<Draft<T>> change) {
        Draft<T> draft = new Draft<>(settings);
        change.accept(draft);
        return new Controller<>(draft);
    }

    /** A controller of this kind, named after it, that watches nothing else yet. */
    public static <T extends HasMetadata> Controller<T> of(Kind<T> primary, Reconciler<T> reconciler) {
        return new Controller<>(new Draft<>(primary.id(), primary, reconciler));
    }

    /** A controller of the kind of this class. */
    public static <T extends HasMetadata> Controller<T> of(Class<T> primary, Reconciler<T> reconciler) {
        return of(Kind.of(primary), reconciler);
    }

    /** The same with another name: for people, for metrics and for its lease. Unique in a manager. */
    public Controller<T> named(String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the name of a controller must not be empty");
        }
        return with(draft -> draft.name = value);
    }

    /** The same with something around its reconciler: for looking on, or for acting up in tests. */
    public Controller<T> around(UnaryOperator<Reconciler<T>> wrapper) {
        return with(draft -> draft.reconciler = wrapper.apply(draft.reconciler));
    }

    /** The same for primary objects of this selection only; its namespace and selectors count. */
    public Controller<T> selecting(ListOptions value) {
        return with(draft -> draft.selection = value);
    }

    /** The same that reads of primary objects only what the projection keeps: no more is cached. */
    public Controller<T> keeping(Projection value) {
        return with(draft -> draft.projection = value);
    }

    /** The same, woken only by those changes of primary objects; new ones too must pass. */
    public Controller<T> when(Trigger<T> value) {
        return with(draft -> draft.trigger = value);
    }

    /** The same with an index of the primary objects. */
    public Controller<T> index(Index<T, ?> value) {
        return with(draft -> draft.indexes = appended(draft.indexes, value));
    }

    /** The same, woken by objects of this kind whose controlling owner is a primary object. */
    public <W extends HasMetadata> Controller<T> owns(Kind<W> kind) {
        return watched(kind, ListOptions.ALL, Dependencies.Relation.OWNS, Mapper.controller(primary()), Trigger.any());
    }

    /** The same, woken by objects of the kind of this class whose controlling owner is a primary object. */
    public Controller<T> owns(Class<? extends HasMetadata> type) {
        return owns(Kind.of(type));
    }

    /** The same, woken by objects of this kind that mean something to primary objects. */
    public <W extends HasMetadata> Controller<T> watches(Kind<W> kind, Mapper<T, W> mapper) {
        return watches(kind, ListOptions.ALL, mapper, Trigger.any());
    }

    /** The same, woken by objects of the kind of this class that mean something to primary objects. */
    public <W extends HasMetadata> Controller<T> watches(Class<W> type, Mapper<T, W> mapper) {
        return watches(Kind.of(type), mapper);
    }

    /** The same, woken by those changes of some objects of this kind that mean something to primary objects. */
    public <W extends HasMetadata> Controller<T> watches(
            Kind<W> kind, ListOptions selection, Mapper<T, W> mapper, Trigger<W> trigger) {
        return watched(kind, selection, Dependencies.Relation.WATCHES, mapper, trigger);
    }

    private <W extends HasMetadata> Controller<T> watched(
            Kind<W> kind,
            ListOptions selection,
            Dependencies.Relation relation,
            Mapper<T, W> mapper,
            Trigger<W> trigger) {
        Watched<T, W> added = new Watched<>(
                kind, selection, relation, Optional.of(mapper), trigger, Projection.withoutManagedFields(), List.of());
        return with(draft -> draft.watched = appended(draft.watched, added));
    }

    /** The same that reads objects of this kind from a cache, without being woken by them. */
    public <W extends HasMetadata> Controller<T> reads(Kind<W> kind) {
        return reads(kind, ListOptions.ALL, Projection.withoutManagedFields(), List.of());
    }

    /** The same that reads objects of the kind of this class from a cache, without being woken by them. */
    public <W extends HasMetadata> Controller<T> reads(Class<W> type) {
        return reads(Kind.of(type));
    }

    /**
     * The same that reads some objects of this kind from a cache, without being woken by them.
     *
     * @param projection what is needed of them
     * @param indexes by which they are looked up; also of a kind that is watched or owned besides
     */
    public <W extends HasMetadata> Controller<T> reads(
            Kind<W> kind, ListOptions selection, Projection projection, List<Index<W, ?>> indexes) {
        Watched<T, W> added = new Watched<>(
                kind,
                selection,
                Dependencies.Relation.READS,
                Optional.empty(),
                Trigger.any(),
                projection,
                List.copyOf(indexes));
        return with(draft -> draft.watched = appended(draft.watched, added));
    }

    /**
     * The same, whose reconciliations may {@linkplain Reconciliation#tracker track} objects of this kind, and which is woken
     * by those that they track. Changes are told by the head of an object, so {@link Kind#metadataOnly} is enough of a kind
     * that is read from the API alone.
     */
    public <W extends HasMetadata> Controller<T> tracks(Kind<W> kind) {
        if (tracked().contains(kind)) {
            return this;
        }
        Watched<T, W> added = new Watched<>(
                kind,
                ListOptions.ALL,
                Dependencies.Relation.TRACKS,
                Optional.empty(),
                Trigger.any(),
                Projection.withoutManagedFields(),
                List.of());
        return with(draft -> draft.watched = appended(draft.watched, added));
    }

    /** The same, whose reconciliations may track objects of the kind of this class. */
    public Controller<T> tracks(Class<? extends HasMetadata> type) {
        return tracks(Kind.of(type));
    }

    /** The same, woken by this too. */
    public Controller<T> source(Source value) {
        return with(draft -> draft.sources = appended(draft.sources, value));
    }

    /**
     * The same, which reconciles this key though there may be no object of it: when it begins, at each {@link #every
     * interval}, and when what it tracked changes.
     */
    public Controller<T> always(ObjectKey key) {
        Set<ObjectKey> keys = new LinkedHashSet<>(always());
        keys.add(key);
        return with(draft -> draft.always = Collections.unmodifiableSet(keys));
    }

    /** The same, which does this before the first reconciliation. */
    public Controller<T> initializer(Initializer value) {
        return with(draft -> draft.initializer = value);
    }

    /**
     * Returns a copy whose initializer is interrupted after this time, by default 2 minutes. The lease is released then,
     * so that another process can take it.
     */
    public Controller<T> initializerDeadline(Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("initializerDeadline must be positive: " + value);
        }
        return with(draft -> draft.initializerDeadline = value);
    }

    /** The same, placed so. */
    public Controller<T> placement(Placement value) {
        return with(draft -> draft.placement = value);
    }

    /** The same with other delays after failures. */
    public Controller<T> backoff(RateLimiter value) {
        return with(draft -> draft.backoff = value);
    }

    /** The same, fair between flows: keys of one flow do not hold up those of others. Such as {@code ObjectKey::namespace}. */
    public Controller<T> fairBy(Function<ObjectKey, Object> flow) {
        return with(draft -> draft.flow = Optional.of(flow));
    }

    /** The same with so many keys at once, from 1. */
    public Controller<T> workers(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("controller " + name() + " needs at least one worker, not " + value);
        }
        return with(draft -> draft.workers = value);
    }

    /** The same, whose reconciliations are interrupted after this time, and count as failed. */
    public Controller<T> deadline(Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("deadline must be positive, and is " + value);
        }
        return with(draft -> draft.deadline = value);
    }

    /** The same, which reconciles every object at least so often, spread over that time; zero for never. */
    public Controller<T> every(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("interval must not be negative, and is " + value);
        }
        return with(draft -> draft.interval = value);
    }

    private static <E> List<E> appended(List<E> list, E element) {
        List<E> longer = new ArrayList<>(list);
        longer.add(element);
        return List.copyOf(longer);
    }

    /** For people, unique in a manager. */
    public String name() {
        return settings.name;
    }

    /** Kind whose objects are reconciled. */
    public Kind<T> primary() {
        return settings.primary;
    }

    /** What is run. */
    public Reconciler<T> reconciler() {
        return settings.reconciler;
    }

    /** Which primary objects. */
    public ListOptions selection() {
        return settings.selection;
    }

    /** What is kept of primary objects. */
    public Projection projection() {
        return settings.projection;
    }

    /** Which changes of primary objects count. */
    public Trigger<T> trigger() {
        return settings.trigger;
    }

    /** Indexes of the primary objects. */
    public List<Index<T, ?>> indexes() {
        return settings.indexes;
    }

    /** Refuses what nothing would come of where only these namespaces are read. */
    void check(Informers.Namespaces namespaces) {
        check(namespaces, "selecting", primary(), selection());
        for (Watched<T, ?> watched : watched()) {
            String what = watched.relation().name().toLowerCase(Locale.ROOT);
            check(namespaces, what, watched.kind(), watched.selection());
        }
        for (ObjectKey key : always()) {
            namespaces
                    .of(primary())
                    .require(key.namespace(), "controller " + name() + ": always " + key, "leave it out");
        }
    }

    private void check(Informers.Namespaces namespaces, String what, Kind<?> kind, ListOptions selected) {
        if (!selected.namespace().isEmpty()) {
            namespaces
                    .of(kind)
                    .require(
                            selected.namespace(),
                            "controller " + name() + ": " + what + " " + kind.id(),
                            "select in one of these");
        }
    }

    public List<Watched<T, ?>> watched() {
        return settings.watched;
    }

    /** Kinds that its reconciliations may track. */
    public List<? extends Kind<?>> tracked() {
        return kinds(Dependencies.Relation.TRACKS);
    }

    /** Kinds that it has this relation to, in the order in which they were declared. */
    public List<? extends Kind<?>> kinds(Dependencies.Relation relation) {
        return relation == Dependencies.Relation.PRIMARY
                ? List.of(primary())
                : watched().stream()
                        .filter(watched -> watched.relation() == relation)
                        .map(Watched::kind)
                        .toList();
    }

    /** What else wakes it. */
    public List<Source> sources() {
        return settings.sources;
    }

    /** Keys that are reconciled though there may be no object of them. */
    public Set<ObjectKey> always() {
        return settings.always;
    }

    /** What is done first. */
    public Initializer initializer() {
        return settings.initializer;
    }

    /** Returns the time after which the initializer is interrupted. */
    public Duration initializerDeadline() {
        return settings.initializerDeadline;
    }

    /** Where it works. */
    public Placement placement() {
        return settings.placement;
    }

    /** How long to wait after failures. */
    public RateLimiter backoff() {
        return settings.backoff;
    }

    /** What fairness is between; empty for none. */
    public Optional<Function<ObjectKey, Object>> flow() {
        return settings.flow;
    }

    /** How many keys at once. */
    public int workers() {
        return settings.workers;
    }

    /** How long a reconciliation may take. */
    public Duration deadline() {
        return settings.deadline;
    }

    /** How often every object is reconciled at least; zero for never. */
    public Duration interval() {
        return settings.interval;
    }

    /** What it is woken by and what it reads. */
    public List<Dependencies.Edge> dependencies() {
        List<Dependencies.Edge> edges = new ArrayList<>();
        edges.add(new Dependencies.Edge(
                name(), Dependencies.Relation.PRIMARY, primary().id(), ""));
        for (Watched<T, ?> watched : watched()) {
            String by = watched.mapper().map(Mapper::name).orElse("");
            edges.add(new Dependencies.Edge(
                    name(), watched.relation(), watched.kind().id(), by));
        }
        for (Source source : sources()) {
            edges.add(new Dependencies.Edge(name(), Dependencies.Relation.SOURCE, source.name(), ""));
        }
        return edges;
    }

    /** Its name, and what it watches. */
    @Override
    public String toString() {
        return "controller " + name() + " " + dependencies();
    }

    /** What must be done before the first reconciliation, such as creating what everything else refers to. */
    @FunctionalInterface
    public interface Initializer {
        /** Nothing. */
        Initializer NONE = client -> {};

        /**
         * Prepares the work of a controller. Called each time the controller begins to work, as when it has become the
         * leader, so it must have no effect when all is done already. After an exception it is called again, after a
         * delay that grows; no key is reconciled before it has succeeded. After {@link Controller#initializerDeadline} it
         * is interrupted, and the lease is released.
         *
         * @throws Exception whatever went wrong
         */
        void initialize(Client client) throws Exception;
    }

    /**
     * Who is woken by what: the controllers, the kinds they watch, and how a change finds the keys it means something to.
     *
     * @param edges one for each thing a controller watches, in the order in which they were declared
     */
    public record Dependencies(List<Edge> edges) {
        /** Copies the edges. */
        public Dependencies {
            edges = List.copyOf(edges);
        }

        /** How a kind, or a source, is related to a controller. */
        public enum Relation {
            /** Its objects are reconciled. */
            PRIMARY,
            /** Its objects belong to primary ones. */
            OWNS,
            /** Its objects are mapped to primary ones. */
            WATCHES,
            /** Reconciliations say which of its objects mean something to primary ones. */
            TRACKS,
            /** It is read, and wakes nobody. */
            READS,
            /** It gives keys. */
            SOURCE
        }

        /**
         * Something that a controller watches.
         *
         * @param controller its name
         * @param relation what it is to the controller
         * @param from id of the kind, or name of the source
         * @param by name of the mapper; empty when there is none
         */
        public record Edge(String controller, Relation relation, String from, String by) {}

        /** The graph as a Mermaid flowchart: the same text for the same controllers. */
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
                text.append("    ")
                        .append(id)
                        .append(
                                switch (name.charAt(0)) {
                                    case 'c' -> "{{" + shown + "}}";
                                    case 's' -> "([" + shown + "])";
                                    default -> "[" + shown + "]";
                                })
                        .append('\n');
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
