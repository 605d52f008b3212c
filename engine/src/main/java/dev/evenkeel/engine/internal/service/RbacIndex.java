package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions.RoleRef;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The roles and bindings of a partition, by subject.
 *
 * <p>The problem: every request is authorized, and a walk over all bindings costs more with each of them. Therefore
 * bindings are kept by the users and groups that they name, cluster-wide and for each namespace; a decision reads the few
 * entries of the user and of its groups. Invariants:
 *
 * <ol>
 *   <li>A decision after a commit has returned sees that commit: of a binding, of a role, and of a role that is created
 *       after a binding of it. On a store that several engines share, it sees the commit once this engine follows it.
 *   <li>A role occurs once among the grants of a subject in a scope, however many bindings name it.
 *   <li>Service accounts are users with the name {@code system:serviceaccount:namespace:name}, as for upstream.
 * </ol>
 *
 * <p>The index is filled from the store at the first decision, and from then on follows the commits. It reads a changed
 * object again under its lock, so that changes may be reported in any order; readers take no lock. Memory: about 300 bytes
 * for each subject of a binding, and the rules of each role once. The alternative, a cache of decisions, would be faster
 * for repeated requests, but has to be emptied at each change of a role, and then is slow for all.
 */
public final class RbacIndex implements WriteContext.Services {
    private static final String GROUP = "rbac.authorization.k8s.io";

    private final WriteContext cluster;
    private final String roles;
    private final String clusterRoles;
    private final String bindings;
    private final String clusterBindings;
    private final Object lock = new Object();
    private volatile boolean following;
    private volatile @Nullable Grants grants;

    /** Creates the index of a partition. */
    public RbacIndex(WriteContext cluster) {
        this.cluster = cluster;
        roles = cluster.collection("roles." + GROUP);
        clusterRoles = cluster.collection("clusterroles." + GROUP);
        bindings = cluster.collection("rolebindings." + GROUP);
        clusterBindings = cluster.collection("clusterrolebindings." + GROUP);
    }

    /** Returns the binding that allows a request, in words; empty when none does, and then adds the roles that are missing. */
    String reason(Attributes attributes, List<String> problems) {
        String resource = attributes.resourcePath();
        var search = new Grants.Visitor() {
            String found = "";

            @Override
            public boolean visit(Grants.Grant grant, @Nullable List<PolicyRule> rules) {
                if (rules == null) {
                    problems.add(grant.role().missing());
                    return true;
                }
                for (int i = 0; i < rules.size(); i++) {
                    if (rules.get(i).allows(attributes, resource)) {
                        found = grant.origin();
                        return false;
                    }
                }
                return true;
            }
        };
        grants().visit(attributes.user(), attributes.namespace(), search);
        return search.found;
    }

    /** Adds the rules of a user in a namespace, and the roles that are missing. */
    void rules(User user, String namespace, List<PolicyRule> rules, List<String> problems) {
        grants().visit(user, namespace, (grant, found) -> {
            if (found == null) {
                problems.add(grant.role().missing());
            } else {
                rules.addAll(found);
            }
            return true;
        });
    }

    /** Returns the rules of a role; null when there is none. */
    @Nullable
    List<PolicyRule> rules(RoleRef role) {
        return grants().rules(role);
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (following && isIndexed(key)) {
            synchronized (lock) {
                Grants filled = grants;
                if (filled != null) {
                    update(filled, key, cluster.store().snapshot().get(key));
                    filled.publish();
                    filled.release(key.namespace());
                }
            }
        }
    }

    /** Returns true if a key is that of a role or a binding. */
    public boolean isIndexed(Store.Key key) {
        String collection = key.collection();
        return collection.endsWith(GROUP)
                && (collection.equals(bindings)
                        || collection.equals(clusterBindings)
                        || collection.equals(roles)
                        || collection.equals(clusterRoles));
    }

    /** Returns the grants, which are read once. A commit that is reported meanwhile waits for the lock and is read again. */
    Grants grants() {
        Grants filled = grants;
        if (filled != null) {
            return filled;
        }
        following = true; // from here on changes are reported to this index, or are in the snapshot
        synchronized (lock) {
            filled = grants;
            if (filled == null) {
                filled = new Grants();
                for (String collection : List.of(roles, clusterRoles, bindings, clusterBindings)) {
                    Grants target = filled;
                    cluster.each(collection, "", entry -> update(target, entry.key(), entry));
                }
                filled.publish();
                grants = filled;
            }
            return filled;
        }
    }

    /** Forgets everything, to be read again: changes may have been missed. Decisions under way end on what they read. */
    public void reset() {
        synchronized (lock) {
            grants = null;
        }
    }

    private void update(Grants target, Store.Key key, Store.@Nullable Entry entry) {
        if (key.collection().equals(bindings) || key.collection().equals(clusterBindings)) {
            target.binding(key, entry == null ? null : StoredObject.tree(entry));
        } else {
            target.role(
                    new RoleRef(key.namespace(), key.name()),
                    entry == null ? null : PolicyRule.of(StoredObject.tree(entry)));
        }
    }
}
