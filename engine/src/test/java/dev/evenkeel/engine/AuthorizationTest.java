package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.spi.Authorizer;
import dev.evenkeel.engine.spi.Authorizer.Decision;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may do what in an engine with roles, in process. */
class AuthorizationTest {
    private static final Class<ConfigMap> MAPS = ConfigMap.class;
    private static final Class<Role> ROLES = Role.class;
    private static final Class<RoleBinding> BINDINGS = RoleBinding.class;
    private static final Class<ClusterRole> CLUSTER_ROLES = ClusterRole.class;
    private static final Class<ClusterRoleBinding> CLUSTER_BINDINGS = ClusterRoleBinding.class;
    private static final String GROUP = "rbac.authorization.k8s.io";
    private static final User JANE = User.of("jane", "devs");

    private final Engine engine = Engine.builder()
            .executor(Runnable::run)
            .authorization(Authorization.RBAC)
            .build();
    private final Client admin = engine.client();
    private final Client jane = engine.as(JANE);

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .addToData("k", value)
                .build();
    }

    private static PolicyRule rule(String group, String resource, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verbs)
                .build();
    }

    private Role role(String name, PolicyRule... rules) {
        return new RoleBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withRules(rules)
                .build();
    }

    private static RoleBinding binding(String name, String roleKind, String role, String kind, String subject) {
        return new RoleBindingBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewRoleRef(GROUP, roleKind, role)
                .addNewSubject(kind.equals("ServiceAccount") ? "" : GROUP, kind, subject, null)
                .build();
    }

    private void allow(PolicyRule... rules) {
        admin.create(role("r", rules));
        admin.create(binding("b", "Role", "r", "User", "jane"));
    }

    @Test
    void whatNothingAllowsIsRefused() {
        admin.create(map("a", "1"));
        assertThatThrownBy(() -> jane.get(MAPS, ObjectKey.of("default", "a")))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage(
                        "configmaps \"a\" is forbidden: User \"jane\" cannot get resource \"configmaps\" in API group"
                                + " \"\" in the namespace \"default\"");
        assertThatThrownBy(() -> jane.list(MAPS, ListOptions.ALL))
                .hasMessage(
                        "configmaps is forbidden: User \"jane\" cannot list resource \"configmaps\" in API group \"\""
                                + " at the cluster scope");
    }

    @Test
    void changesOfRolesAndBindingsTakeEffectAtOnce() {
        allow(rule("", "configmaps", "get", "create"));
        jane.create(map("a", "1"));
        assertThat(jane.get(MAPS, ObjectKey.of("default", "a")).getData()).containsEntry("k", "1");
        admin.update(role("r", rule("", "configmaps", "list")));
        assertThatThrownBy(() -> jane.get(MAPS, ObjectKey.of("default", "a"))).isInstanceOf(ForbiddenException.class);
        assertThat(jane.list(MAPS, ListOptions.in("default")).items()).hasSize(1);
        admin.delete(BINDINGS, ObjectKey.of("default", "b"));
        assertThatThrownBy(() -> jane.list(MAPS, ListOptions.in("default"))).isInstanceOf(ForbiddenException.class);
    }

    @Test
    void aRoleThatIsCreatedAfterItsBindingCounts() {
        admin.create(binding("b", "Role", "late", "Group", "devs"));
        assertThatThrownBy(() -> jane.list(MAPS, ListOptions.in("default")))
                .hasMessageEndingWith(": RBAC: role.rbac.authorization.k8s.io \"late\" not found");
        admin.create(role("late", rule("", "configmaps", "list")));
        assertThat(jane.list(MAPS, ListOptions.in("default")).items()).isEmpty();
    }

    @Test
    void aPutToAFreeNameNeedsThePermissionToCreate() {
        allow(rule(GROUP, "roles", "update", "escalate"), rule("", "configmaps", "patch"));
        assertThatThrownBy(() -> jane.update(role("new"))).isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> jane.apply(map("new", "1"), WriteOptions.DEFAULT))
                .isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> jane.patch(
                        Kind.of(MAPS),
                        ObjectKey.of("default", "new"),
                        Patch.merge("{\"data\":{}}"),
                        WriteOptions.DEFAULT))
                .isInstanceOf(NotFoundException.class);
        admin.update(role(
                "r", rule(GROUP, "roles", "update", "create", "escalate"), rule("", "configmaps", "patch", "create")));
        jane.update(role("new"));
        jane.apply(map("new", "1"), WriteOptions.DEFAULT);
    }

    @Test
    void permissionsCannotBeRaisedByRoles() {
        allow(rule(GROUP, "roles", "create", "update"), rule("", "configmaps", "get", "list"));
        jane.create(role("within", rule("", "configmaps", "get")));
        assertThatThrownBy(() -> jane.create(
                        role("beyond", rule("", "configmaps", "list", "delete", "watch"), rule("", "secrets", "get"))))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage("roles.rbac.authorization.k8s.io \"beyond\" is forbidden: user \"jane\" (groups=[\"devs\""
                        + " \"system:authenticated\"]) is attempting to grant RBAC permissions not currently held:\n"
                        + "{APIGroups:[\"\"], Resources:[\"configmaps\"], Verbs:[\"delete\" \"watch\"]}\n"
                        + "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}");
        assertThatThrownBy(() -> jane.update(role("within", rule("*", "*", "*"))))
                .isInstanceOf(ForbiddenException.class);
    }

    @Test
    void permissionsCannotBeRaisedByBindings() {
        allow(rule(GROUP, "rolebindings", "create"), rule("", "configmaps", "get"));
        admin.create(role("strong", rule("", "secrets", "get")));
        admin.create(role("weak", rule("", "configmaps", "get")));
        jane.create(binding("weak", "Role", "weak", "User", "x"));
        assertThatThrownBy(() -> jane.create(binding("strong", "Role", "strong", "User", "jane")))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("not currently held");
        assertThatThrownBy(() -> jane.create(binding("all", "ClusterRole", "cluster-admin", "User", "jane")))
                .isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> jane.create(binding("foo", "Foo", "x", "User", "jane")))
                .hasMessage("unsupported role reference kind: \"Foo\"");
        assertThatThrownBy(() -> jane.create(binding("unnamed", "Role", "", "User", "jane")))
                .hasMessage("Name parameter required.");
        PolicyRule bind = rule(GROUP, "roles", "bind");
        bind.setResourceNames(List.of("strong"));
        admin.update(role("r", rule(GROUP, "rolebindings", "create"), bind));
        jane.create(binding("strong", "Role", "strong", "User", "jane"));
    }

    @Test
    void anAggregatingRoleNeedsAllPermissions() {
        admin.create(new ClusterRoleBuilder()
                .withNewMetadata()
                .withName("maker")
                .endMetadata()
                .withRules(rule(GROUP, "clusterroles", "create"))
                .build());
        admin.create(clusterBinding("maker", "User", "jane", ""));
        assertThatThrownBy(() -> jane.create(aggregating("mine", "x")))
                .hasMessageEndingWith("must have cluster-admin privileges to use the aggregationRule");
    }

    private static ClusterRoleBinding clusterBinding(String role, String kind, String subject, String namespace) {
        return new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(role + "-" + subject)
                .endMetadata()
                .withNewRoleRef(GROUP, "ClusterRole", role)
                .addNewSubject(namespace.isEmpty() ? GROUP : "", kind, subject, namespace.isEmpty() ? null : namespace)
                .build();
    }

    private static ClusterRole aggregating(String name, String label) {
        return new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewAggregationRule()
                .addNewClusterRoleSelector()
                .addToMatchLabels(label, "true")
                .endClusterRoleSelector()
                .endAggregationRule()
                .build();
    }

    private static ClusterRole part(String name, String label, String resource) {
        return new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(label, "true")
                .endMetadata()
                .withRules(rule("", resource, "get"))
                .build();
    }

    @Test
    void rolesAreAggregatedByTheirLabels() {
        admin.create(aggregating("sum", "part"));
        admin.create(part("b", "part", "secrets"));
        admin.create(part("a", "part", "pods"));
        admin.create(part("other", "no-part", "nodes"));
        assertThat(sum()).containsExactly("pods", "secrets");
        admin.update(part("a", "part", "services"));
        assertThat(sum()).containsExactly("services", "secrets");
        admin.update(part("b", "no-part", "secrets"));
        assertThat(sum()).containsExactly("services");
        admin.delete(CLUSTER_ROLES, ObjectKey.of("", "a"));
        assertThat(sum()).isEmpty();
    }

    private List<String> sum() {
        List<PolicyRule> rules =
                admin.get(CLUSTER_ROLES, ObjectKey.of("", "sum")).getRules();
        return Stream.ofNullable(rules)
                .flatMap(List::stream)
                .flatMap(rule -> rule.getResources().stream())
                .toList();
    }

    @Test
    void theDefaultRolesAreThere() {
        admin.create(binding("v", "ClusterRole", "view", "User", "jane"));
        assertThat(jane.list(MAPS, ListOptions.in("default")).items()).isEmpty();
        assertThatThrownBy(() -> jane.create(map("a", "1"))).isInstanceOf(ForbiddenException.class);
        admin.create(binding("e", "ClusterRole", "edit", "User", "jane"));
        jane.create(map("a", "1"));
        assertThatThrownBy(() -> jane.create(role("x"))).isInstanceOf(ForbiddenException.class);
        admin.create(binding("a", "ClusterRole", "admin", "User", "jane"));
        jane.create(role("x"));
        engine.as(User.of("root", User.MASTERS)).delete(ROLES, ObjectKey.of("default", "x"));
    }

    @Test
    void namesInARuleRestrictIt() {
        PolicyRule one = rule("", "configmaps", "get", "create", "delete", "list");
        one.setResourceNames(List.of("one"));
        allow(one);
        admin.create(map("one", "1"));
        admin.create(map("two", "2"));
        jane.get(MAPS, ObjectKey.of("default", "one"));
        assertThatThrownBy(() -> jane.get(MAPS, ObjectKey.of("default", "two"))).isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> jane.create(map("one", "1"))).isInstanceOf(ForbiddenException.class);
        assertThatThrownBy(() -> jane.list(MAPS, ListOptions.in("default"))).isInstanceOf(ForbiddenException.class);
        assertThat(jane.list(MAPS, ListOptions.in("default").fields(FieldSelector.equal("metadata.name", "one")))
                        .items())
                .hasSize(1);
    }

    @Test
    void controllersOfKubernetesMayDoTheirWorkAndNoMore() {
        Client publisher = engine.as(User.serviceAccount("kube-system", "root-ca-cert-publisher"));
        publisher.create(map("published", "1"));
        assertThatThrownBy(() -> publisher.delete(MAPS, ObjectKey.of("default", "published")))
                .isInstanceOf(ForbiddenException.class);
        Client other = engine.as(User.serviceAccount("default", "root-ca-cert-publisher"));
        assertThatThrownBy(() -> other.create(map("other", "1"))).isInstanceOf(ForbiddenException.class);
        // by a role in a namespace, and only the objects that it names
        Client scheduler = engine.as(User.of("system:kube-scheduler"));
        ObjectKey authentication = ObjectKey.of("kube-system", "extension-apiserver-authentication");
        assertThat(scheduler.find(MAPS, authentication)).isEmpty();
        assertThatThrownBy(() -> scheduler.find(MAPS, ObjectKey.of("kube-system", "kube-root-ca.crt")))
                .isInstanceOf(ForbiddenException.class);
    }

    @Test
    void everyNamespaceHasADefaultServiceAccount() {
        Class<ServiceAccount> accounts = ServiceAccount.class;
        Class<Namespace> namespaces = Namespace.class;
        admin.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName("team")
                .endMetadata()
                .build());
        for (String namespace : List.of("default", "kube-system", "team")) {
            assertThat(admin.find(accounts, ObjectKey.of(namespace, "default"))).isPresent();
        }
        admin.delete(accounts, ObjectKey.of("team", "default"));
        assertThat(admin.find(accounts, ObjectKey.of("team", "default"))).isPresent();
        admin.delete(namespaces, ObjectKey.of("", "team"));
        assertThat(admin.find(namespaces, ObjectKey.of("", "team"))).isEmpty();

        admin.create(clusterBinding("view", "ServiceAccount", "default", "kube-system"));
        Client account = engine.as(User.serviceAccount("kube-system", "default"));
        assertThat(account.list(MAPS, ListOptions.in("default")).items()).isEmpty();
    }

    @Test
    void partitionsHaveRolesOfTheirOwn() {
        allow(rule("", "configmaps", "list"));
        assertThat(jane.list(MAPS, ListOptions.in("default")).items()).isEmpty();
        Client elsewhere = engine.partition("other").client("test", JANE);
        assertThatThrownBy(() -> elsewhere.list(MAPS, ListOptions.in("default")))
                .isInstanceOf(ForbiddenException.class);
    }

    @Test
    void aForkKeepsRoles() {
        allow(rule("", "configmaps", "list"));
        try (Engine fork = engine.fork().build()) {
            admin.delete(BINDINGS, ObjectKey.of("default", "b"));
            assertThat(fork.as(JANE).list(MAPS, ListOptions.in("default")).items())
                    .isEmpty();
        }
        assertThatThrownBy(() -> jane.list(MAPS, ListOptions.in("default"))).isInstanceOf(ForbiddenException.class);
    }

    @Test
    void anAuthorizerDecidesBeforeRoles() {
        Authorizer nights = attributes -> switch (attributes.verb()) {
            case "delete" -> Decision.deny("nothing is deleted at night");
            case "get" -> Decision.allow("reading is free");
            default -> Decision.NO_OPINION;
        };
        try (Engine guarded = Engine.builder()
                .executor(Runnable::run)
                .authorization(Authorization.RBAC)
                .authorizer(nights)
                .build()) {
            guarded.client().create(map("a", "1"));
            Client user = guarded.as(JANE);
            user.get(MAPS, ObjectKey.of("default", "a"));
            assertThatThrownBy(() -> user.delete(MAPS, ObjectKey.of("default", "a")))
                    .hasMessageEndingWith(": nothing is deleted at night");
            assertThatThrownBy(() -> user.create(map("b", "1"))).isInstanceOf(ForbiddenException.class);
            guarded.client().delete(MAPS, ObjectKey.of("default", "a"));
        }
        assertThatThrownBy(() -> Engine.builder().authorizer(nights).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("authorization(Authorization.RBAC)");
    }

    @Test
    void withoutAccessControlEveryUserMayDoEverything() {
        try (Engine open = Engine.create()) {
            open.as(JANE).create(map("a", "1"));
        }
    }
}
