package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TrackerTargetTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Node> NODES = Kind.of(Node.class);
    private static final LabelSelector WEB = LabelSelector.matching(Map.of("app", "web"));

    private static void refused(ThrowingCallable making, String... lines) {
        assertThatThrownBy(making)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("invalid Target:\n" + String.join("\n", lines));
    }

    private static Tracker.Target named(String group, String kind, String namespace, String name) {
        return new Tracker.Target(group, kind, namespace, name, Optional.empty());
    }

    @Test
    void textNamesKindAndObject() {
        assertThat(Tracker.Target.of(MAPS, ObjectKey.of("default", "a"))).hasToString("ConfigMap default/a");
        assertThat(Tracker.Target.of(NODES, ObjectKey.cluster("one"))).hasToString("Node one");
        assertThat(Tracker.Target.selecting(Kind.of(Deployment.class), "default", WEB))
                .hasToString("Deployment.apps default/*{app=web}");
        assertThat(Tracker.Target.selecting(MAPS, "", LabelSelector.everything()))
                .hasToString("ConfigMap *{}");
    }

    @Test
    void theVersionDoesNotMatter() {
        Kind<?> old = Kind.generic("apps", "v1beta1", "Deployment", "deployments", true);

        assertThat(Tracker.Target.of(old, ObjectKey.of("default", "a")))
                .isEqualTo(Tracker.Target.of(Kind.of(Deployment.class), ObjectKey.of("default", "a")));
    }

    @Test
    void namesThatArePathSegmentsAreNames() {
        assertThat(named("rbac.authorization.k8s.io", "ClusterRole", "", "system:node")
                        .name())
                .isEqualTo("system:node");
    }

    @Test
    void nameAndSelectorAreRefused() {
        refused(
                () -> new Tracker.Target("", "ConfigMap", "default", "a", Optional.of(WEB)),
                "name, selector: cannot provide both: \"a\" and \"app=web\": leave one of them empty");
    }

    @Test
    void neitherNameNorSelectorIsRefused() {
        refused(
                () -> Tracker.Target.of(MAPS, ObjectKey.of("default", "")),
                "name, selector: must provide one of them: name an object, or use "
                        + "LabelSelector.everything() for all");
    }

    @Test
    void noKindIsRefused() {
        refused(
                () -> named("", "", "default", "a"),
                "kind: must not be empty: give the kind of the objects, such as ConfigMap");
    }

    @Test
    void aKindWithItsGroupIsRefused() {
        refused(
                () -> named("", "Deployment.apps", "default", "a"),
                "kind: must be a C identifier: \"Deployment.apps\": give the kind, such as ConfigMap, without "
                        + "group and version");
    }

    @Test
    void aGroupWithItsVersionIsRefused() {
        refused(
                () -> named("apps/v1", "Deployment", "default", "a"),
                "group: must be empty for the core group, or a lowercase RFC 1123 subdomain: \"apps/v1\": give "
                        + "the group, such as apps, without the version");
    }

    @Test
    void aNamespaceThatCannotBeIsRefused() {
        refused(
                () -> Tracker.Target.selecting(MAPS, "Default", WEB),
                "namespace: must be empty, or a lowercase RFC 1123 label of at most 63 characters: \"Default\"");
        refused(
                () -> named("", "ConfigMap", "n".repeat(64), "a"),
                "namespace: must be empty, or a lowercase RFC 1123 label of at most 63 characters: \"" + "n".repeat(64)
                        + "\"");
    }

    @Test
    void aNameWithItsNamespaceIsRefused() {
        refused(
                () -> named("", "ConfigMap", "", "default/a"),
                "name: must be neither \".\" nor \"..\" nor contain \"/\" or \"%\": \"default/a\": the namespace "
                        + "has a field of its own");
    }

    @Test
    void aNameThatIsTooLongIsRefused() {
        refused(
                () -> named("", "ConfigMap", "default", "a".repeat(254)),
                "name: must be no longer than 253 characters: 254");
    }

    @Test
    void aNamespaceThatDoesNotFitTheKindIsRefused() {
        refused(
                () -> Tracker.Target.of(MAPS, ObjectKey.cluster("a")),
                "namespace: configmaps are namespaced, but there is no namespace in a: use ObjectKey.of(namespace, name)");
        refused(
                () -> Tracker.Target.of(NODES, ObjectKey.of("default", "a")),
                "namespace: must be empty for nodes, which are cluster-scoped: \"default\"");
        refused(
                () -> Tracker.Target.selecting(NODES, "default", WEB),
                "namespace: must be empty for nodes, which are cluster-scoped: \"default\"");
    }

    @Test
    void allProblemsAreReportedAtOnceAndSorted() {
        assertThatThrownBy(() -> new Tracker.Target("A", "b-c", "D", "..", Optional.of(WEB)))
                .hasMessageMatching(
                        "(?s)invalid Target:\ngroup: .*\nkind: .*\nname, selector: .*\nname: .*\nnamespace: .*");
    }
}
