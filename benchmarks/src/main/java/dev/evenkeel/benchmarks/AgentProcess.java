package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Client;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.kubernetes.Connection;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.policy.PolicyAgent;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.PolicySource;
import dev.evenkeel.policy.v1.Update;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A policy agent in a process of its own; it prints the time of each transaction that nftables has committed. */
final class AgentProcess implements AutoCloseable {
    /** The clock ticks of a second in {@code /proc}. */
    private static final int TICKS = 100;

    private final JavaProcess process;

    /** Starts an agent that programs a network namespace. */
    AgentProcess(URI server, String networkNamespace) throws IOException {
        process = new JavaProcess(
                "agent",
                AgentProcess.class,
                List.of("-XX:+UseCompactObjectHeaders", "-Xmx512m"),
                List.of(server.toString(), networkNamespace));
    }

    /** Waits for the next transaction; returns the time at which it was committed, of {@link System#nanoTime}. */
    long committed() throws IOException {
        return Long.parseLong(process.answer("committed")[1]);
    }

    /**
     * The resources that an agent has used.
     *
     * @param cpuMillis processor time, that of the nft commands included
     * @param heap bytes after a collection
     */
    record Usage(long cpuMillis, long heap) {}

    Usage usage() throws IOException {
        process.say("usage");
        String[] words = process.answer("usage");
        return new Usage(Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    @Override
    public void close() {
        process.close();
    }

    /** Runs the process: the arguments are the URL of the server and the network namespace. */
    public static void main(String[] args) throws Exception {
        PolicyCalculation calculation = PolicyCalculation.forHost(PolicyWorld.HOST);
        Client client =
                KubernetesClient.connect(Connection.to(URI.create(args[0])).build());
        try (SystemScheduler scheduler = new SystemScheduler();
                Cursor<Update> cursor = calculation.open(PolicyWorld.HOST);
                PolicySource _ = PolicySource.start(calculation, client, scheduler)) {
            try (PolicyAgent agent = agent(cursor, args[1])) {
                Thread _ = Thread.ofPlatform().daemon().start(() -> {
                    try {
                        agent.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                JavaProcess.serve(words -> System.out.println("usage " + cpuMillis() + " " + Heap.used()));
            }
        }
    }

    /** Returns an agent that asks for the next batch when the last one is committed, which is printed. */
    private static PolicyAgent agent(Cursor<Update> cursor, String networkNamespace) {
        boolean[] applied = {false};
        return PolicyAgent.builder(timeout -> {
                    if (applied[0]) {
                        System.out.println("committed " + System.nanoTime());
                    }
                    List<Update> batch = cursor.poll(timeout).messages();
                    applied[0] = !batch.isEmpty();
                    return batch;
                })
                .nft(List.of("ip", "netns", "exec", networkNamespace, "nft"))
                .build();
    }

    private static long cpuMillis() throws IOException {
        long own = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
        // after the name of the command, which is in parentheses: the times of children that have ended
        String status = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ", -1);
        long children = (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) * 1_000 / TICKS;
        return own / 1_000_000 + children;
    }
}
