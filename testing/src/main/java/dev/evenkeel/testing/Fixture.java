package dev.evenkeel.testing;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.internal.Definitions;
import dev.evenkeel.testing.internal.remote.RemoteServer;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The common state of the cases of a suite: the served types, and objects that exist in all of them.
 *
 * <p>It is created once, when the first case runs, and each case gets a fork. So definitions are read once, also by
 * the suites that follow each other with the same ones.
 */
final class Fixture {
    /** The initial state without definitions. */
    private static final Engine EMPTY = empty(List.of());

    /** The initial state with some definitions. */
    private record Defined(List<String> definitions, Engine engine) {}

    /** The one that was made last. */
    private static volatile Defined last = new Defined(List.of(), EMPTY);

    private static final Kind<Encoded> TYPES =
            Kind.of(CustomResourceDefinition.class).encoded();

    final List<String> definitions = new ArrayList<>();
    final List<TypeSource> types = new ArrayList<>();
    final List<Given<?>> given = new ArrayList<>();
    Rendering rendering = Rendering.forTerminal();
    Informers.Namespaces namespaces = Informers.Namespaces.ALL;
    private @Nullable Engine beginning;

    private static Engine empty(List<TypeSource> types) {
        Engine.Builder builder = Engine.builder().executor(Runnable::run);
        types.forEach(builder::register);
        return builder.build();
    }

    private synchronized Engine beginning() {
        Engine made = beginning;
        if (made == null) {
            made = types.isEmpty() ? defined() : install(empty(types));
            beginning = made;
        }
        return made;
    }

    /** Returns a state without types of the program: that of an earlier suite, if it had the same definitions. */
    private Engine defined() {
        Defined made = last;
        if (!made.definitions.equals(definitions)) {
            made = new Defined(List.copyOf(definitions), install(EMPTY.fork().build()));
            last = made;
        }
        return made.engine;
    }

    private Engine install(Engine engine) {
        Client client = engine.client();
        for (String yaml : definitions) {
            for (GenericKubernetesResource object : Definitions.parse(yaml)) {
                var unused = client.create(TYPES, Encoded.of(ModelCodec.encode(object)), WriteOptions.DEFAULT);
            }
        }
        return engine;
    }

    /** Returns the cluster of a case: on the configured server, or else in this process. */
    TestCluster cluster(Optional<Instant> now) {
        Optional<RemoteServer> server = RemoteServer.configured();
        server.ifPresent(remote -> {
            if (!types.isEmpty()) {
                throw new TestAbortedException(
                        "the suite serves types of a program, and the server is in another process");
            }
            if (now.isPresent()) {
                throw new TestAbortedException(
                        "the case sets the time, and that of a server in another process cannot be set");
            }
            remote.install(definitions.stream()
                    .flatMap(yaml -> Definitions.parse(yaml).stream())
                    .toList());
        });
        return cluster(now.orElse(TestCluster.NOW), server);
    }

    /** Returns a cluster in this process. */
    TestCluster inProcess(Instant now) {
        return cluster(now, Optional.empty());
    }

    private TestCluster cluster(Instant now, Optional<RemoteServer> server) {
        TestCluster cluster = new TestCluster(() -> beginning().fork(), now, namespaces, server);
        try {
            given.forEach(cluster::place);
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }
}
