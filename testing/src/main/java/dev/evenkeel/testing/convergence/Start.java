package dev.evenkeel.testing.convergence;

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
import dev.evenkeel.engine.internal.type.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The world as it is in the beginning, made once: each trial has a fork of it. So objects that were given have the same
 * uids in all trials, and what is made of those is the same too.
 */
final class Start<E> implements AutoCloseable {
    private final Setup<E> setup;
    private final Engine engine;
    private final Client client;
    private final Set<Place> givens = new LinkedHashSet<>(Bootstrap.PLACES);
    private final Set<Place> foreign = new LinkedHashSet<>();

    Start(Setup<E> setup) {
        this.setup = setup;
        Engine.Builder builder = Engine.builder()
                .clock(new VirtualClock())
                .random(new SplittableRandom(1))
                .executor(Runnable::run);
        kinds(setup)
                .forEach(kind ->
                        builder.register(Registration.of(kind).status(true).build()));
        engine = builder.build();
        client = engine.partition(Engine.DEFAULT_PARTITION).client("user");
        setup.types().forEach(this::put);
        setup.given().forEach(object -> givens.add(put(object)));
        setup.foreign().forEach(object -> foreign.add(put(object)));
        givens.addAll(foreign);
    }

    /** Kinds that are served without a definition: those that were named, and those of objects that need one and have none. */
    private static Set<Kind<?>> kinds(Setup<?> setup) {
        Set<Kind<?>> kinds = new LinkedHashSet<>(setup.kinds());
        Set<String> defined = new TreeSet<>(Bootstrap.KINDS);
        setup.types().forEach(type -> defined.add(type.getMetadata().getName()));
        for (HasMetadata object : setup.given()) {
            if (!(object instanceof GenericKubernetesResource)) {
                Kind<?> kind = Kind.of(object.getClass());
                if (!defined.contains(kind.id())) {
                    kinds.add(kind);
                }
            }
        }
        return kinds;
    }

    Setup<E> setup() {
        return setup;
    }

    /** All objects that are there, of which those that were given. */
    Set<Place> givens() {
        return givens;
    }

    /** Objects that are not the reconciler's business. */
    Set<Place> foreign() {
        return foreign;
    }

    /** A world like it, for one trial. */
    Engine fork(InstantSource clock) {
        return engine.fork()
                .clock(clock)
                .random(new SplittableRandom(2))
                .executor(Runnable::run)
                .build();
    }

    /** Puts an object there as it is, with its status. */
    private Place put(HasMetadata object) {
        Kind<Encoded> kind = kind(object);
        Encoded text = Encoded.of(ModelCodec.encode(object));
        Encoded created = client.create(kind, text, WriteOptions.DEFAULT);
        Map<String, @Nullable Object> tree = Json.parseObject(text.json(), JsonLimits.DEFAULT);
        if (tree.get("status") instanceof Map<?, ?> status && !status.isEmpty()) {
            Map<String, @Nullable Object> whole = Json.parseObject(created.json(), JsonLimits.DEFAULT);
            if (!status.equals(whole.get("status"))) {
                whole.put("status", status);
                var unused = client.updateStatus(kind, Encoded.of(Json.write(whole)), WriteOptions.DEFAULT);
            }
        }
        return new Place(kind.id(), created.header().key());
    }

    /** A kind as it is served. */
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
                    .orElseThrow(() -> new IllegalArgumentException("there is no kind " + generic.getKind() + " of "
                            + generic.getApiVersion() + ": give its CustomResourceDefinition with types(...)"));
        }
        return Kind.of(object.getClass()).encoded();
    }

    @Override
    public void close() {
        engine.close();
    }
}
