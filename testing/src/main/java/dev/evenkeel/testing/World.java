package dev.evenkeel.testing;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.call.Journal;
import dev.evenkeel.testing.call.ReactiveClient;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * The world of one case: an engine of its own with real semantics, a clock that stands still until it is moved, and what
 * was seen to happen.
 *
 * <p>It begins as the world of the suite is, by a fork that costs a microsecond. Its uids and generated names are the same
 * at each run. What the controllers of the API server do (cascading deletion, emptying of namespaces) is done before a
 * call returns.
 *
 * <p>One thread at a time.
 */
public final class World implements AutoCloseable {
    /** When a case takes place, unless it says another time. */
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    static final String MANAGER = "evenkeel";

    private final Supplier<Engine.Builder> beginning;
    private final VirtualScheduler scheduler;
    private final Informers.Namespaces namespaces;
    private final Engine engine;
    private final ResourceApi partition;
    private final Client client;
    private final ReactiveClient reactive;
    private @Nullable MeterRegistry meters;
    private final List<RecordedEvent> events = new ArrayList<>();
    private final Map<String, World> others = new LinkedHashMap<>();
    private final Map<Class<?>, Object> parts = new LinkedHashMap<>();
    private final Map<String, Class<? extends HasMetadata>> types = new HashMap<>();

    /**
     * A world.
     *
     * @param namespaces where controllers work in it
     */
    World(Supplier<Engine.Builder> beginning, Instant now, Informers.Namespaces namespaces) {
        this(beginning, new VirtualScheduler(1, now), namespaces);
    }

    private World(Supplier<Engine.Builder> beginning, VirtualScheduler scheduler, Informers.Namespaces namespaces) {
        this.beginning = beginning;
        this.scheduler = scheduler;
        this.namespaces = namespaces;
        RandomGenerator random = new SplittableRandom(1);
        engine = beginning
                .get()
                .clock(scheduler.clock())
                .random(random)
                .executor(Runnable::run)
                .build();
        partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        client = partition.client(MANAGER);
        reactive = ReactiveClient.builder(client)
                .clock(scheduler.clock())
                .delays(this::pass)
                .build();
    }

    /** Looks and changes as anybody else would: no reactor is in the way, and nothing of it is in the journal. */
    public Client client() {
        return client;
    }

    /** What the code under test reads and writes with: through the reactors, into the journal. */
    public ReactiveClient reactive() {
        return reactive;
    }

    /** What the code under test has called. */
    public Journal journal() {
        return reactive.journal();
    }

    /** The events that it has recorded, in their order. */
    public List<RecordedEvent> events() {
        return List.copyOf(events);
    }

    Informers.Namespaces namespaces() {
        return namespaces;
    }

    /** The time. */
    public Clock clock() {
        return scheduler.clock();
    }

    /** Lets time pass; what caches are waiting for comes meanwhile. */
    public void pass(Duration duration) {
        scheduler.advance(duration);
    }

    /** Lets time pass until then; a time that is over already is refused. */
    void passTo(Instant time) {
        Duration left = Duration.between(clock().instant(), time);
        if (left.isNegative()) {
            throw new IllegalArgumentException(
                    "now: " + time + " is over, time does not go back: it is " + clock().instant());
        }
        pass(left);
    }

    /** For code under test that counts; empty at the beginning of the case. */
    public synchronized MeterRegistry meters() {
        MeterRegistry present = meters;
        if (present == null) {
            present = new SimpleMeterRegistry();
            meters = present;
        }
        return present;
    }

    /** The server, to start a door to it, for example. */
    public Engine engine() {
        return engine;
    }

    /**
     * Another cluster, which is there from when it is first asked for: it serves the same kinds, has no objects yet, and
     * has the same clock.
     *
     * @param name for people
     */
    public World other(String name) {
        return others.computeIfAbsent(name, any -> new World(beginning, scheduler, namespaces));
    }

    /**
     * Something else that this world has once, such as a service elsewhere that the code under test calls: so the factory
     * of a controller, the preparation of a case and a look at what came of it mean the same one.
     *
     * @param maker makes it when it is first asked for
     */
    public <P> P part(Class<P> type, Function<? super World, ? extends P> maker) {
        Object present = parts.get(type);
        if (present == null) {
            present = maker.apply(this);
            parts.put(type, present);
        }
        return type.cast(present);
    }

    /** The reactors that never fired, of other clusters too. */
    List<String> unused() {
        List<String> unused = new ArrayList<>(reactive.unused());
        others.forEach((name, world) -> world.unused().forEach(one -> unused.add("In cluster " + name + ", " + one)));
        return unused;
    }

    Map<String, World> others() {
        return others;
    }

    /** How far it has come: what follows is what a run did. */
    record Mark(int calls, int events, Map<String, Integer> others) {
        int callsOf(String other) {
            return others.getOrDefault(other, 0);
        }
    }

    Mark mark() {
        Map<String, Integer> marks = new LinkedHashMap<>();
        others.forEach((name, world) -> marks.put(name, world.journal().mark()));
        return new Mark(journal().mark(), events.size(), marks);
    }

    /** How often anything was written, here and in other clusters. */
    long revision() {
        return engine.store().revision()
                + others.values().stream().mapToLong(World::revision).sum();
    }

    VirtualScheduler scheduler() {
        return scheduler;
    }

    /** What the code under test records events with. A controller has its own, which leads here, too. */
    public EventRecorder recorder() {
        return (object, type, reason, action, message) ->
                events.add(RecordedEvent.of(object, type, reason, action, message));
    }

    /**
     * Puts an object there as it is: with its uid, its status, its times, its mark of deletion. What it lacks is made; its
     * uid then follows from its kind and key, see {@link Given#uidOf}. Its namespace is made when it is missing.
     *
     * @return the object as it is there
     * @throws dev.evenkeel.client.InvalidException when it could not be so: says which field
     * @throws IllegalArgumentException when its kind is not served
     */
    public <T extends HasMetadata> T put(T object) {
        return put(Given.of(object));
    }

    /** Puts an object there as it is; see {@link #put(HasMetadata)}. */
    public <T extends HasMetadata> T put(Given<T> given) {
        return place(given).decode(given.type());
    }

    /** Puts an object there as it is, and does not decode what came of it. */
    Encoded place(Given<?> given) {
        Encoded.Header header = given.text().header();
        types.put(header.apiVersion() + " " + header.kind(), given.type());
        Target target = target(header.apiVersion(), header.kind());
        ObjectKey key = header.key();
        if (target.type().namespaced()) {
            if (key.namespace().isEmpty()) {
                throw new IllegalArgumentException(header.kind() + " \"" + key.name()
                        + "\" has no namespace, and objects of its kind are in one: say metadata.namespace");
            }
            ensureNamespace(key.namespace());
        }
        byte[] json = given.text().json();
        if (header.uid().isEmpty()) {
            Map<String, @Nullable Object> tree = Json.parseObject(json, JsonLimits.DEFAULT);
            Json.asObject(tree.get("metadata")).put("uid", Given.uidOf(header.kind(), key));
            json = Json.write(tree);
        }
        return Encoded.of(partition
                .restore(target.withName(key.namespace(), ""), Body.json(json), MANAGER)
                .json());
    }

    /**
     * The objects of a kind that belong to an object, as their controlling owner.
     *
     * @throws AssertionFailedError when there is none
     */
    public <T extends HasMetadata> List<T> owned(Kind<T> kind, Given<?> owner) {
        List<T> owned = client.list(kind, ListOptions.ALL).items().stream()
                .filter(object -> OwnerReferences.controllerOf(object)
                        .filter(reference -> reference
                                        .getKind()
                                        .equals(owner.object().getKind())
                                && reference.getName().equals(owner.key().name()))
                        .isPresent())
                .filter(object -> owner.key().namespace().isEmpty()
                        || owner.key().namespace().equals(ObjectKey.of(object).namespace()))
                .toList();
        if (owned.isEmpty()) {
            throw new AssertionFailedError("no " + kind.kind() + " belongs to "
                    + owner.object().getKind() + " " + owner.key() + ": was it made, and with an owner reference?");
        }
        return owned;
    }

    /** The objects of the kind of this class that belong to an object; see {@link #owned(Kind, Given)}. */
    public <T extends HasMetadata> List<T> owned(Class<T> type, Given<?> owner) {
        return owned(Kind.of(type), owner);
    }

    private static byte[] encoded(HasMetadata object) {
        return dev.evenkeel.client.ModelCodec.encode(object);
    }

    /** The class of objects of this kind: of those that were put there, or of built-in ones. */
    Class<? extends HasMetadata> type(String apiVersion, String kind) {
        Class<? extends HasMetadata> known = types.get(apiVersion + " " + kind);
        return known == null ? Given.typeOf(apiVersion, kind) : known;
    }

    /** Makes a namespace, when it is missing. */
    void ensureNamespace(String name) {
        Target namespaces = partition.types().resource("", "v1", "namespaces").orElseThrow();
        try {
            var unused = partition.get(namespaces.withName("", name), "");
        } catch (dev.evenkeel.client.NotFoundException e) {
            var unused = partition.restore(
                    namespaces,
                    Body.json(Json.write(Map.of(
                            "apiVersion", "v1",
                            "kind", "Namespace",
                            "metadata", Map.of("name", name, "uid", Given.uidOf("Namespace", ObjectKey.cluster(name))),
                            "spec", Map.of("finalizers", List.of("kubernetes")),
                            "status", Map.of("phase", "Active")))),
                    MANAGER);
        }
    }

    Target target(HasMetadata object) {
        return target(object.getApiVersion(), object.getKind());
    }

    private Target target(String apiVersion, String kind) {
        return partition
                .types()
                .kind(apiVersion, kind)
                .orElseThrow(() -> new IllegalArgumentException("kind " + kind + " of " + apiVersion
                        + " is not served here: give its CustomResourceDefinition to the suite,"
                        + " with definitions(...)"));
    }

    /**
     * Whether a write of an object leaves its status as it is, so that what is sent of it does not count; an expectation
     * that has a status means it to count nevertheless.
     */
    boolean ignoresStatus(byte[] wanted, Kind<?> kind) {
        return !Json.parseObject(wanted, JsonLimits.DEFAULT).containsKey("status")
                && partition
                        .types()
                        .resource(kind.group(), kind.version(), kind.plural())
                        .filter(target -> target.version().status())
                        .isPresent();
    }

    /** An object as defaults make it, with the metadata that it has; as it was when it cannot be had. */
    byte[] completed(byte[] json, Kind<?> kind) {
        try {
            Map<String, @Nullable Object> tree = Json.parseObject(tried(json, kind), JsonLimits.DEFAULT);
            tree.put("metadata", Json.parseObject(json, JsonLimits.DEFAULT).get("metadata"));
            return Json.write(tree);
        } catch (RuntimeException e) {
            return json;
        }
    }

    /** Why the server would not have this object; empty when it would. */
    Optional<ApiException> refusal(byte[] json, Kind<?> kind) {
        try {
            var unused = tried(json, kind);
            return Optional.empty();
        } catch (ApiException e) {
            return Optional.of(e);
        }
    }

    /** Puts an object into a fork that is thrown away. */
    private byte[] tried(byte[] json, Kind<?> kind) {
        try (Engine scratch = engine.fork().build()) {
            ResourceApi there = ResourceApi.of(scratch.partition(Engine.DEFAULT_PARTITION));
            // by kind: what is generic knows no plural for sure
            Target target = there.types().kind(kind.apiVersion(), kind.kind()).orElseThrow();
            String namespace = Encoded.of(json).header().key().namespace();
            return there.restore(target.withName(namespace, ""), Body.json(named(json)), MANAGER)
                    .json();
        }
    }

    /** An object whose name is to be generated, with the same name as all that are to have one of the kind. */
    private static byte[] named(byte[] json) {
        if (!Encoded.of(json).header().key().name().isEmpty()) {
            return json;
        }
        GenericKubernetesResource object = Encoded.of(json).decode(GenericKubernetesResource.class);
        object.getMetadata().setName("generated");
        return encoded(object);
    }

    /** What was written, but for what reactors wrote. */
    List<RecordedCall> writes(int mark) {
        return journal().since(mark).writes().stream()
                .filter(call -> !call.caller().equals(RecordedCall.REACTOR))
                .toList();
    }

    List<RecordedEvent> events(int from) {
        return events.subList(from, events.size());
    }

    @Override
    public void close() {
        others.values().forEach(World::close);
        engine.close();
    }

    /**
     * An event that the code under test recorded.
     *
     * @param apiVersion of the object that it is about
     * @param kind of the object
     * @param key of the object
     * @param type {@code Normal} or {@code Warning}
     * @param reason short word for machines
     * @param action what was done, likewise; empty for the same as the reason
     * @param message for people
     */
    public record RecordedEvent(
            String apiVersion, String kind, ObjectKey key, String type, String reason, String action, String message) {
        static RecordedEvent of(
                HasMetadata object, EventRecorder.Type type, String reason, String action, String message) {
            return new RecordedEvent(
                    object.getApiVersion(),
                    object.getKind(),
                    ObjectKey.of(object),
                    type.toString(),
                    reason,
                    action,
                    message);
        }

        RecordedEvent withAction(String value) {
            return new RecordedEvent(apiVersion, kind, key, type, reason, value, message);
        }

        /** {@code Warning CreationFailed of Website default/blog: Failed to create ...}. */
        @Override
        public String toString() {
            return type + " " + reason + (action.isEmpty() ? "" : " (" + action + ")") + " of " + kind + " " + key
                    + ": " + message;
        }
    }
}
