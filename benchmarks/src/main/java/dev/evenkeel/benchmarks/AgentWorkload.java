package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.policy.PolicyCalculation;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A policy agent that follows an API server and programs nftables in a network namespace: 1,000 policies, 10,000 pods, of
 * which 200 are on its node. The time from the answer of the API server to the committed transaction.
 */
final class AgentWorkload {
    private static final String NETWORK_NAMESPACE = "evenkeel-bench";
    private static final int PODS = 10_000;
    private static final int POLICIES = 1_000;
    private static final int NAMESPACES = 100;

    private AgentWorkload() {}

    static void run(ReportSection section) throws Exception {
        if (!installed()) {
            section.elsewhere(
                    "the policy agent is not measured: it needs root, nft and ip (Debian: nftables, iproute2)");
            return;
        }
        try (EvenkeelServer server = new EvenkeelServer(Engine.create())) {
            measure(section, server);
        } finally {
            int _ = command("ip", "netns", "delete", NETWORK_NAMESPACE);
        }
    }

    private static boolean installed() throws IOException, InterruptedException {
        int _ = command("ip", "netns", "delete", NETWORK_NAMESPACE);
        return command("ip", "netns", "add", NETWORK_NAMESPACE) == 0
                && command("ip", "netns", "exec", NETWORK_NAMESPACE, "nft", "list", "ruleset") == 0;
    }

    private static int command(String... words) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    private static void measure(ReportSection section, EvenkeelServer server) throws Exception {
        Client client = server.client();
        try (InputStream definitions = PolicyCalculation.class.getResourceAsStream("crds.yaml")) {
            String text = new String(Objects.requireNonNull(definitions).readAllBytes(), StandardCharsets.UTF_8);
            Manifests.parse(text)
                    .forEach(one -> client.create(ModelCodec.convert(one, CustomResourceDefinition.class)));
        }
        for (int i = 0; i < NAMESPACES; i++) {
            client.create(PolicyWorld.namespace("ns-" + i));
        }
        for (int i = 0; i < POLICIES; i++) {
            client.create(PolicyWorld.policy(
                    "policy-" + i,
                    "app == 'a" + i % 200 + "'",
                    List.of(PolicyWorld.rule("TCP", PolicyWorld.selector("app == 'a" + (i + 1) % 200 + "'"), null)),
                    List.of()));
        }
        for (int i = 0; i < PODS; i++) {
            HasMetadata created = client.create(pod(i, i % 200));
            Pod status = pod(i, i % 200);
            status.getMetadata().setResourceVersion(created.getMetadata().getResourceVersion());
            client.updateStatus(status);
        }
        try (AgentProcess agent = new AgentProcess(server.url(), NETWORK_NAMESPACE)) {
            long _ = agent.committed();
            int changes = section.quick() ? 200 : 2_000;
            long[] nanos = new long[changes];
            AgentProcess.Usage before = agent.usage();
            long began = System.nanoTime();
            for (int i = -changes / 4; i < changes; i++) {
                // a pod of another node, to the next of 200 sets, all of which the node has
                int number = Math.floorMod(i * 49 + 1, PODS - 100);
                Pod current = client.get(Pod.class, ObjectKey.of(pod(number, 0)));
                Map<String, String> labels = current.getMetadata().getLabels();
                int app = Integer.parseInt(
                        Objects.requireNonNull(labels.get("app")).substring(1));
                labels.put("app", "a" + (app + 1) % 200);
                client.update(current);
                long acknowledged = System.nanoTime();
                long took = agent.committed() - acknowledged;
                if (i >= 0) {
                    nanos[i] = took;
                }
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            AgentProcess.Usage after = agent.usage();
            section.percentiles("policy agent: pod relabelled, to nftables", nanos, new long[0], "");
            section.ours(
                    "policy agent: CPU for each change, nft included",
                    Unit.MICROSECONDS,
                    (after.cpuMillis() - before.cpuMillis()) * 1e3 / (changes + changes / 4));
            section.ours("policy agent: heap", Unit.BYTES, (double) after.heap());
            section.elsewhere("%.0f changes/s, one at a time".formatted((changes + changes / 4) / seconds));
        }
    }

    private static Pod pod(int number, int app) {
        Map<String, String> labels = new HashMap<>();
        labels.put("app", "a" + app);
        Pod pod = PolicyWorld.pod(
                "ns-" + number % NAMESPACES,
                "pod-" + number,
                number % 49 == 0 ? PolicyWorld.HOST : "host-" + number % 49,
                number,
                labels);
        pod.getSpec()
                .setContainers(List.of(new ContainerBuilder()
                        .withName("main")
                        .withImage("image")
                        .build()));
        return pod;
    }
}
