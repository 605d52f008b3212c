package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Registration;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.simulation.VirtualClock;
import dev.evenkeel.simulation.internal.ObjectRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The state in which all runs begin, made once: each run has a fork of it. So given objects have the same uids in all
 * runs, and names that are derived from those are the same too.
 */
public final class Baseline<E> implements AutoCloseable {
    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    final CheckSpec<E> spec;
    private final Engine engine;
    private final Client client;
    final Set<ObjectRef> given = new LinkedHashSet<>(BuiltinObjects.REFS);
    final InitialObjects initial;
    /** The objects that do not belong to the controllers. */
    final Set<ObjectRef> foreign = new LinkedHashSet<>();

    public Baseline(CheckSpec<E> spec) {
        this.spec = spec;
        Engine.Builder builder = Engine.builder().clock(new VirtualClock(START)).executor(Runnable::run);
        spec.types().forEach(builder::register);
        for (Kind<?> kind : kinds(spec)) {
            builder.register(Registration.of(kind).status(true).build());
        }
        engine = builder.random(new SplittableRandom(1)).build();
        client = engine.partition(Engine.DEFAULT_PARTITION).client("user");
        spec.definitions().forEach(this::put);
        spec.given().forEach(object -> given.add(put(object.object())));
        spec.foreign().forEach(object -> foreign.add(put(object.object())));
        given.addAll(foreign);
        initial = InitialObjects.of(ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION)), given, spec.ignored());
    }

    /** Returns the kinds that are served without a definition: named ones, and those of given objects. */
    private static Set<Kind<?>> kinds(CheckSpec<?> spec) {
        Set<Kind<?>> kinds = new LinkedHashSet<>(spec.kinds());
        Set<String> defined = new TreeSet<>(BuiltinObjects.KINDS);
        spec.definitions().forEach(type -> defined.add(type.getMetadata().getName()));
        defined.addAll(ids(spec.types()));
        spec.given().stream()
                .filter(object -> object.type() != GenericKubernetesResource.class)
                .map(object -> Kind.of(object.type()))
                .filter(kind -> !defined.contains(kind.id()))
                .forEach(kinds::add);
        return kinds;
    }

    private static Set<String> ids(List<TypeSource> types) {
        if (types.isEmpty()) {
            return Set.of();
        }
        Engine.Builder builder = Engine.builder().executor(Runnable::run);
        types.forEach(builder::register);
        try (Engine engine = builder.build()) {
            return ids(engine);
        }
    }

    private static Set<String> ids(Engine engine) {
        return ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION)).types().all().stream()
                .map(ResourceType::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    Engine fork(InstantSource clock, long seed) {
        Engine.Builder fork = engine.fork().clock(clock).executor(Runnable::run);
        return fork.random(new SplittableRandom(seed)).build();
    }

    private ObjectRef put(HasMetadata object) {
        Kind<Encoded> kind = kind(object);
        Encoded text = Encoded.of(ModelCodec.encode(object));
        Encoded created = client.create(kind, text, WriteOptions.DEFAULT);
        JsonObject whole = Json.parseObject(created.json(), JsonLimits.DEFAULT);
        if (Json.parseObject(text.json(), JsonLimits.DEFAULT).get("status") instanceof JsonObject status
                && !status.isEmpty()
                && !status.equals(whole.put("status", status))) {
            client.updateStatus(kind, Encoded.of(Json.write(whole)), WriteOptions.DEFAULT);
        }
        return new ObjectRef(kind.id(), created.header().key());
    }

    static Kind<Encoded> kind(ResourceType type) {
        String version = type.versions().getFirst().name();
        return new Kind<>(Encoded.class, type.group(), version, type.kind(), type.plural(), type.namespaced());
    }

    private Kind<Encoded> kind(HasMetadata object) {
        if (object instanceof GenericKubernetesResource generic) {
            return ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION))
                    .types()
                    .kind(generic.getApiVersion(), generic.getKind())
                    .map(target -> kind(target.type()))
                    .orElseThrow(() -> new IllegalArgumentException("unknown kind " + generic.getKind() + " of "
                            + generic.getApiVersion() + ": give its CustomResourceDefinition with types(...)"));
        }
        return Kind.of(object.getClass()).encoded();
    }

    @Override
    public void close() {
        engine.close();
    }

    /** The objects and kinds that every server has from the start. */
    private static final class BuiltinObjects {
        /** Objects, such as the namespace {@code default}. */
        static final Set<ObjectRef> REFS;

        /** Ids of kinds, such as {@code configmaps}. */
        static final Set<String> KINDS;

        static {
            try (Engine engine = Engine.builder().executor(Runnable::run).build()) {
                Client client = engine.client();
                ResourceApi api = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
                KINDS = ids(engine);
                REFS = api.types().all().stream()
                        .filter(type -> type.rules().verbs().contains("list"))
                        .flatMap(type -> client.list(kind(type), ListOptions.ALL).items().stream()
                                .map(object ->
                                        new ObjectRef(type.id(), object.header().key())))
                        .collect(Collectors.toUnmodifiableSet());
            }
        }
    }
}
