package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of docs/graph.md. */
class CertificatesTest {
    private record Ingress(String secret, List<String> hosts) {}

    private record Secret(String certificate, int expires) {}

    private final Graph graph = Graph.create();
    private final Input<String, Ingress> ingresses = graph.input("ingresses");
    private final Input<String, Secret> secrets = graph.input("secrets");
    private final Relation<String, String> hosts =
            ingresses.flatMap((name, ingress) -> ingress.hosts()).rename("hosts");
    private final Table<String, Secret> ready = ingresses
            .join(secrets, (name, ingress) -> ingress.secret(), (ingress, secret) -> secret)
            .rename("ready");
    private final Table<String, Ingress> incomplete =
            ingresses.antijoin(secrets, (name, ingress) -> ingress.secret()).rename("incomplete");
    private final Table<String, Secret> certificateOf = hosts.groupByRight(
                    ready,
                    Aggregate.first(
                            Comparator.comparing(Secret::expires).reversed(),
                            Comparator.comparing((Pair<String, String> pair) -> pair.left())))
            .rename("certificateOf");
    private final Table<String, String> used =
            certificateOf.map((host, secret) -> secret.certificate()).distinct().rename("used");
    private final Sink<String> proxy = graph.<String>sink("proxy")
            .emit("certificate", used, (name, same) -> "load " + name, name -> "unload " + name)
            .emit(
                    "host",
                    certificateOf,
                    (host, secret) -> host + " uses " + secret.certificate(),
                    host -> "close " + host)
            .after("certificate")
            .heldUntil(graph.inSync(ingresses, secrets));

    @Test
    void hostsFollowTheirCertificates() {
        Cursor<String> cursor = proxy.open();
        graph.transact(tx -> tx.put(ingresses, "shop", new Ingress("a", List.of("shop.example.com")))
                .put(secrets, "a", new Secret("cert-a", 2027))
                .synced(ingresses)
                .synced(secrets));
        assertThat(cursor.poll().messages()).containsExactly("load cert-a", "shop.example.com uses cert-a");

        graph.transact(tx -> tx.put(secrets, "a", new Secret("cert-b", 2028)));
        assertThat(cursor.poll().messages())
                .containsExactly("load cert-b", "shop.example.com uses cert-b", "unload cert-a");

        graph.transact(tx -> tx.put(ingresses, "other", new Ingress("z", List.of("shop.example.com"))));
        assertThat(cursor.poll().messages()).isEmpty();
        assertThat(incomplete.toMap()).containsOnlyKeys("other");

        graph.transact(tx -> tx.put(secrets, "z", new Secret("cert-z", 2030)));
        assertThat(cursor.poll().messages())
                .containsExactly("load cert-z", "shop.example.com uses cert-z", "unload cert-b");
        assertThat(graph.why(certificateOf, "shop.example.com"))
                .contains("ingresses other: Ingress[secret=z, hosts=[shop.example.com]]");

        graph.transact(tx -> tx.remove(ingresses, "shop").remove(ingresses, "other"));
        assertThat(cursor.poll().messages()).containsExactly("close shop.example.com", "unload cert-z");
        graph.verify();
    }
}
