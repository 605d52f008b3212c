package dev.evenkeel.policy.internal.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.PolicyTransaction;
import dev.evenkeel.policy.internal.convert.PolicyModel;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A lab whose nodes have dataplanes, with the calculation for all of them. Each change is one transaction at each node. */
final class PolicyLab implements AutoCloseable {
    static final String TABLE = "evenkeel-policy";
    private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

    private final Lab lab;
    private final Prober prober;
    private final PolicyCalculation calculation = PolicyCalculation.forAllHosts();
    private final Map<String, Node> nodes = new LinkedHashMap<>();

    /** The time that dataplanes see: checks are when a test says. */
    private volatile Instant now = Instant.EPOCH;

    private record Node(Dataplane dataplane, Cursor<Update> cursor) {}

    /** Creates the dataplanes of hosts of a lab, which is closed with this. */
    PolicyLab(Lab lab, List<String> names) {
        this.lab = lab;
        prober = new Prober(lab);
        for (String name : names) {
            nodes.put(name, node(name));
        }
        calculation.transact(tx -> PolicyCalculation.kinds().forEach(tx::synced));
    }

    private Node node(String name) {
        return new Node(new Dataplane(TABLE, 0x1000, lab.nft(name), CHECK_INTERVAL, () -> now), calculation.open(name));
    }

    /** Returns the hosts of {@code cases.yaml}. */
    static PolicyLab ofCases() {
        Lab lab = Lab.create().add("core", "", List.of());
        lab.add("n1", "core", List.of("172.18.0.2", "fd18::2"));
        lab.add("n2", "core", List.of("172.18.0.3", "fd18::3"));
        lab.add("ext", "core", List.of("172.17.0.5", "2001:db8::5"));
        lab.add("ext2", "core", List.of("172.17.1.5", "2001:db8:1::5"));
        lab.add("ext3", "core", List.of("10.0.0.7", "2001:db8:2::7"));
        for (String pod : List.of("x/a", "x/b", "y/a", "y/b", "z/a", "z/b")) {
            int namespace = 1 + "xyz".indexOf(pod.charAt(0));
            int number = 1 + "ab".indexOf(pod.charAt(2));
            lab.add(
                    pod,
                    pod.startsWith("x") || pod.equals("y/a") ? "n1" : "n2",
                    List.of("10.0." + namespace + "." + number, "fd00::" + namespace + ":" + number));
        }
        return new PolicyLab(lab.start(), List.of("n1", "n2"));
    }

    Lab lab() {
        return lab;
    }

    Prober prober() {
        return prober;
    }

    /** Replaces all objects of the cluster. */
    void replace(Collection<? extends HasMetadata> objects) {
        List<HasMetadata> typed = objects.stream().map(PolicyModel::typed).toList();
        change(tx -> PolicyCalculation.kinds().forEach(kind -> replace(tx, kind, typed)));
    }

    private static <T extends HasMetadata> void replace(
            PolicyTransaction tx, Class<T> kind, Collection<? extends HasMetadata> objects) {
        tx.replace(
                kind, objects.stream().filter(kind::isInstance).map(kind::cast).toList());
    }

    /** Changes objects of the cluster. */
    void change(Consumer<? super PolicyTransaction> change) {
        calculation.transact(change);
        nodes.values().forEach(this::follow);
    }

    private void follow(Node node) {
        node.dataplane.apply(node.cursor.poll().messages());
        assertThat(node.dataplane.next()).as("committed").isAfter(now);
    }

    /** Replaces the dataplanes by others, which know nothing: as if the agents were killed, and started again. */
    void restart() {
        nodes.replaceAll((name, node) -> node(name));
        nodes.values().forEach(this::follow);
    }

    /** Removes all tables of the nodes, and replaces the dataplanes by others, which know nothing. */
    void clear() {
        nodes.keySet().forEach(name -> lab.nft(name).run("flush ruleset\n"));
        restart();
    }

    /** Lets the dataplanes check their tables. */
    void check() {
        now = now.plus(CHECK_INTERVAL);
        nodes.values().forEach(node -> node.dataplane.work());
    }

    /** Returns the differences of the tables of the nodes to the wanted ones. */
    List<String> differences() {
        List<String> differences = new ArrayList<>();
        nodes.forEach((name, node) ->
                differences.addAll(Listing.parse(lab.nft(name).list(TABLE)).differences(node.dataplane.table())));
        return differences;
    }

    @Override
    public void close() {
        prober.close();
        lab.close();
    }
}
