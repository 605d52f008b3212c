package dev.evenkeel.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The suites of other classes would replace the state that is shared. */
@Isolated
class FixtureTest {
    private static final Given<ConfigMap> MAP =
            Given.yaml(ConfigMap.class, "{metadata: {namespace: default, name: map}}");

    private static Fixture fixture(String plural) {
        Fixture fixture = new Fixture();
        fixture.definitions.add("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %1$s.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: %1$s, singular: %1$s, kind: Kind%1$s, listKind: List%1$s}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                """.formatted(plural));
        return fixture;
    }

    private static String uid(TestCluster cluster, String plural) {
        return cluster.client()
                .get(CustomResourceDefinition.class, ObjectKey.cluster(plural + ".example.com"))
                .getMetadata()
                .getUid();
    }

    @Test
    void suitesThatFollowEachOtherReadTheSameDefinitionsOnce() {
        try (TestCluster first = fixture("as").inProcess(TestCluster.NOW);
                TestCluster second = fixture("as").inProcess(TestCluster.NOW)) {
            assertThat(uid(second, "as")).isEqualTo(uid(first, "as"));
        }
    }

    @Test
    void suitesShareNoObjects() {
        Fixture filled = fixture("as");
        filled.given.add(MAP);
        try (TestCluster first = filled.inProcess(TestCluster.NOW);
                TestCluster second = fixture("as").inProcess(TestCluster.NOW)) {
            assertThat(first.client().find(ConfigMap.class, MAP.key())).isPresent();
            assertThat(second.client().find(ConfigMap.class, MAP.key())).isEmpty();
        }
    }

    @Test
    void aSuiteHasItsOwnDefinitionsOnly() {
        try (TestCluster first = fixture("as").inProcess(TestCluster.NOW);
                TestCluster second = fixture("bs").inProcess(TestCluster.NOW);
                TestCluster third = new Fixture().inProcess(TestCluster.NOW)) {
            assertThat(uid(second, "bs")).isNotEqualTo(uid(first, "as"));
            assertThat(second.client().find(CustomResourceDefinition.class, ObjectKey.cluster("as.example.com")))
                    .isEmpty();
            assertThat(third.client().find(CustomResourceDefinition.class, ObjectKey.cluster("bs.example.com")))
                    .isEmpty();
        }
    }
}
