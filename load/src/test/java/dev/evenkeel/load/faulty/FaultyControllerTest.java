package dev.evenkeel.load.faulty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.load.faulty.FaultyController.Mode;
import dev.evenkeel.load.internal.proxy.ApiProxy;
import dev.evenkeel.load.internal.proxy.Await;
import dev.evenkeel.load.internal.proxy.Requests;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Each faulty controller does what its mode says, as a process, seen from outside only. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT) // they mostly wait for JVMs to start
class FaultyControllerTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    @TempDir
    Path directory = Path.of("");

    private final Engine engine = Engine.create();
    private final Server server = Server.builder(engine).start();
    private final ApiProxy proxy = ApiProxy.start(upstream());

    /** Without HTTP: what the tests do themselves takes no time from the controllers. */
    private final Client client = engine.client();

    private final List<Process> processes = new ArrayList<>();

    private Connection upstream() {
        return Connection.to(server.url())
                .ca(server.caCertificate())
                .token(server.token())
                .build();
    }

    @AfterEach
    void close() {
        processes.forEach(FaultyControllerTest::stop);
        proxy.close();
        server.close();
        engine.close();
    }

    private static void stop(Process process) {
        process.destroyForcibly().onExit().join();
    }

    private Process start(Mode mode) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), proxy.kubeconfig());
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FaultyController.class.getName(),
                        mode.text())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(mode.text() + ".log").toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private void namespaces(String... names) {
        for (String name : names) {
            Namespace namespace = new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .endMetadata()
                    .build();
            client.create(namespace);
        }
    }

    private static ConfigMap spec(String namespace, String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("spec-" + name)
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    private void create(String namespace, int count) {
        for (int i = 0; i < count; i++) {
            client.create(spec(namespace, "m" + i, "0"));
        }
    }

    private void change(String namespace, String name, String value) {
        ConfigMap map = client.get(ConfigMap.class, ObjectKey.of(namespace, "spec-" + name));
        client.update(new ConfigMapBuilder(map).addToData("value", value).build());
    }

    private boolean isDone(String namespace, String name, String value) {
        Optional<ConfigMap> done = client.find(MAPS, ObjectKey.of(namespace, "done-" + name));
        return done.isPresent() && value.equals(done.get().getData().get("value"));
    }

    private void awaitDone(String namespace, int count, String value) {
        Await.until("all are done", () -> {
            Map<String, String> values = new HashMap<>();
            client.list(MAPS, ListOptions.in(namespace))
                    .items()
                    .forEach(map -> values.put(
                            map.getMetadata().getName(),
                            map.getData() == null ? "" : map.getData().getOrDefault("value", "")));
            for (int i = 0; i < count; i++) {
                if (!value.equals(values.get("done-m" + i))) {
                    return false;
                }
            }
            return true;
        });
    }

    private void awaitWatch() {
        Await.until("the controller watches", () -> proxy.requests().openWatches() >= 1);
    }

    /** Returns the requests of the controller while it has nothing to do for a second. */
    private Requests atRest() {
        Requests before = proxy.requests();
        long until = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        Await.until("a second is over", () -> System.nanoTime() > until);
        return proxy.requests().minus(before);
    }

    @Test
    void cleanKeepsChildrenIsSilentAtRestAndSurvives() throws IOException {
        create("default", 20);
        Process process = start(Mode.CLEAN);
        awaitDone("default", 20, "0");
        awaitWatch();
        // the effect is there before the answer is counted
        Await.until("all are counted", () -> proxy.requests().writes() >= 20);
        assertThat(proxy.requests().count("create", "configmaps")).isEqualTo(20);
        change("default", "m3", "new");
        Await.until("the change is done", () -> isDone("default", "m3", "new"));
        Await.until("it is counted", () -> proxy.requests().writes() >= 21);
        assertThat(proxy.requests().writes()).isEqualTo(21);
        assertThat(proxy.requests().by(Requests.Labels::agent)).containsOnlyKeys("faulty-controller/clean");
        assertThat(atRest().count()).isZero();

        client.delete(MAPS, ObjectKey.of("default", "spec-m3"), DeleteOptions.DEFAULT);
        Await.until(
                "the child is collected",
                () -> client.find(MAPS, ObjectKey.of("default", "done-m3")).isEmpty());

        Requests before = proxy.requests();
        stop(process);
        Await.until("its watch ends", () -> proxy.requests().openWatches() == 0);
        start(Mode.CLEAN);
        awaitWatch();
        change("default", "m4", "new");
        Await.until("it works after a restart", () -> isDone("default", "m4", "new"));
        Await.until("it is counted", () -> proxy.requests().minus(before).writes() >= 1);
        Requests restart = proxy.requests().minus(before);
        assertThat(restart.writes()).isEqualTo(1);
        assertThat(restart.count("get", "configmaps")).isZero();

        proxy.cutWatches();
        change("default", "m5", "new");
        Await.until("it works after its watch was cut", () -> isDone("default", "m5", "new"));
    }

    @Test
    void leakKeepsAMemoryOfEachState() throws Exception {
        create("default", 50);
        Process process = start(Mode.LEAK);
        awaitDone("default", 50, "0");
        for (int cycle = 1; cycle <= 3; cycle++) {
            for (int i = 0; i < 50; i++) {
                change("default", "m" + i, "c" + cycle);
            }
            awaitDone("default", 50, "c" + cycle);
        }
        // states in quick succession may be seen as one, but each cycle was awaited
        assertThat(memories(process)).isGreaterThanOrEqualTo(200);
    }

    private static long memories(Process process) throws IOException {
        Process histogram = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(process.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        return histogram
                .inputReader()
                .lines()
                .filter(line -> line.contains(FaultyController.Memory.class.getName()))
                .mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[1]))
                .sum();
    }

    @Test
    void restlessWritesAtRest() throws IOException {
        create("default", 2);
        start(Mode.RESTLESS);
        awaitDone("default", 2, "0");
        Await.until("it writes", () -> proxy.requests().count("update", "configmaps") > 0);

        assertThat(atRest().writes()).isBetween(1L, 12L);
        assertThat(isDone("default", "m0", "0")).isTrue();
    }

    @Test
    void wholeClusterCostsMoreForEachChangeInALargerCluster() throws IOException {
        // each is reconciled at the start, at the cost of them all: twice as many take four times as long
        int objects = 300;
        create("default", objects);
        Duration clean = cost(Mode.CLEAN, "a");
        Duration whole = cost(Mode.WHOLE_CLUSTER, "b");

        assertThat(whole).isGreaterThan(clean.multipliedBy(3).dividedBy(2));
    }

    /** Returns the processor time of a hundred changes, the least of three rounds: in the first ones the compiler works, too. */
    private Duration cost(Mode mode, String value) throws IOException {
        Process process = start(mode);
        awaitWatch();
        change(100, "warm" + value);
        Duration least = Duration.ofDays(1);
        for (int round = 0; round < 3; round++) {
            Duration before = process.info().totalCpuDuration().orElseThrow();
            change(100, value + round);
            Duration cost = process.info().totalCpuDuration().orElseThrow().minus(before);
            least = cost.compareTo(least) < 0 ? cost : least;
        }
        stop(process);
        Await.until("its watch ends", () -> proxy.requests().openWatches() == 0);
        return least;
    }

    private void change(int objects, String value) {
        for (int i = 0; i < objects; i++) {
            change("default", "m" + i, value);
        }
        awaitDone("default", objects, value);
    }

    @Test
    void unfairServesTheLastNamespaceLast() throws Exception {
        assertThat(servedBeforeTheLastNamespace(Mode.UNFAIR)).isGreaterThan(70);
    }

    @Test
    void cleanServesAllNamespaces() throws Exception {
        assertThat(servedBeforeTheLastNamespace(Mode.CLEAN)).isLessThan(60);
    }

    /**
     * Returns how many of a hundred changes in namespace a are served before one of z, which is among the first. The
     * process is stopped meanwhile, so that all of them wait for it, however busy the machine is.
     */
    private int servedBeforeTheLastNamespace(Mode mode) throws Exception {
        namespaces("a", "z");
        int busy = 100;
        create("a", busy);
        create("z", 1);
        Process process = start(mode);
        awaitDone("a", busy, "0");
        awaitDone("z", 1, "0");
        awaitWatch();
        String version = client.list(MAPS, ListOptions.ALL).resourceVersion();
        try (Watch<ConfigMap> watch = client.watch(MAPS, ListOptions.ALL.resourceVersion(version))) {
            signal(process, "-STOP");
            for (int i = 0; i < busy; i++) {
                change("a", "m" + i, "new");
                if (i == 10) {
                    change("z", "m0", "new");
                }
            }
            signal(process, "-CONT");
            int before = 0;
            for (ObjectKey key = next(watch); !key.equals(ObjectKey.of("z", "done-m0")); key = next(watch)) {
                before += key.name().startsWith("done-") ? 1 : 0;
            }
            return before;
        }
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static ObjectKey next(Watch<ConfigMap> watch) throws InterruptedException {
        return ObjectKey.of(watch.next().orElseThrow().object());
    }

    @Test
    void deadlockDoesNothingAfterItsWatchWasCut() throws IOException {
        create("default", 2);
        Process process = start(Mode.DEADLOCK);
        awaitDone("default", 2, "0");
        change("default", "m0", "before");
        Await.until("it works", () -> isDone("default", "m0", "before"));
        awaitWatch();

        proxy.cutWatches();
        awaitWatch();
        change("default", "m0", "after");

        assertThat(atRest().writes()).isZero();
        assertThat(isDone("default", "m0", "before")).isTrue();
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void stampedeReadsAndWritesEachObjectWhenItStarts() throws IOException {
        create("default", 50);
        stop(started(Mode.CLEAN, 50));
        Await.until("its watch ends", () -> proxy.requests().openWatches() == 0);
        Requests before = proxy.requests();

        start(Mode.STAMPEDE);
        Await.until("it has written all", () -> proxy.requests().minus(before).writes() >= 50);

        Requests made = proxy.requests().minus(before);
        assertThat(made.count("get", "configmaps")).isEqualTo(100);
        assertThat(made.count("update", "configmaps")).isEqualTo(50);
        assertThat(atRest().writes()).isZero();
    }

    private Process started(Mode mode, int objects) throws IOException {
        Process process = start(mode);
        awaitDone("default", objects, "0");
        awaitWatch();
        return process;
    }
}
