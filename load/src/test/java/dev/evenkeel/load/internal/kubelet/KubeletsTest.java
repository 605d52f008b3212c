package dev.evenkeel.load.internal.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.load.PodDelays;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In virtual time, on the engine. */
class KubeletsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualScheduler scheduler = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
    private final Engine engine =
            Engine.builder().clock(scheduler.clock()).executor(Runnable::run).build();
    private final Client client = engine.client();

    @AfterEach
    void close() {
        engine.close();
    }

    private Kubelets start(Duration schedule, Duration start, Duration ready, Duration stop) {
        Kubelets kubelets = Kubelets.of(client, scheduler)
                .delays(new PodDelays(schedule, start, ready, stop))
                .start();
        scheduler.run();
        return kubelets;
    }

    private Kubelets start() {
        return start(SECOND, SECOND, SECOND, SECOND);
    }

    private Node node(String name, Map<String, String> labels) {
        return client.create(new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addNewAddress("192.0.2.7", "InternalIP")
                .endStatus()
                .build());
    }

    private static PodBuilder builder(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("i:1")
                .endContainer()
                .endSpec();
    }

    private void pod(String name) {
        Pod unused = client.create(builder(name).build());
    }

    private Pod get(String name) {
        return client.get(Pod.class, ObjectKey.of("default", name));
    }

    private static Map<String, String> conditions(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .collect(Collectors.toMap(PodCondition::getType, PodCondition::getStatus));
    }

    private List<Pod> pods() {
        return client.list(Pod.class, ListOptions.ALL).items();
    }

    private Map<String, Long> byNode() {
        return pods().stream()
                .collect(Collectors.groupingBy(pod -> pod.getSpec().getNodeName(), Collectors.counting()));
    }

    @Test
    void aPodGetsANodeRunsAndBecomesReady() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start()) {
            pod("a");
            scheduler.run();
            assertThat(get("a").getSpec().getNodeName()).isNull();

            scheduler.advance(Duration.ofMillis(1_510));
            assertThat(get("a").getSpec().getNodeName()).isEqualTo("n1");
            scheduler.advance(Duration.ofSeconds(10));

            Pod pod = get("a");
            assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
            assertThat(pod.getStatus().getPodIP()).isEqualTo("10.128.0.1");
            assertThat(pod.getStatus().getPodIPs())
                    .singleElement()
                    .satisfies(ip -> assertThat(ip.getIp()).isEqualTo("10.128.0.1"));
            assertThat(pod.getStatus().getHostIP()).isEqualTo("192.0.2.7");
            assertThat(pod.getStatus().getStartTime()).startsWith("2026-01-01T00:00:0");
            assertThat(conditions(pod))
                    .isEqualTo(Map.of(
                            "PodScheduled", "True", "Initialized", "True", "ContainersReady", "True", "Ready", "True"));
            assertThat(pod.getStatus().getConditions())
                    .allSatisfy(condition -> assertThat(condition.getReason()).isNull());
            assertThat(pod.getStatus().getContainerStatuses()).singleElement().satisfies(status -> {
                assertThat(status.getName()).isEqualTo("c");
                assertThat(status.getImage()).isEqualTo("i:1");
                assertThat(status.getReady()).isTrue();
                assertThat(status.getState().getRunning().getStartedAt())
                        .isEqualTo(pod.getStatus().getStartTime());
            });
            assertThat(kubelets.progress()).isEqualTo(new Kubelets.Progress(1, 0, 0, 3, 0));
        }
    }

    @Test
    void aPodIsNotReadyBetweenStartAndReadiness() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1), SECOND)) {
            pod("a");
            scheduler.advance(SECOND);
            assertThat(get("a").getStatus().getPhase()).isEqualTo("Running");
            assertThat(conditions(get("a"))).containsEntry("Ready", "False").containsEntry("Initialized", "True");
            assertThat(get("a").getStatus().getContainerStatuses().getFirst().getReady())
                    .isFalse();
            assertThat(kubelets.progress().ahead()).isEqualTo(1);
            scheduler.advance(Duration.ofSeconds(90));
            assertThat(conditions(get("a"))).containsEntry("Ready", "True");
        }
    }

    @Test
    void withoutADelayOfReadinessItIsOneWrite() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start(SECOND, SECOND, Duration.ZERO, SECOND)) {
            pod("a");
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(conditions(get("a"))).containsEntry("Ready", "True");
            assertThat(kubelets.progress().written()).isEqualTo(2);
        }
    }

    @Test
    void nothingIsWrittenAtRest() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start()) {
            pod("a");
            scheduler.advance(Duration.ofSeconds(10));
            String version = get("a").getMetadata().getResourceVersion();
            scheduler.advance(Duration.ofHours(1));
            assertThat(get("a").getMetadata().getResourceVersion()).isEqualTo(version);
            assertThat(kubelets.progress().written()).isEqualTo(3);
        }
    }

    @Test
    void podsAreSpreadOverTheNodesThatFit() {
        for (int i = 0; i < 5; i++) {
            Node unused = node("n" + i, i < 2 ? Map.of("disk", "fast") : Map.of());
        }
        Node closed = node("closed", Map.of("disk", "fast"));
        closed.getSpec().setUnschedulable(true);
        Node unusedUpdate = client.update(closed);
        try (Kubelets kubelets = start()) {
            for (int i = 0; i < 100; i++) {
                pod("a" + i);
            }
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(byNode()).isEqualTo(Map.of("n0", 20L, "n1", 20L, "n2", 20L, "n3", 20L, "n4", 20L));
            for (int i = 0; i < 10; i++) {
                Pod unused = client.create(builder("fast" + i)
                        .editSpec()
                        .addToNodeSelector("disk", "fast")
                        .endSpec()
                        .build());
            }
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(byNode()).isEqualTo(Map.of("n0", 25L, "n1", 25L, "n2", 20L, "n3", 20L, "n4", 20L));
            assertThat(kubelets.progress().failed()).isZero();
        }
    }

    @Test
    void aPodThatFitsNowhereWaitsForANode() {
        try (Kubelets kubelets = start()) {
            pod("a");
            scheduler.advance(Duration.ofMinutes(1));
            assertThat(kubelets.progress()).isEqualTo(new Kubelets.Progress(1, 0, 1, 0, 0));
            Node node = node("n1", Map.of());
            node.getSpec().setUnschedulable(true);
            Node unused = client.update(node);
            scheduler.advance(Duration.ofMinutes(1));
            Node open = client.get(Node.class, ObjectKey.cluster("n1"));
            open.getSpec().setUnschedulable(false);
            Node unusedUpdate = client.update(open);
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(get("a").getStatus().getPhase()).isEqualTo("Running");
            assertThat(kubelets.progress().unplaced()).isZero();
        }
    }

    @Test
    void aPodThatIsAskedToEndIsGoneAfterTheDelay() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10))) {
            pod("a");
            scheduler.advance(SECOND);
            var deletion = client.delete(Pod.class, ObjectKey.of("default", "a"));
            assertThat(deletion.remaining()).isPresent();
            scheduler.advance(Duration.ofSeconds(4));
            assertThat(get("a").getMetadata().getDeletionTimestamp()).isNotNull();
            scheduler.advance(Duration.ofSeconds(12));
            assertThat(pods()).isEmpty();
            assertThat(kubelets.progress()).isEqualTo(new Kubelets.Progress(0, 0, 0, 3, 0));
        }
    }

    @Test
    void theGracePeriodLimitsTheDelay() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofHours(1))) {
            pod("a");
            scheduler.advance(SECOND);
            var unusedDeletion = client.delete(
                    Kind.of(Pod.class),
                    ObjectKey.of("default", "a"),
                    DeleteOptions.DEFAULT.gracePeriod(Duration.ofSeconds(2)));
            assertThat(pods()).hasSize(1);
            scheduler.advance(Duration.ofSeconds(3));
            assertThat(pods()).isEmpty();
            assertThat(kubelets.progress().pods()).isZero();
        }
    }

    @Test
    void finalizersHoldAPodThatHasEnded() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start()) {
            Pod unusedPod = client.create(builder("a")
                    .editMetadata()
                    .addToFinalizers("example.com/wait")
                    .endMetadata()
                    .build());
            scheduler.advance(Duration.ofSeconds(10));
            var unusedDeletion = client.delete(Pod.class, ObjectKey.of("default", "a"));
            scheduler.advance(Duration.ofMinutes(1));
            assertThat(get("a").getMetadata().getDeletionGracePeriodSeconds()).isZero();
            assertThat(kubelets.progress().ahead()).isZero();
            assertThat(kubelets.progress().written()).isEqualTo(4);
            Pod unusedPatch = client.patch(
                    Kind.of(Pod.class),
                    ObjectKey.of("default", "a"),
                    Patch.merge("{\"metadata\":{\"finalizers\":null}}"),
                    WriteOptions.DEFAULT);
            scheduler.run();
            assertThat(pods()).isEmpty();
        }
    }

    @Test
    void aRecreatedPodBeginsAnew() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start()) {
            for (int i = 0; i < 5; i++) {
                pod("a");
                scheduler.advance(Duration.ofMillis(700L * i));
                var unusedDeletion = client.delete(
                        Kind.of(Pod.class),
                        ObjectKey.of("default", "a"),
                        DeleteOptions.DEFAULT.gracePeriod(Duration.ZERO));
            }
            pod("a");
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(conditions(get("a"))).containsEntry("Ready", "True");
            assertThat(kubelets.progress().pods()).isEqualTo(1);
            assertThat(kubelets.progress().ahead()).isZero();
        }
    }

    @Test
    void addressesAreUniqueAndReleased() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets =
                Kubelets.of(client, scheduler).addresses("10.9.0.0/28").start()) {
            for (int i = 0; i < 14; i++) {
                pod("a" + i);
            }
            scheduler.advance(SECOND);
            Set<String> given = new HashSet<>();
            pods().forEach(pod -> given.add(pod.getStatus().getPodIP()));
            assertThat(given).hasSize(14).allMatch(address -> address.startsWith("10.9.0."));
            pod("late");
            scheduler.advance(Duration.ofMinutes(1));
            assertThat(get("late").getStatus().getPhase()).isEqualTo("Pending");
            assertThat(kubelets.progress().failed()).isPositive();
            String released = get("a3").getStatus().getPodIP();
            var unusedDeletion = client.delete(Pod.class, ObjectKey.of("default", "a3"));
            scheduler.advance(Duration.ofMinutes(1));
            assertThat(get("late").getStatus().getPodIP()).isEqualTo(released);
        }
    }

    @Test
    void aRestartContinuesWhereItWas() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start()) {
            pod("a");
            pod("b");
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(kubelets.progress().written()).isEqualTo(6);
        }
        pod("c");
        scheduler.advance(Duration.ofSeconds(10));
        assertThat(get("c").getSpec().getNodeName()).isNull();
        try (Kubelets kubelets = start()) {
            scheduler.advance(Duration.ofSeconds(10));
            assertThat(kubelets.progress().written()).isEqualTo(3);
            assertThat(pods().stream().map(pod -> pod.getStatus().getPodIP()).distinct())
                    .hasSize(3);
        }
    }

    @Test
    void whatOthersWriteStays() {
        Node unused = node("n1", Map.of());
        try (Kubelets kubelets = start()) {
            pod("a");
            scheduler.advance(Duration.ofSeconds(10));
            Pod pod = get("a");
            pod.getStatus().setPodIP(null);
            pod.getStatus().setPodIPs(List.of());
            Pod unusedUpdate = client.updateStatus(pod);
            scheduler.advance(Duration.ofMinutes(1));
            assertThat(get("a").getStatus().getPodIP()).isNull();
            assertThat(kubelets.progress().written()).isEqualTo(3);
        }
    }

    @Test
    void delaysDependOnTheSeedAlone() {
        Node unused = node("n1", Map.of());
        for (int i = 0; i < 20; i++) {
            pod("a" + i);
        }
        assertThat(boundAfter(1))
                .isEqualTo(boundAfter(1))
                .isNotEqualTo(boundAfter(2))
                .isNotEmpty();
    }

    /** Returns the pods that are bound in time with a seed, in a copy of the engine. */
    private Set<String> boundAfter(long seed) {
        VirtualScheduler own = new VirtualScheduler(seed, Instant.parse("2026-01-01T00:00:00Z"));
        try (Engine copy =
                        engine.fork().clock(own.clock()).executor(Runnable::run).build();
                Kubelets kubelets = Kubelets.of(copy.client(), own)
                        .delays(new PodDelays(SECOND, SECOND, SECOND, SECOND))
                        .seed(seed)
                        .start()) {
            own.advance(SECOND);
            assertThat(kubelets.unsynced()).isEmpty();
            return copy.client().list(Pod.class, ListOptions.ALL).items().stream()
                    .filter(pod -> pod.getSpec().getNodeName() != null)
                    .map(pod -> pod.getMetadata().getName())
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void thousandsOfPodsRunInVirtualTime() {
        for (int i = 0; i < 50; i++) {
            Node unused = node("n" + i, Map.of());
        }
        try (Kubelets kubelets = Kubelets.of(client, scheduler).start()) {
            scheduler.run();
            for (int i = 0; i < 2_000; i++) {
                pod("a" + i);
            }
            scheduler.advance(SECOND);
            assertThat(kubelets.progress()).isEqualTo(new Kubelets.Progress(2_000, 0, 0, 6_000, 0));
            assertThat(byNode())
                    .hasSize(50)
                    .allSatisfy((node, count) -> assertThat(count).isEqualTo(40));
        }
    }

    @Test
    void optionsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> Kubelets.of(client, scheduler).addresses("x").start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("addresses must be");
        assertThatThrownBy(() -> Kubelets.of(client, scheduler).writers(0)).hasMessage("writers must be positive: 0");
        assertThatThrownBy(() -> new PodDelays(SECOND, SECOND.negated(), SECOND, SECOND))
                .hasMessage("start must not be negative: PT-1S");
    }
}
