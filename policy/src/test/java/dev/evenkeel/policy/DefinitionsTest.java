package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The CustomResourceDefinitions, on the engine. */
class DefinitionsTest {
    private static final List<Class<? extends HasMetadata>> TYPES = List.of(
            Tier.class,
            TieredPolicy.class,
            ClusterTieredPolicy.class,
            NetworkSet.class,
            ClusterNetworkSet.class,
            HostEndpoint.class);

    private final Engine engine = Engine.builder().executor(Runnable::run).build();
    private final Client client = engine.client();

    @BeforeEach
    void define() throws IOException {
        try (InputStream file = Objects.requireNonNull(Tier.class.getResourceAsStream("crds.yaml"))) {
            for (GenericKubernetesResource definition :
                    Manifests.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8))) {
                client.create(ModelCodec.convert(definition, CustomResourceDefinition.class));
            }
        }
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private <T extends HasMetadata> T create(Class<T> type, String metadata, String spec) {
        return client.create(ModelCodec.convert(
                Manifests.parse("{apiVersion: " + HasMetadata.getApiVersion(type) + ", kind: "
                                + HasMetadata.getKind(type) + ", metadata: {" + metadata + "}, spec: " + spec + "}")
                        .getFirst(),
                type));
    }

    @Test
    void eachClassHasADefinition() {
        assertThat(client.list(CustomResourceDefinition.class, ListOptions.ALL).items())
                .extracting(definition -> definition.getSpec().getNames().getKind()
                        + " "
                        + definition.getSpec().getNames().getPlural()
                        + " "
                        + definition.getSpec().getScope())
                .containsExactlyInAnyOrderElementsOf(TYPES.stream()
                        .map(type -> HasMetadata.getKind(type)
                                + " "
                                + HasMetadata.getPlural(type)
                                + " "
                                + (Stream.of(type.getInterfaces())
                                                .anyMatch(one ->
                                                        one.getSimpleName().equals("Namespaced"))
                                        ? "Namespaced"
                                        : "Cluster"))
                        .toList());
    }

    @Test
    void objectsSurviveTheirSchema() {
        create(Tier.class, "name: platform", "{order: 10}");
        assertThat(client.get(Tier.class, ObjectKey.cluster("platform")).getSpec())
                .isEqualTo(new TierSpec(10.0, "Deny"));
        create(
                ClusterTieredPolicy.class,
                "name: p",
                "{tier: platform, order: 1.5, selector: app == 'web', namespaceSelector: all(), types: [Ingress], ingress:"
                        + " [{name: n, action: Pass, protocol: TCP, source: {selector: all(), nets: [10.0.0.0/8]},"
                        + " destination: {ports: [80, '90:99', http], services: {namespace: x, name: s}}}]}");
        TieredPolicySpec spec =
                client.get(ClusterTieredPolicy.class, ObjectKey.cluster("p")).getSpec();
        assertThat(spec.order()).isEqualTo(1.5);
        assertThat(spec.namespaceSelector()).isEqualTo("all()");
        assertThat(spec.ingress().getFirst().destination().ports())
                .containsExactly(new IntOrString(80), new IntOrString("90:99"), new IntOrString("http"));
        assertThat(spec.ingress().getFirst().destination().services())
                .isEqualTo(new TieredPolicySpec.ServiceReference("s", "x"));
        assertThat(spec.ingress().getFirst().source().nets()).containsExactly("10.0.0.0/8");
    }

    @Test
    void missingFieldsHaveDefaults() {
        assertThat(create(TieredPolicy.class, "namespace: default, name: p", "{}")
                        .getSpec()
                        .tier())
                .isEqualTo("default");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "default ; {order: 1} ; always exist and cannot be changed",
                "kube-admin ; {order: 1} ; always exist and cannot be changed",
                "a ; {defaultAction: Allow} ; spec.defaultAction",
            })
    void invalidTiers(String name, String spec, String problem) {
        assertThatThrownBy(() -> create(Tier.class, "name: " + name, spec))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{types: [Both]} ; spec.types[0]",
                "{ingress: [{action: Allow, protocol: ICMP, icmp: {code: 1}}]} ; spec.ingress[0].icmp.type",
                "{egress: [{action: Allow, protocol: ICMP, notIcmp: {type: 256}}]} ; spec.egress[0].notIcmp.type",
                "{ingress: [{action: Accept}]} ; spec.ingress[0].action",
                "{ingress: [{protocol: TCP}]} ; spec.ingress[0].action",
                "{ingress: [{action: Deny, source: {services: {name: s}}}]} ; spec.ingress[0].source.services.namespace",
                "{egress: [{action: Allow, protocol: tcp}]} ; spec.egress[0].protocol",
                "{egress: [{action: Allow, destination: {nets: ['"
                        + "1234567890/1234567890/1234567890/1234567890/123456789"
                        + "']}}]} ; spec.egress[0].destination.nets[0]",
            })
    void invalidPolicies(String spec, String problem) {
        assertThatThrownBy(() -> create(ClusterTieredPolicy.class, "name: p", spec))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining(problem);
    }
}
