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
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A server full of {@linkplain Fixture objects} in a process of its own, which keeps its work and its memory out of the
 * measurements. It changes objects on demand, at a given rate, and stores the time of the change in each.
 */
final class FixtureServer implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final URI url;
    private final int bytes;

    /** Starts a server with {@code objects} objects; returns when they are stored. */
    FixtureServer(int objects) throws IOException {
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseCompactObjectHeaders",
                        "-XX:+UseParallelGC",
                        "-Xms3g",
                        "-Xmx3g",
                        "-Xmn2g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FixtureServer.class.getName(),
                        Integer.toString(objects)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        String[] words = answer("serves").split(" ", -1);
        url = URI.create(words[1]);
        bytes = Integer.parseInt(words[2]);
    }

    /** Returns the URL of the server. */
    URI url() {
        return url;
    }

    /** Returns the length of each object as JSON. */
    int bytes() {
        return bytes;
    }

    /** Changes {@code count} objects, from the first on, at this rate; returns when the last is changed. */
    void change(int perSecond, int count) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8)
                .append("change " + perSecond + " " + count + "\n")
                .flush();
        String _ = answer("changed");
    }

    private String answer(String word) throws IOException {
        String line = answers.readLine();
        while (line != null && !line.startsWith(word)) {
            line = answers.readLine();
        }
        if (line == null) {
            throw new IOException("the server in another process ended before it said \"" + word + "\"");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    /**
     * Runs the process: the argument is the number of objects; then it reads commands, one per line, until the input
     * ends.
     */
    public static void main(String[] args) throws IOException {
        int objects = Integer.parseInt(args[0]);
        try (Engine engine = Engine.create();
                Server server =
                        Server.builder(engine).authentication(false).tls(false).start()) {
            ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
            Target maps = partition.types().resource("", "v1", "configmaps").orElseThrow();
            for (int i = 0; i < Fixture.namespaces(objects); i++) {
                engine.client()
                        .create(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(Fixture.namespace(100 * i))
                                .endMetadata()
                                .build());
            }
            for (int i = 0; i < objects; i++) {
                partition.create(
                        maps.withName(Fixture.namespace(i), ""),
                        Body.json(Fixture.sent(i, objects, 0)),
                        WriteOptions.DEFAULT);
            }
            Kind<Encoded> kind = Kind.of(ConfigMap.class).encoded();
            int bytes = objects == 0
                    ? 0
                    : engine.client()
                            .get(kind, ObjectKey.of(Fixture.namespace(0), Fixture.name(0)))
                            .json()
                            .length;
            System.out.println("serves " + server.url() + " " + bytes);
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ", -1);
                System.gc(); // now rather than during the measured changes
                change(partition, maps, objects, Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                System.out.println("changed");
            }
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
                    maps.withName(Fixture.namespace(number), Fixture.name(number)),
                    Body.json(Fixture.sent(number, objects, System.nanoTime())),
                    WriteOptions.DEFAULT);
        }
    }
}
