package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.builtin.FactTableSource;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class BootstrapRolesTest {
    private static final List<JsonObject> ALL = BootstrapRoles.all();

    private static List<JsonObject> of(String kind) {
        return ALL.stream().filter(object -> object.string("kind").equals(kind)).toList();
    }

    private static List<JsonObject> recorded(String plural) {
        return FactTableSource.load("bootstrap.json")
                .object("objects")
                .objects("rbac.authorization.k8s.io/v1/" + plural);
    }

    private static String name(JsonObject object) {
        JsonObject metadata = object.has("metadata") ? object.object("metadata") : object;
        return metadata.string("namespace") + "/" + metadata.string("name");
    }

    @Test
    void areTheRolesOfAFreshServer() {
        assertThat(of("ClusterRole").stream().map(BootstrapRolesTest::name))
                .hasSize(69)
                .containsExactlyInAnyOrderElementsOf(recorded("clusterroles").stream()
                        .map(BootstrapRolesTest::name)
                        .toList());
        assertThat(of("Role").stream().map(BootstrapRolesTest::name))
                .containsExactlyInAnyOrderElementsOf(
                        recorded("roles").stream().map(BootstrapRolesTest::name).toList());
    }

    @Test
    void areBoundAsOnAFreshServer() {
        assertThat(of("ClusterRoleBinding").stream().map(BootstrapRolesTest::binding))
                .hasSize(50)
                .containsExactlyInAnyOrderElementsOf(recorded("clusterrolebindings").stream()
                        .map(BootstrapRolesTest::recordedBinding)
                        .toList());
        assertThat(of("RoleBinding").stream().map(BootstrapRolesTest::binding))
                .containsExactlyInAnyOrderElementsOf(recorded("rolebindings").stream()
                        .map(BootstrapRolesTest::recordedBinding)
                        .toList());
    }

    private static String binding(JsonObject binding) {
        List<String> subjects = binding.objects("subjects").stream()
                .map(subject -> subject.string("kind") + "/"
                        + (subject.has("namespace") ? subject.string("namespace") + "/" : "")
                        + subject.string("name"))
                .toList();
        JsonObject role = binding.object("roleRef");
        return name(binding) + " " + role.string("kind") + "/" + role.string("name") + " " + subjects;
    }

    private static String recordedBinding(JsonObject binding) {
        return name(binding) + " " + binding.string("roleRef") + " " + binding.strings("subjects");
    }

    @Test
    void haveRulesExceptWhereTheyAreAggregated() {
        for (JsonObject role : ALL) {
            if (role.string("kind").endsWith("Role")) {
                assertThat(
                                role.has("aggregationRule")
                                        ? role.has("rules")
                                        : role.objects("rules").isEmpty())
                        .as(name(role))
                        .isFalse();
            }
        }
        assertThat(rules("system:controller:certificate-controller").get(3).strings("resourceNames"))
                .containsExactly(
                        "kubernetes.io/kube-apiserver-client",
                        "kubernetes.io/kube-apiserver-client-kubelet",
                        "kubernetes.io/kubelet-serving",
                        "kubernetes.io/legacy-unknown");
        assertThat(rules("system:node").getLast())
                .isEqualTo(JsonObject.of("verbs", List.of("get"), "apiGroups", List.of(""))
                        .set("resources", List.of("serviceaccounts")));
    }

    private static List<JsonObject> rules(String name) {
        return of("ClusterRole").stream()
                .filter(role -> role.string("metadata", "name").equals(name))
                .findFirst()
                .orElseThrow()
                .objects("rules");
    }

    @Test
    void areMarkedAsDefaultsThatAreKeptUpToDate() {
        for (JsonObject object : ALL) {
            assertThat(object.string("metadata", "labels", "kubernetes.io/bootstrapping"))
                    .isEqualTo("rbac-defaults");
            assertThat(object.string("metadata", "annotations", "rbac.authorization.kubernetes.io/autoupdate"))
                    .isEqualTo("true");
            assertThat(BootstrapRoles.updated(object)).isTrue();
        }
    }
}
