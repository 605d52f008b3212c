package dev.evenkeel.reconcile.internal.describe;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.controller.cache.Namespaces;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The objects that allow an operator what it needs: roles, and with a service account the bindings to it. A value: each
 * method gives another one.
 *
 * <p>What is needed in all namespaces, and what is about kinds without namespaces, is in a ClusterRole; what is needed in
 * one namespace, in a Role there. All have the same name.
 */
public final class Access {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private record Account(String namespace, String name) {}

    private final String name;
    private final AccessRules everywhere;
    private final TreeMap<String, AccessRules> inNamespaces;
    private final Optional<Account> account;

    private Access(
            String name, AccessRules everywhere, Map<String, AccessRules> inNamespaces, Optional<Account> account) {
        this.name = name;
        this.everywhere = everywhere;
        this.inNamespaces = new TreeMap<>(inNamespaces);
        this.account = account;
    }

    /** Nothing yet, under this name. */
    public static Access named(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: roles need one, such as that of the operator");
        }
        return new Access(name, AccessRules.none(), Map.of(), Optional.empty());
    }

    /** The same that allows this in all namespaces. */
    public Access allowing(AccessRules rules) {
        return new Access(name, everywhere.and(rules), inNamespaces, account);
    }

    /**
     * The same that allows this in one namespace; what is about kinds without namespaces, it allows as ever.
     *
     * @throws IllegalArgumentException when it is no name of a namespace
     */
    public Access allowing(AccessRules rules, String namespace) {
        Namespaces unused = Namespaces.of(namespace);
        Map<String, AccessRules> more = new TreeMap<>(inNamespaces);
        more.merge(namespace, rules.namespaced(true), AccessRules::and);
        return new Access(name, everywhere.and(rules.namespaced(false)), more, account);
    }

    /**
     * The same with this service account, to which all is bound.
     *
     * @throws IllegalArgumentException when the namespace is no name of one
     */
    public Access serviceAccount(String namespace, String accountName) {
        Namespaces unused = Namespaces.of(namespace);
        return new Access(name, everywhere, inNamespaces, Optional.of(new Account(namespace, accountName)));
    }

    /** The objects, in the order in which they can be applied. */
    public List<HasMetadata> objects() {
        List<HasMetadata> objects = new ArrayList<>();
        account.ifPresent(bound -> objects.add(new ServiceAccountBuilder()
                .withMetadata(metadata(bound.namespace(), bound.name()))
                .build()));
        if (!everywhere.isEmpty()) {
            objects.add(new ClusterRoleBuilder()
                    .withMetadata(new ObjectMetaBuilder().withName(name).build())
                    .withRules(everywhere.rules())
                    .build());
            account.ifPresent(bound -> objects.add(new ClusterRoleBindingBuilder()
                    .withMetadata(new ObjectMetaBuilder().withName(name).build())
                    .withRoleRef(new RoleRef(GROUP, "ClusterRole", name))
                    .withSubjects(subject(bound))
                    .build()));
        }
        inNamespaces.forEach((namespace, rules) -> {
            if (rules.isEmpty()) {
                return;
            }
            objects.add(new RoleBuilder()
                    .withMetadata(metadata(namespace, name))
                    .withRules(rules.rules())
                    .build());
            account.ifPresent(bound -> objects.add(new RoleBindingBuilder()
                    .withMetadata(metadata(namespace, name))
                    .withRoleRef(new RoleRef(GROUP, "Role", name))
                    .withSubjects(subject(bound))
                    .build()));
        });
        return objects;
    }

    private static ObjectMeta metadata(String namespace, String name) {
        return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
    }

    private static Subject subject(Account account) {
        return new SubjectBuilder()
                .withKind("ServiceAccount")
                .withName(account.name())
                .withNamespace(account.namespace())
                .build();
    }

    /** The objects in YAML. */
    public String yaml() {
        return Manifests.text(objects());
    }
}
