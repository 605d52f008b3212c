package dev.evenkeel.reconcile.internal.describe;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.controller.cache.Informers;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The RBAC objects for the access rules of an operator: roles, and with a service account the bindings to it.
 * Immutable.
 *
 * <p>Rules for all namespaces, and those of cluster-scoped kinds, are in a ClusterRole; rules for one namespace, in a
 * Role there. All have the same name.
 */
public record RbacObjects(
        String name,
        AccessRules everywhere,
        SortedMap<String, AccessRules> inNamespaces,
        Optional<RbacObjects.Account> account) {
    private static final String GROUP = "rbac.authorization.k8s.io";

    record Account(String namespace, String name) {}

    /** Returns an empty instance of this name. */
    public static RbacObjects named(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: roles need one, such as that of the operator");
        }
        return new RbacObjects(name, AccessRules.none(), new TreeMap<>(), Optional.empty());
    }

    /** Returns a copy that allows this in all namespaces. */
    public RbacObjects allowing(AccessRules rules) {
        return new RbacObjects(name, everywhere.and(rules), inNamespaces, account);
    }

    /**
     * Returns a copy that allows this in one namespace; rules of cluster-scoped kinds hold everywhere.
     *
     * @throws IllegalArgumentException when it is not a name of a namespace
     */
    public RbacObjects allowing(AccessRules rules, String namespace) {
        Informers.Namespaces unused = Informers.Namespaces.of(namespace);
        SortedMap<String, AccessRules> more = new TreeMap<>(inNamespaces);
        more.merge(namespace, rules.namespaced(true), AccessRules::and);
        return new RbacObjects(name, everywhere.and(rules.namespaced(false)), more, account);
    }

    /**
     * Returns a copy with this service account, to which all roles are bound.
     *
     * @throws IllegalArgumentException when it is not a name of a namespace
     */
    public RbacObjects serviceAccount(String namespace, String accountName) {
        Informers.Namespaces unused = Informers.Namespaces.of(namespace);
        return new RbacObjects(name, everywhere, inNamespaces, Optional.of(new Account(namespace, accountName)));
    }

    /** Returns the objects, in the order in which they can be applied. */
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
        return new Subject(null, "ServiceAccount", account.name(), account.namespace());
    }

    public String yaml() {
        return Manifests.text(objects());
    }
}
