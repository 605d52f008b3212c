package dev.evenkeel.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.internal.proxy.ApiProxy;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;

/**
 * The cost of the proxy of the load harness for each request: that with the proxy between the client and the server, less that
 * without it. The server is another process; client and proxy are this one, whose CPU time is counted.
 */
final class ProxyWorkload {
    private static final String TEXT = "x".repeat(1_000);
    private static final String WITHOUT = "no proxy";
    private static final int ROUNDS = 5;
    private static final int WARMUP = 15_000;
    private static final int AT_ONCE = 8;
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final ReportSection section;
    private final int requests;

    private ProxyWorkload(ReportSection section) {
        this.section = section;
        requests = section.quick() ? 4_000 : 20_000;
    }

    /** Makes one request. */
    @FunctionalInterface
    private interface Request {
        void make(Client client, ObjectKey key, int count);
    }

    static void run(ReportSection section) throws Exception {
        try (ApiServerProcess server = new ApiServerProcess();
                ApiProxy proxy = ApiProxy.start(server.connection());
                KubernetesClient direct = KubernetesClient.connect(server.connection());
                KubernetesClient through = KubernetesClient.connect(proxy.connection())) {
            for (int i = 0; i < AT_ONCE; i++) {
                LoadObject object = LoadObject.of(Kinds.CONFIG_MAP, key(i), Map.of("data", Map.of("text", TEXT)));
                Encoded _ = direct.create(Kinds.CONFIG_MAP, object.content(), WriteOptions.DEFAULT);
            }
            ProxyWorkload workload = new ProxyWorkload(section);
            workload.measure("get of 1 KB", through, direct, (client, key, count) -> {
                Encoded _ = client.get(Kinds.CONFIG_MAP, key);
            });
            workload.measure("patch of 1 KB", through, direct, (client, key, count) -> {
                Patch patch = Patch.merge("{\"data\":{\"revision\":\"" + count + "\"}}");
                Encoded _ = client.patch(Kinds.CONFIG_MAP, key, patch, WriteOptions.DEFAULT);
            });
        }
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("default", StoredObjects.name(number));
    }

    private void measure(String name, Client through, Client direct, Request request) throws Exception {
        String workload = "proxy: " + name;
        for (Client client : new Client[] {through, direct}) {
            double _ = processorMicros(client, request, WARMUP);
        }
        Rounds latency = new Rounds();
        Rounds latencyWithout = new Rounds();
        Rounds latencyAdded = new Rounds();
        Rounds processor = new Rounds();
        Rounds processorWithout = new Rounds();
        Rounds processorAdded = new Rounds();
        for (int i = 0; i < ROUNDS; i++) {
            double with = medianMicros(through, request);
            double without = medianMicros(direct, request);
            latency.add(with);
            latencyWithout.add(without);
            latencyAdded.add(with - without);
            double processorWith = processorMicros(through, request, requests);
            double processorDirect = processorMicros(direct, request, requests);
            processor.add(processorWith);
            processorWithout.add(processorDirect);
            processorAdded.add(processorWith - processorDirect);
        }
        section.rounds(workload + ", 1 client, p50", Unit.MICROSECONDS, latency, latencyWithout, WITHOUT);
        section.rounds(workload + ", 1 client, p50, added", Unit.MICROSECONDS, latencyAdded);
        section.rounds(workload + ", CPU", Unit.MICROSECONDS, processor, processorWithout, WITHOUT);
        section.rounds(workload + ", CPU, added", Unit.MICROSECONDS, processorAdded);
    }

    private double medianMicros(Client client, Request request) {
        long[] nanos = new long[requests];
        for (int i = 0; i < requests; i++) {
            long begin = System.nanoTime();
            request.make(client, key(0), i);
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        return ReportSection.at(nanos, 50) / 1e3;
    }

    /** Returns the CPU time of this process for each of many requests, some of them at once. */
    private static double processorMicros(Client client, Request request, int number) throws Exception {
        long cpu = SYSTEM.getProcessCpuTime();
        Load.concurrently(Thread.ofVirtual(), AT_ONCE, thread -> {
            for (int i = 0; i < number / AT_ONCE; i++) {
                request.make(client, key(thread), i);
            }
        });
        return (SYSTEM.getProcessCpuTime() - cpu) / 1e3 / number;
    }
}
