package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Registration;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.simulation.VirtualClock;
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * The state in which all runs begin, made once: each run has a fork of it. So given objects have the same uids in all
 * runs,
 * and names that are derived from those are the same too.
 */
public final class Baseline<E> implements AutoCloseable {
    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    final CheckSpec<E> spec;
    private final Engine engine;
    private final Client client;
    /** All existing objects. */
    final Set<ObjectRef> given = new LinkedHashSet<>(BuiltinObjects.REFS);
    /** The objects that do not belong to the controllers. */
    final Set<ObjectRef> foreign = new LinkedHashSet<>();

    /** Starts an engine and creates the given objects. */
    public Baseline(CheckSpec<E> spec) {
        this.spec = spec;
        Engine.Builder builder = Engine.builder()
                .clock(new VirtualClock(START))
                .random(new SplittableRandom(1))
                .executor(Runnable::run);
        kinds(spec)
                .forEach(kind ->
                        builder.register(Registration.of(kind).status(true).build()));
        engine = builder.build();
        client = engine.partition(Engine.DEFAULT_PARTITION).client("user");
        spec.definitions().forEach(this::put);
        spec.given().forEach(object -> given.add(put(object.object())));
        spec.foreign().forEach(object -> foreign.add(put(object.object())));
        given.addAll(foreign);
    }

    /**
     * Returns the kinds that are served without a definition: named ones, and those of given objects that have none.
     */
    private static Set<Kind<?>> kinds(CheckSpec<?> spec) {
        Set<Kind<?>> kinds = new LinkedHashSet<>(spec.kinds());
        Set<String> defined = new TreeSet<>(BuiltinObjects.KINDS);
        spec.definitions().forEach(type -> defined.add(type.getMetadata().getName()));
        for (Given<?> object : spec.given()) {
            if (object.type() != GenericKubernetesResource.class) {
                Kind<?> kind = Kind.of(object.type());
                if (!defined.contains(kind.id())) {
                    kinds.add(kind);
                }
            }
        }
        return kinds;
    }

    /** Returns an engine in this state, for one run. */
    Engine fork(InstantSource clock) {
        return engine.fork()
                .clock(clock)
                .random(new SplittableRandom(2))
                .executor(Runnable::run)
                .build();
    }

    /** Creates an object as it is, with its status. */
    private ObjectRef put(HasMetadata object) {
        Kind<Encoded> kind = kind(object);
        Encoded text = Encoded.of(ModelCodec.encode(object));
        Encoded created = client.create(kind, text, WriteOptions.DEFAULT);
        JsonObject tree = Json.parseObject(text.json(), JsonLimits.DEFAULT);
        if (tree.get("status") instanceof JsonObject status && !status.isEmpty()) {
            JsonObject whole = Json.parseObject(created.json(), JsonLimits.DEFAULT);
            if (!status.equals(whole.get("status"))) {
                whole.put("status", status);
                client.updateStatus(kind, Encoded.of(Json.write(whole)), WriteOptions.DEFAULT);
            }
        }
        return new ObjectRef(kind.id(), created.header().key());
    }

    /** Returns a kind as it is served. */
    static Kind<Encoded> kind(ResourceType type) {
        return new Kind<>(
                Encoded.class,
                type.group(),
                type.versions().getFirst().name(),
                type.kind(),
                type.plural(),
                type.namespaced());
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
}
