package dev.evenkeel.cli;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A controller in a process of its own, for {@link ThreeProcessesTest}: answers each {@code poke} of a ConfigMap with a
 * write that names its process, its lease and its term.
 *
 * <p>The process that a ConfigMap names as {@code slow} first stores and prints that it has begun. Then it waits,
 * ignoring interrupts, until it notices that it was frozen, and writes past the guard of its client: like a write that
 * has passed the guard before.
 */
final class CountingProcess {
    static final Leases.Timing TIMING =
            new Leases.Timing(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));
    static final String CONTROLLER = "count";

    private final String identity;
    private final Client raw;

    private CountingProcess(String identity, Client raw) {
        this.identity = identity;
        this.raw = raw;
    }

    /** Kubeconfig, namespace, identity, and {@code leader} or {@code sharded}. */
    public static void main(String[] arguments) throws InterruptedException {
        KubernetesClient client = KubernetesClient.connect(Connection.fromKubeconfig(Path.of(arguments[0])));
        CountingProcess process = new CountingProcess(arguments[2], client);
        Manager manager = Manager.builder(client)
                .leases(Leases.in(arguments[1], arguments[2]).timing(TIMING))
                .build()
                .add(Controller.of(ConfigMap.class, process::reconcile)
                        .name(CONTROLLER)
                        .selection(ListOptions.in(arguments[1]))
                        .placement(arguments[3].equals("leader") ? Placement.leader() : Placement.sharded()))
                .start();
        System.out.println("started " + manager.health());
        new CountDownLatch(1).await();
    }

    private Result reconcile(Reconciliation<ConfigMap> reconciliation) {
        reconciliation.resource().ifPresent(map -> {
            Map<String, String> data = map.getData();
            String poke = data.getOrDefault("poke", "");
            if (poke.equals(data.getOrDefault("done", ""))) {
                return;
            }
            Fence fence = reconciliation.fence().orElseThrow();
            Patch patch =
                    Patch.merge("""
                    {"data": {"done": "%s", "by": "%s", "lease": "%s", "term": "%d"}}
                    """.formatted(poke, identity, fence.lease().name(), fence.transitions()));
            if (identity.equals(data.get("slow"))) {
                slowly(ObjectKey.of(map), fence, patch);
            } else {
                reconciliation.client().patch(Kind.of(ConfigMap.class), ObjectKey.of(map), patch, WriteOptions.DEFAULT);
            }
        });
        return Result.done();
    }

    private void slowly(ObjectKey key, Fence fence, Patch patch) {
        WriteOptions fenced = WriteOptions.DEFAULT.fence(fence);
        Patch begun = Patch.merge("{\"data\": {\"begun\": \"" + identity + "\"}}");
        raw.patch(Kind.of(ConfigMap.class), key, begun, fenced);
        long looked = System.nanoTime();
        System.out.println("begun " + key);
        while (System.nanoTime() - looked < TIMING.renewDeadline().toNanos()) {
            looked = System.nanoTime();
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            boolean _ = Thread.interrupted();
        }
        // on its way, where no interrupt reaches it
        Thread.ofVirtual().start(() -> {
            try {
                raw.patch(Kind.of(ConfigMap.class), key, patch, fenced);
                System.out.println("written " + key);
            } catch (ConflictException e) {
                System.out.println("refused " + key + ": " + e.getMessage());
            }
        });
    }
}
