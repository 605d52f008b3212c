package dev.evenkeel.reconcile.internal.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import org.junit.jupiter.api.Test;

class RbacObjectsTest {
    private static final AccessRules RULES = AccessRules.of(Trees.tree());

    @Test
    void rulesAreSortedAndNoMoreThanNeeded() {
        assertThat(RULES.and(AccessRules.events())).hasToString("""
                configmaps, namespaces, secrets: get, list, watch
                configmaps/status: update
                events: create, patch
                deployments of apps: get, list, watch, create, update, delete
                events of events.k8s.io: create, patch
                """);
    }

    @Test
    void inAllNamespacesItIsAClusterRole() {
        assertThat(RbacObjects.named("pages").allowing(RULES).yaml()).isEqualTo("""
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  name: pages
                rules:
                - apiGroups:
                  - ""
                  resources:
                  - configmaps
                  - namespaces
                  - secrets
                  verbs:
                  - get
                  - list
                  - watch
                - apiGroups:
                  - ""
                  resources:
                  - configmaps/status
                  verbs:
                  - update
                - apiGroups:
                  - apps
                  resources:
                  - deployments
                  verbs:
                  - get
                  - list
                  - watch
                  - create
                  - update
                  - delete
                """);
    }

    @Test
    void inOneNamespaceItIsARoleAndWhatHasNoNamespaceStays() {
        assertThat(RbacObjects.named("pages")
                        .allowing(RULES, "web")
                        .allowing(AccessRules.leases(), "web")
                        .serviceAccount("ops", "runner")
                        .yaml())
                .isEqualTo("""
                        ---
                        apiVersion: v1
                        kind: ServiceAccount
                        metadata:
                          name: runner
                          namespace: ops
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata:
                          name: pages
                        rules:
                        - apiGroups:
                          - ""
                          resources:
                          - namespaces
                          verbs:
                          - get
                          - list
                          - watch
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRoleBinding
                        metadata:
                          name: pages
                        roleRef:
                          kind: ClusterRole
                          apiGroup: rbac.authorization.k8s.io
                          name: pages
                        subjects:
                        - kind: ServiceAccount
                          name: runner
                          namespace: ops
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: Role
                        metadata:
                          name: pages
                          namespace: web
                        rules:
                        - apiGroups:
                          - ""
                          resources:
                          - configmaps
                          - secrets
                          verbs:
                          - get
                          - list
                          - watch
                        - apiGroups:
                          - ""
                          resources:
                          - configmaps/status
                          verbs:
                          - update
                        - apiGroups:
                          - apps
                          resources:
                          - deployments
                          verbs:
                          - get
                          - list
                          - watch
                          - create
                          - update
                          - delete
                        - apiGroups:
                          - coordination.k8s.io
                          resources:
                          - leases
                          verbs:
                          - get
                          - create
                          - update
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: RoleBinding
                        metadata:
                          name: pages
                          namespace: web
                        roleRef:
                          kind: Role
                          apiGroup: rbac.authorization.k8s.io
                          name: pages
                        subjects:
                        - kind: ServiceAccount
                          name: runner
                          namespace: ops
                        """);
    }

    @Test
    void aServerTakesIt() {
        List<HasMetadata> objects = RbacObjects.named("pages")
                .allowing(RULES)
                .allowing(AccessRules.leases(), "default")
                .serviceAccount("default", "pages")
                .objects();
        try (Engine engine = Engine.create()) {
            for (GenericKubernetesResource object : Manifests.parse(Manifests.text(objects))) {
                HasMetadata wanted = objects.stream()
                        .filter(one -> one.getKind().equals(object.getKind()))
                        .findFirst()
                        .orElseThrow();
                engine.client()
                        .apply(ModelCodec.convert(object, wanted.getClass()), WriteOptions.DEFAULT.fieldManager("x"));
            }
        }
    }

    @Test
    void rulesAreUnited() {
        Kind<Pod> pods = Kind.of(Pod.class);
        AccessRules some = AccessRules.none().and(pods, "", List.of("get"));
        AccessRules more =
                AccessRules.none().and(pods, "", List.of("list", "get")).and(pods, "log", List.of("get"));

        assertThat(some.and(more)).isEqualTo(more.and(some)).isEqualTo(more).hasSameHashCodeAs(more);
        assertThat(some.and(AccessRules.none())).isEqualTo(some);
        assertThat(more).hasToString("pods: get, list\npods/log: get\n");
        assertThat(more.allow("list", pods, "")).isTrue();
        assertThat(more.allow("list", pods, "log")).isFalse();
        assertThat(more.allow("list", Kind.of(Service.class), "")).isFalse();
        assertThat(AccessRules.none().isEmpty()).isTrue();
        assertThat(AccessRules.none().and(pods, "", List.of()).isEmpty()).isTrue();
    }

    @Test
    void aControllerReadsWhatItDeclares() {
        assertThat(AccessRules.of(Controller.of(ConfigMap.class, reconciliation -> Result.done())
                        .owns(Pod.class)
                        .reads(Service.class)))
                .hasToString("configmaps, pods, services: get, list, watch\n");
    }

    @Test
    void namesAreNeeded() {
        assertThatThrownBy(() -> RbacObjects.named(" ")).hasMessageStartingWith("name: ");
        assertThatThrownBy(() -> RbacObjects.named("a").allowing(RULES, "")).hasMessageStartingWith("namespaces: ");
        assertThatThrownBy(() -> RbacObjects.named("a").allowing(RULES, "Bad NS"))
                .hasMessageContaining("\"Bad NS\"");
        assertThatThrownBy(() -> RbacObjects.named("a").serviceAccount("Bad NS", "b"))
                .hasMessageContaining("\"Bad NS\"");
    }
}
