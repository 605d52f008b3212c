package dev.evenkeel.policy.internal.nftables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.policy.PolicyAgent;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.PolicyCase;
import dev.evenkeel.policy.PolicyTransaction;
import dev.evenkeel.policy.World;
import dev.evenkeel.policy.internal.nftables.Prober.Attempt;
import dev.evenkeel.policy.v1.InSync;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent in a process that is killed during changes of thousands of members, with packets all the time. */
class KilledAgentTest {
    private static final String FRONT = "10.0.1.1";
    private static final String DB = "10.0.1.2";
    private static final String OTHER = "10.0.2.1";
    private static final int KILLS = 4;
    private static final int MEMBERS = 3_000;

    @TempDir
    private Path directory;

    @BeforeAll
    static void needsNamespaces() {
        Lab.missing().ifPresent(Assumptions::abort);
    }

    /** A policy that always lets the pods named a of its namespace through, and another rule that changes. */
    private static HasMetadata policy(int version) {
        return Manifests.parse("{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy,"
                        + " metadata: {namespace: x, name: p}, spec: {podSelector: {matchLabels: {pod: b}}, ingress:"
                        + " [{from: [{podSelector: {matchLabels: {pod: a}}}]},"
                        + " {from: [{podSelector: {}}], ports: [{port: " + (1_000 + version) + "}]}]}}")
                .getFirst();
    }

    /** Changes the policy, and thousands of members of its sets. */
    private static void change(PolicyTransaction tx, World world, int version) {
        tx.put(policy(version));
        List<HasMetadata> pods = new ArrayList<>(world.all(Pod.class));
        for (int i = 0; i < MEMBERS; i++) {
            pods.add(new World()
                    .pod(
                            "x",
                            "many" + i,
                            "n9",
                            Map.of("pod", "a"),
                            List.of("10." + (8 + version) + "." + i / 250 + "." + i % 250),
                            List.of()));
        }
        tx.replace(Pod.class, pods.stream().map(Pod.class::cast).toList());
    }

    /** The process: it programs the table, and changes it when there is a line on its standard input. */
    public static void main(String[] nft) throws Exception {
        World world = PolicyCase.all().getFirst().world();
        PolicyCalculation calculation = PolicyCalculation.forHost("n1");
        PolicyAgent agent = PolicyAgent.builder(calculation.open("n1"))
                .table(PolicyLab.TABLE)
                .nft(List.of(nft))
                .build();
        calculation.transact(tx -> {
            world.objects().forEach(tx::put);
            change(tx, world, 0);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        Thread.ofPlatform().daemon().start(() -> {
            try {
                agent.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        System.out.println("started");
        while (agent.transactions() == 0) {
            Thread.onSpinWait();
        }
        System.out.println("programmed");
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (int version = 1; in.readLine() != null; version++) {
                int now = version;
                calculation.transact(tx -> change(tx, world, now));
                System.out.println("changed");
            }
        }
    }

    @Test
    void packetsAreAllowedAndDeniedAsBeforeAndTheNextAgentCompletesTheTable() throws Exception {
        long seed = System.nanoTime();
        System.out.println("KilledAgentTest: seed " + seed);
        Random random = new Random(seed);
        World world = PolicyCase.all().getFirst().world();
        List<Attempt> attempts = new ArrayList<>();
        BitSet expected = new BitSet();
        for (int i = 0; i < 20; i++) {
            attempts.add(new Attempt(FRONT, DB, "UDP", 53));
            attempts.add(new Attempt(OTHER, DB, "UDP", 53));
            expected.set(2 * i);
        }
        try (PolicyLab lab = PolicyLab.ofCases()) {
            lab.replace(world.objects());
            lab.change(tx -> change(tx, world, 0));
            List<String> nft = lab.lab().command("n1", "nft");
            CompletableFuture<Integer> kills = CompletableFuture.supplyAsync(() -> kills(nft, random));
            int rounds = 0;
            do {
                assertThat(lab.prober().run(attempts, expected))
                        .as("seed " + seed)
                        .isEqualTo(expected);
                rounds++;
            } while (!kills.isDone());
            assertThat(kills.get())
                    .as("kills during a call of nft, seed " + seed)
                    .isPositive();
            assertThat(rounds).isGreaterThan(KILLS);
            lab.restart();
            assertThat(lab.differences()).as("seed " + seed).isEmpty();
            assertThat(lab.prober().run(attempts, expected)).isEqualTo(expected);
        }
    }

    @Test
    void whatAKilledAgentHadBegunIsRefusedAfterTheNextOne() {
        List<String> begun = new ArrayList<>();
        Update inSync =
                Update.newBuilder().setInSync(InSync.getDefaultInstance()).build();
        try (PolicyLab lab = PolicyLab.ofCases()) {
            lab.replace(PolicyCase.all().getFirst().world().objects());
            Nft nft = lab.lab().nft("n1");
            Dataplane killed = new Dataplane(
                    PolicyLab.TABLE, 0x1000, beginning(begun, nft), Duration.ZERO, InstantSource.system());
            killed.apply(List.of(inSync));
            Update.Builder pod = Update.newBuilder();
            pod.getWorkloadEndpointUpdateBuilder()
                    .setId("x/late")
                    .getEndpointBuilder()
                    .addIpv4Nets("10.0.0.99/32");
            killed.apply(List.of(pod.build()));
            lab.restart();
            assertThat(begun)
                    .hasSize(2)
                    .allSatisfy(commands -> assertThatThrownBy(() -> nft.run(commands))
                            .hasMessageContaining("No such file or directory"));
            assertThat(lab.differences()).isEmpty();

            nft.run("delete table inet " + PolicyLab.TABLE + "\n");
            new Dataplane(PolicyLab.TABLE, 0x1000, beginning(begun, nft), Duration.ZERO, InstantSource.system())
                    .apply(List.of(inSync));
            lab.restart();
            assertThatThrownBy(() -> nft.run(begun.getLast())).hasMessageContaining("File exists");
            assertThat(lab.differences()).isEmpty();
        }
    }

    /** Reads tables, and notes transactions without running them. */
    private static Transactions beginning(List<String> begun, Nft nft) {
        return new Transactions() {
            @Override
            public void run(String commands) {
                begun.add(commands);
            }

            @Override
            public Optional<Names> names(String table) {
                return nft.names(table);
            }

            @Override
            public String list(String table) {
                return nft.list(table);
            }
        };
    }

    /** Starts and kills agents; returns how many were killed during a call of nft. */
    private int kills(List<String> nft, Random random) {
        int during = 0;
        try {
            for (int i = 0; i < KILLS; i++) {
                List<String> command = new ArrayList<>(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledAgentTest.class.getName()));
                command.addAll(nft);
                Process process = new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                try (BufferedReader out = process.inputReader(UTF_8)) {
                    // half of them during the replacement of the table, the others during a change
                    boolean later = i % 2 == 1;
                    await(out, later ? "programmed" : "started");
                    if (later) {
                        process.outputWriter(UTF_8).append('\n').flush();
                        await(out, "changed");
                    }
                    during += kill(process, TimeUnit.MILLISECONDS.toNanos(random.nextInt(20))) ? 1 : 0;
                } finally {
                    process.destroyForcibly().waitFor();
                }
            }
            return during;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Kills a process some time after it has begun to call nft, or soon if it does not; returns whether it did. */
    private static boolean kill(Process process, long nanos) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
        while (process.children().findAny().isEmpty() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        long moment = System.nanoTime() + nanos;
        while (System.nanoTime() < moment) {
            Thread.onSpinWait();
        }
        boolean during = process.children().findAny().isPresent();
        process.destroyForcibly().waitFor();
        return during;
    }

    private static void await(BufferedReader out, String wanted) throws IOException {
        String line = out.readLine();
        while (line != null && !line.equals(wanted)) {
            line = out.readLine();
        }
        assertThat(line).isEqualTo(wanted);
    }
}
