package dev.evenkeel.testing;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.cache.Informers.Namespaces;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.call.Journal;
import dev.evenkeel.testing.call.ReactiveClient;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.internal.remote.CaseClient;
import dev.evenkeel.testing.internal.remote.PolledSource;
import dev.evenkeel.testing.internal.remote.RemoteServer;
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
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * The environment of one case: an engine of its own with real semantics, a clock that the case moves, and the recorded
 * effects.
 *
 * <p>It starts as a fork of the suite's state, which costs a microsecond. Its uids and generated names are the same at
 * each run. The controllers of the API server (cascading deletion, emptying of namespaces) have done their work before
 * a call returns.
 *
 * <p>With the system property {@code evenkeel.cluster}, the path of a kubeconfig, tables and scenarios run on that server
 * instead, in namespaces of their own; a case that it cannot run is skipped with the reason.
 *
 * <p>Not thread-safe.
 */
public final class TestCluster implements AutoCloseable {
    /** The default time of a case. */
    public static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    static final String MANAGER = "evenkeel";

    private final Supplier<Engine.Builder> beginning;
    final VirtualScheduler scheduler;
    final Namespaces namespaces;
    private final Engine engine;
    private final ResourceApi partition;
    private final Client client;

    /** The client in a server outside of this process, when cases run there; the engine then knows the types only. */
    private final Optional<CaseClient> remote;

    private final Optional<RemoteServer> server;
    private final Client source;
    private final ReactiveClient reactive;
    private @Nullable MeterRegistry meters;
    private final List<RecordedEvent> events = new ArrayList<>();
    final Map<String, TestCluster> others = new LinkedHashMap<>();
    private final Map<Class<?>, Object> parts = new LinkedHashMap<>();
    private final Map<String, Class<? extends HasMetadata>> types = new HashMap<>();

    TestCluster(Supplier<Engine.Builder> beginning, Instant now, Namespaces namespaces, Optional<RemoteServer> server) {
        this(beginning, new VirtualScheduler(1, now), namespaces, server);
    }

    private TestCluster(
            Supplier<Engine.Builder> beginning,
            VirtualScheduler scheduler,
            Namespaces namespaces,
            Optional<RemoteServer> server) {
        this.beginning = beginning;
        this.scheduler = scheduler;
        this.namespaces = namespaces;
        Engine.Builder builder = beginning.get().clock(scheduler.clock()).executor(Runnable::run);
        engine = builder.random(new SplittableRandom(1)).build();
        partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        this.server = server;
        remote = server.map(CaseClient::new);
        client = remote.<Client>map(own -> own).orElseGet(() -> partition.client(MANAGER));
        source = remote.<Client>map(PolledSource::new).orElse(client);
        reactive =
                ReactiveClient.builder(client).clock(clock()).delays(this::pass).build();
    }

    /** Returns the client of another actor: without reactors, and without records in the journal. */
    public Client client() {
        return client;
    }

    /** Returns the client of the code under test: with the reactors and the journal. */
    public ReactiveClient reactive() {
        return reactive;
    }

    /** Returns the calls of the code under test. */
    public Journal journal() {
        return reactive.journal();
    }

    /** Returns the recorded events, in their order. */
    public List<RecordedEvent> events() {
        return List.copyOf(events);
    }

    /** Returns the clock. */
    public Clock clock() {
        return scheduler.clock();
    }

    /** Returns the client of the caches. */
    Client source() {
        return source;
    }

    /** Updates the caches. */
    void settle() {
        if (source instanceof PolledSource polled) {
            polled.poll();
        }
        scheduler.settle();
    }

    /** Ends the case as skipped when it runs on a server outside of this process, for the given reason. */
    void requireInProcess(String reason) {
        if (remote.isPresent()) {
            throw remote.get().aborted(reason);
        }
    }

    /** Returns why this case cannot run on the server, once that is known. */
    Optional<TestAbortedException> aborted() {
        return remote.flatMap(CaseClient::aborted)
                .or(() -> others.values().stream()
                        .flatMap(other -> other.aborted().stream())
                        .findFirst());
    }

    /** Lets time pass; events that caches wait for are delivered meanwhile. */
    public void pass(Duration duration) {
        requireInProcess("time passes in this case, and that of a server in another process cannot be moved");
        scheduler.advance(duration);
    }

    /** Advances time to an instant; one in the past is refused. */
    void passTo(Instant time) {
        Duration left = Duration.between(clock().instant(), time);
        if (left.isNegative()) {
            throw new IllegalArgumentException("now: " + time + " has passed; the time is " + clock().instant());
        }
        pass(left);
    }

    /** Returns a registry for the metrics of the code under test; empty at the beginning of the case. */
    public synchronized MeterRegistry meters() {
        meters = Objects.requireNonNullElseGet(meters, SimpleMeterRegistry::new);
        return meters;
    }

    /** Returns the engine, such as to serve it over HTTP. */
    public Engine engine() {
        requireInProcess("the case uses the engine of its cluster, and the server is in another process");
        return engine;
    }

    /**
     * Returns another cluster, which is created on first use: it serves the same kinds, has no objects yet, and has the
     * same clock.
     */
    public TestCluster other(String name) {
        return others.computeIfAbsent(name, any -> new TestCluster(beginning, scheduler, namespaces, server));
    }

    /**
     * Returns a part that this cluster has once, such as a fake of an external service: so the factory of a controller,
     * the preparation of a case and a check use the same instance.
     *
     * @param maker creates it on first use
     */
    public <P> P part(Class<P> type, Function<? super TestCluster, ? extends P> maker) {
        Object present = parts.get(type);
        if (present == null) {
            present = maker.apply(this);
            parts.put(type, present);
        }
        return type.cast(present);
    }

    /** Returns the reactors that never fired, including those of other clusters. */
    List<String> unused() {
        List<String> unused = new ArrayList<>(reactive.unused());
        others.forEach((name, other) -> other.unused().forEach(one -> unused.add("In cluster " + name + ", " + one)));
        return unused;
    }

    /** A position: later effects are those of a run. */
    record Mark(int calls, int events, Map<String, Integer> others) {
        int callsOf(String other) {
            return others.getOrDefault(other, 0);
        }
    }

    Mark mark() {
        Map<String, Integer> marks = new LinkedHashMap<>();
        others.forEach((name, cluster) -> marks.put(name, cluster.journal().mark()));
        return new Mark(journal().mark(), events.size(), marks);
    }

    /** Returns the number of writes, here and in other clusters. */
    long revision() {
        return remote.map(CaseClient::revision).orElseGet(() -> engine.store().revision())
                + others.values().stream().mapToLong(TestCluster::revision).sum();
    }

    /** Returns the event recorder of the code under test. A controller has its own, with the same destination. */
    public EventRecorder recorder() {
        return (it, type, reason, action, message) -> events.add(new RecordedEvent(
                it.getApiVersion(), it.getKind(), ObjectKey.of(it), type.toString(), reason, action, message));
    }

    /**
     * Stores an object as it is: with its uid, its status, its times, its deletion timestamp. Missing metadata is
     * generated; its uid is then derived from its kind and key, see {@link Given#uidOf}. A missing namespace is
     * created.
     *
     * @throws dev.evenkeel.client.InvalidException when it is not valid; the message names the field
     * @throws IllegalArgumentException when its kind is not served
     */
    public <T extends HasMetadata> T put(T object) {
        return put(Given.of(object));
    }

    /** Stores an object as it is; see {@link #put(HasMetadata)}. */
    public <T extends HasMetadata> T put(Given<T> given) {
        return place(given).decode(given.type());
    }

    /** Stores an object as it is, and returns it without decoding. */
    Encoded place(Given<?> given) {
        Encoded.Header header = given.text().header();
        types.put(header.apiVersion() + " " + header.kind(), given.type());
        Target target = target(header.apiVersion(), header.kind());
        ObjectKey key = header.key();
        if (target.type().namespaced()) {
            if (key.namespace().isEmpty()) {
                throw new IllegalArgumentException(header.kind() + " \"" + key.name()
                        + "\" has no namespace, but its kind is namespaced: set metadata.namespace");
            }
            ensureNamespace(key.namespace());
        }
        byte[] json = given.text().json();
        if (header.uid().isEmpty()) {
            JsonObject tree = Json.parseObject(json, JsonLimits.DEFAULT);
            tree.object("metadata").put("uid", Given.uidOf(header.kind(), key));
            json = Json.write(tree);
        }
        if (remote.isPresent()) {
            return remote.get().place(kind(target), json);
        }
        Target place = target.withName(key.namespace(), "");
        return Encoded.of(partition.restore(place, Body.json(json), MANAGER).json());
    }

    /**
     * Returns the objects of a kind with this controlling owner.
     *
     * @throws AssertionFailedError when there is none
     */
    public <T extends HasMetadata> List<T> owned(Kind<T> kind, Given<?> owner) {
        String ownerKind = owner.object().getKind();
        ObjectKey key = owner.key();
        List<T> owned = client.list(kind, ListOptions.ALL).items().stream()
                .filter(object -> OwnerReferences.controllerOf(object)
                        .filter(by ->
                                by.getKind().equals(ownerKind) && by.getName().equals(key.name()))
                        .isPresent())
                .filter(object -> key.namespace().isEmpty()
                        || key.namespace().equals(ObjectKey.of(object).namespace()))
                .toList();
        if (owned.isEmpty()) {
            throw new AssertionFailedError("no " + kind.kind() + " belongs to " + ownerKind + " " + key
                    + ": was it created, with an owner reference?");
        }
        return owned;
    }

    /** Returns the objects of the kind of this class with this controlling owner; see {@link #owned(Kind, Given)}. */
    public <T extends HasMetadata> List<T> owned(Class<T> type, Given<?> owner) {
        return owned(Kind.of(type), owner);
    }

    /** Returns the class of objects of this kind: of those that were stored here, or of built-in ones. */
    Class<? extends HasMetadata> type(String apiVersion, String kind) {
        Class<? extends HasMetadata> known = types.get(apiVersion + " " + kind);
        return known == null ? Given.typeOf(apiVersion, kind) : known;
    }

    private static Kind<Encoded> kind(Target target) {
        ResourceType type = target.type();
        String version = target.version().name();
        return new Kind<>(Encoded.class, type.group(), version, type.kind(), type.plural(), type.namespaced());
    }

    void ensureNamespace(String name) {
        if (remote.isPresent()) {
            remote.get().namespace(name);
            return;
        }
        Target namespaces = partition.types().resource("", "v1", "namespaces").orElseThrow();
        try {
            var unused = partition.get(namespaces.withName("", name), "", User.ADMIN);
        } catch (NotFoundException e) {
            JsonObject metadata = JsonObject.of("name", name, "uid", Given.uidOf("Namespace", ObjectKey.cluster(name)));
            JsonObject namespace = JsonObject.of("apiVersion", "v1", "kind", "Namespace", "metadata", metadata);
            namespace.put("spec", JsonObject.of("finalizers", List.of("kubernetes")));
            namespace.put("status", JsonObject.of("phase", "Active"));
            var unused = partition.restore(namespaces, Body.json(Json.write(namespace)), MANAGER);
        }
    }

    Target target(HasMetadata object) {
        return target(object.getApiVersion(), object.getKind());
    }

    private Target target(String apiVersion, String kind) {
        return partition
                .types()
                .kind(apiVersion, kind)
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "kind " + kind + " of " + apiVersion
                                        + " is not served here: give its CustomResourceDefinition to the suite, with definitions(...)"));
    }

    /** Returns whether the status that is sent with an object has no effect and is not wanted. */
    boolean ignoresStatus(byte[] wanted, Kind<?> kind) {
        return !Json.parseObject(wanted, JsonLimits.DEFAULT).containsKey("status")
                && partition
                        .types()
                        .resource(kind.group(), kind.version(), kind.plural())
                        .filter(target -> target.version().status())
                        .isPresent();
    }

    /** Returns an object with defaults, and with its own metadata; unchanged when the server refuses it. */
    byte[] completed(byte[] json, Kind<?> kind) {
        try {
            JsonObject tree = Json.parseObject(tried(json, kind), JsonLimits.DEFAULT);
            tree.put("metadata", Json.parseObject(json, JsonLimits.DEFAULT).get("metadata"));
            return Json.write(tree);
        } catch (RuntimeException e) {
            return json;
        }
    }

    /** Returns the server's refusal of this object; empty when it accepts it. */
    Optional<ApiException> refusal(byte[] json, Kind<?> kind) {
        try {
            var unused = tried(json, kind);
            return Optional.empty();
        } catch (ApiException e) {
            return Optional.of(e);
        }
    }

    private byte[] tried(byte[] json, Kind<?> kind) {
        try (Engine scratch = engine.fork().build()) {
            ResourceApi there = ResourceApi.of(scratch.partition(Engine.DEFAULT_PARTITION));
            // by kind: the plural of a generic object is a guess
            Target target = there.types().kind(kind.apiVersion(), kind.kind()).orElseThrow();
            String namespace = Encoded.of(json).header().key().namespace();
            return there.restore(target.withName(namespace, ""), Body.json(named(json)), MANAGER)
                    .json();
        }
    }

    /** Returns an object with a fixed name in place of a generated one. */
    private static byte[] named(byte[] json) {
        if (!Encoded.of(json).header().key().name().isEmpty()) {
            return json;
        }
        GenericKubernetesResource object = Encoded.of(json).decode(GenericKubernetesResource.class);
        object.getMetadata().setName("generated");
        return ModelCodec.encode(object);
    }

    /** Returns the writes since a mark, except those of reactors. */
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
        others.values().forEach(TestCluster::close);
        remote.ifPresent(CaseClient::close);
        engine.close();
    }

    /**
     * An event that the code under test recorded.
     *
     * @param type {@code Normal} or {@code Warning}
     * @param action machine-readable action; empty for the same as the reason
     */
    public record RecordedEvent(
            String apiVersion, String kind, ObjectKey key, String type, String reason, String action, String message) {
        RecordedEvent withAction(String value) {
            return new RecordedEvent(apiVersion, kind, key, type, reason, value, message);
        }

        /** Returns text such as {@code Warning CreationFailed of Website default/blog: Failed to create ...}. */
        @Override
        public String toString() {
            return type + " " + reason + (action.isEmpty() ? "" : " (" + action + ")") + " of " + kind + " " + key
                    + ": " + message;
        }
    }
}
