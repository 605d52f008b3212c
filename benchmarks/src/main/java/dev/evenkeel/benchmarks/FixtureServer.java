package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A server full of {@linkplain Fixture objects} in a process of its own, which keeps its work and its memory out of the
 * measurements. It changes objects on demand, at a given rate, and stores the time of the change in each.
 */
final class FixtureServer implements AutoCloseable {
    private final JavaProcess process;
    final URI url;

    /** The length of each object as JSON. */
    final int bytes;

    /** Starts a server with {@code objects} objects; returns when they are stored. */
    FixtureServer(int objects) throws IOException {
        process = new JavaProcess(
                "server",
                FixtureServer.class,
                List.of("-XX:+UseCompactObjectHeaders", "-XX:+UseParallelGC", "-Xms3g", "-Xmx3g", "-Xmn2g"),
                List.of(Integer.toString(objects)));
        String[] words = process.answer("serves");
        url = URI.create(words[1]);
        bytes = Integer.parseInt(words[2]);
    }

    /** Changes {@code count} objects, from the first on, at this rate; returns when the last is changed. */
    void change(int perSecond, int count) throws IOException {
        process.say("change " + perSecond + " " + count);
        String[] _ = process.answer("changed");
    }

    @Override
    public void close() {
        process.close();
    }

    /** Runs the process: the argument is the number of objects; then it executes commands until the input ends. */
    public static void main(String[] args) throws Exception {
        int objects = Integer.parseInt(args[0]);
        try (Engine engine = Engine.create();
                Server server =
                        Server.builder(engine).authentication(false).tls(false).start()) {
            ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
            Target maps = partition.types().resource("", "v1", "configmaps").orElseThrow();
            // all namespaces first: the length of an object includes that of its resource version
            for (int i = 0; i < objects; i += Fixture.TOGETHER) {
                engine.client()
                        .create(new NamespaceBuilder()
                                .withMetadata(new ObjectMetaBuilder()
                                        .withName(Fixture.namespace(i))
                                        .build())
                                .build());
            }
            for (int i = 0; i < objects; i++) {
                partition.create(
                        maps.withName(Fixture.namespace(i), ""),
                        Body.json(Fixture.sent(i, objects, 0)),
                        WriteOptions.DEFAULT);
            }
            Kind<Encoded> kind = Kind.of(ConfigMap.class).encoded();
            ObjectKey first = ObjectKey.of(Fixture.namespace(0), StoredObjects.name(0));
            int bytes = objects == 0 ? 0 : engine.client().get(kind, first).json().length;
            System.out.println("serves " + server.url() + " " + bytes);
            JavaProcess.serve(words -> {
                System.gc(); // now rather than during the measured changes
                change(partition, maps, objects, Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                System.out.println("changed");
            });
        }
    }

    private static void change(ResourceApi partition, Target maps, int objects, int perSecond, int count) {
        long from = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long due = from + i * 1_000_000_000L / perSecond;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(Math.max(1, due - System.nanoTime()));
            }
            int number = i % objects;
            partition.update(
                    maps.withName(Fixture.namespace(number), StoredObjects.name(number)),
                    Body.json(Fixture.sent(number, objects, System.nanoTime())),
                    WriteOptions.DEFAULT);
        }
    }
}
