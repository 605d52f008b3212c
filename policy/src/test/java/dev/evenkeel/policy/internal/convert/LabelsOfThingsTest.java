package dev.evenkeel.policy.internal.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.policy.ClusterNetworkSet;
import dev.evenkeel.policy.NetworkSet;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Networks;
import dev.evenkeel.policy.internal.model.Profile;
import dev.evenkeel.policy.internal.model.Rule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Namespaces, service accounts, network sets and nodes: the labels that selectors see. */
class LabelsOfThingsTest {
    private final List<String> problems = new ArrayList<>();

    private static <T extends HasMetadata> T object(Class<T> type, String text) {
        return ModelCodec.convert(
                Manifests.parse("{apiVersion: " + HasMetadata.getApiVersion(type) + ", kind: "
                                + HasMetadata.getKind(type) + ", " + text + "}")
                        .getFirst(),
                type);
    }

    @Test
    void aNamespaceAllowsByDefaultAndLendsItsLabels() {
        Profile profile =
                ProfileConversion.convert(object(Namespace.class, "metadata: {name: a, labels: {env: prod}}"));
        assertThat(profile.name()).isEqualTo("kns.a");
        assertThat(profile.labels())
                .isEqualTo(Map.of(
                        "pcns.env", "prod",
                        "pcns.projectcalico.org/name", "a",
                        "pcns.kubernetes.io/metadata.name", "a"));
        assertThat(profile.ingress()).extracting(Rule::action).containsExactly(Action.ALLOW);
        assertThat(profile.egress()).extracting(Rule::action).containsExactly(Action.ALLOW);
    }

    @Test
    void aNamespaceCannotClaimAnotherName() {
        assertThat(ProfileConversion.convert(object(
                                Namespace.class,
                                "metadata: {name: a, labels: {kubernetes.io/metadata.name: b,"
                                        + " projectcalico.org/name: b}}"))
                        .labels())
                .containsEntry("pcns.kubernetes.io/metadata.name", "a")
                .containsEntry("pcns.projectcalico.org/name", "a");
    }

    @Test
    void aServiceAccountHasNoRules() {
        Profile profile = ProfileConversion.convert(
                object(ServiceAccount.class, "metadata: {namespace: a, name: web, labels: {team: x}}"));
        assertThat(profile)
                .isEqualTo(new Profile(
                        "ksa.a.web",
                        Map.of("pcsa.team", "x", "pcsa.projectcalico.org/name", "web"),
                        List.of(),
                        List.of()));
    }

    @Test
    void aNetworkSetCannotClaimToBeAPodOfAnotherNamespace() {
        Networks set = NetworksConversion.convert(
                object(
                        NetworkSet.class,
                        "metadata: {namespace: a, name: s, labels: {role: db, projectcalico.org/namespace: b,"
                                + " projectcalico.org/orchestrator: k8s, pcns.env: prod}},"
                                + " spec: {nets: [10.0.0.0/8, 10.0.0, 'fd00::/8']}"),
                problems::add);
        assertThat(set)
                .isEqualTo(new Networks(
                        "NetworkSet a/s",
                        Map.of("role", "db", "projectcalico.org/namespace", "a"),
                        List.of("kns.a"),
                        List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("fd00::/8"))));
        assertThat(problems).singleElement().asString().startsWith("NetworkSet a/s: spec.nets[1]: \"10.0.0\" is not");
    }

    @Test
    void aClusterNetworkSetCannotClaimToBeOfANamespace() {
        Networks set = NetworksConversion.convert(
                object(
                        ClusterNetworkSet.class,
                        "metadata: {name: s, labels: {role: db, projectcalico.org/namespace: b}}, spec: {nets: []}"),
                problems::add);
        assertThat(set.labels()).isEqualTo(Map.of("role", "db"));
        assertThat(set.profiles()).isEmpty();
    }

    @Test
    void aNodeIsItsInternalAndExternalAddresses() {
        Networks node = NetworksConversion.convert(
                object(
                        Node.class,
                        "metadata: {name: n1, labels: {zone: a}}, status: {addresses: ["
                                + "{type: InternalIP, address: 172.18.0.2}, {type: Hostname, address: n1},"
                                + " {type: ExternalIP, address: 'fd18::2'}]}"),
                problems::add);
        assertThat(node)
                .isEqualTo(new Networks(
                        "n1",
                        Map.of("pcno.zone", "a", "projectcalico.org/node", "n1"),
                        List.of(),
                        List.of(Cidr.address("172.18.0.2"), Cidr.address("fd18::2"))));
        assertThat(problems).isEmpty();
    }
}
