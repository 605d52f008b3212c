package dev.evenkeel.benchmarks;

import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** One change at a time in a large cluster: the time from the changed object to the messages for a host. */
final class PolicyChurnWorkload {
    private static final int STEP = 1_000;
    private static final int ROLES = 50;
    private static final int NAMESPACE = 10_000;

    private final PolicyCalculation calculation = PolicyCalculation.forHost(PolicyWorld.HOST);
    private final Cursor<Update> cursor = calculation.open(PolicyWorld.HOST);

    private PolicyChurnWorkload() {}

    static void run(ReportSection section) {
        int pods = section.quick() ? 10_000 : 100_000;
        int changes = section.quick() ? 2_000 : 20_000;
        PolicyChurnWorkload world = new PolicyChurnWorkload();
        world.fill(pods);
        world.measure(
                section, "pod relabelled, " + pods + " pods", changes, 1, i -> pod(i % pods, (i * 7 + 1) % ROLES));
        world.measure(
                section,
                "pod relabelled back and forth outside of all sets",
                changes,
                0,
                i -> PolicyWorld.pod("other", "outside-" + i % 100, "far", pods + i % 100, Map.of("id", "x" + i)));
        world.measure(
                section,
                "namespace of " + NAMESPACE + " pods relabelled",
                50,
                1,
                i -> namespace("big", "area-" + i % 2));
        // each pod of the host has two of these policies, whose order is reversed
        world.measure(
                section,
                "order of one of 10,000 policies changed",
                changes / 10,
                1,
                i -> order(499 * (i % 20), i / 20 % 2 * 100_000));
    }

    /** Pods with one of 50 roles in one large namespace and 100 small ones; 200 of them on the host. */
    private void fill(int pods) {
        List<HasMetadata> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(order(i, i));
        }
        for (int role = 0; role < ROLES; role++) {
            all.add(PolicyWorld.policy(
                    "role-" + role,
                    "role == 'r" + role + "'",
                    List.of(
                            PolicyWorld.rule(null, PolicyWorld.selector("role == 'r" + (role + 1) % ROLES + "'"), null),
                            PolicyWorld.rule(null, PolicyWorld.selector("pcns.area == 'area-1'"), null)),
                    List.of()));
        }
        all.add(namespace("big", "area-0"));
        for (int i = 0; i < 100; i++) {
            all.add(namespace("small-" + i, "area-2"));
        }
        for (int i = 0; i < pods; i++) {
            all.add(pod(i, i % ROLES));
        }
        for (int i = 0; i < all.size(); i += STEP) {
            List<HasMetadata> step = all.subList(i, Math.min(i + STEP, all.size()));
            calculation.transact(tx -> step.forEach(tx::put));
        }
        calculation.transact(tx -> PolicyCalculation.kinds().forEach(tx::synced));
        int messages = cursor.poll().messages().size();
        ReportSection.check(messages > 20, "messages of the snapshot: " + messages);
    }

    private void measure(ReportSection section, String name, int changes, int least, IntFunction<HasMetadata> change) {
        int warm = Math.max(20, changes / 4);
        long[] nanos = new long[changes];
        long messages = 0;
        for (int i = -warm; i < changes; i++) {
            HasMetadata object = change.apply(i + warm);
            long begin = System.nanoTime();
            calculation.transact(tx -> tx.put(object));
            int sent = cursor.poll().messages().size();
            if (i >= 0) {
                nanos[i] = System.nanoTime() - begin;
                messages += sent;
            }
        }
        ReportSection.check(messages >= (long) least * changes * 9 / 10, name + ": messages " + messages);
        section.percentiles(name, nanos, new long[0], "");
        section.ours(name + ", messages each", Measurement.Unit.MESSAGES, (double) messages / changes);
    }

    private static HasMetadata pod(int number, int role) {
        Map<String, String> labels = new HashMap<>();
        labels.put("role", "r" + role);
        labels.put("id", "x" + number);
        return PolicyWorld.pod(
                number < NAMESPACE ? "big" : "small-" + number % 100,
                "pod-" + number,
                number % 499 == 0 ? PolicyWorld.HOST : "host-" + number % 997,
                number,
                labels);
    }

    private static HasMetadata namespace(String name, String area) {
        HasMetadata namespace = PolicyWorld.namespace(name);
        namespace.getMetadata().setLabels(Map.of("area", area));
        return namespace;
    }

    private static HasMetadata order(int number, int order) {
        return PolicyWorld.policy(
                "policy-" + number,
                order,
                "id in {'x" + number + "', 'x" + (number + 499) + "'}",
                List.of(PolicyWorld.rule("TCP", PolicyWorld.selector("role == 'r1'"), null)),
                List.of());
    }
}
