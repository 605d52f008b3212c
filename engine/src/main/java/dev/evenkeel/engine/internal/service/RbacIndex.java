package dev.evenkeel.engine.internal.service;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions.RoleRef;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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
    /** The subjects of each namespace; those of cluster role bindings under the empty name. */
    private final Map<String, Scope> scopes = new ConcurrentHashMap<>();

    private final Map<RoleRef, Role> known = new ConcurrentHashMap<>();
    private final Map<Store.Key, List<Entry>> entries = new HashMap<>();
    private final Set<Entry> unpublished = new HashSet<>();
    private volatile boolean following;
    private volatile boolean filled;

    /** Creates the index of a partition. */
    public RbacIndex(WriteContext cluster) {
        this.cluster = cluster;
        roles = cluster.collection("roles." + GROUP);
        clusterRoles = cluster.collection("clusterroles." + GROUP);
        bindings = cluster.collection("rolebindings." + GROUP);
        clusterBindings = cluster.collection("clusterrolebindings." + GROUP);
    }

    /** The subjects with bindings in a namespace, or with cluster role bindings. */
    private record Scope(Map<String, Entry> users, Map<String, Entry> groups) {
        Scope() {
            this(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        }
    }

    /** The grants of a subject: all of them, and one for each role. */
    private static final class Entry {
        private final Map<Store.Key, Grant> all = new TreeMap<>();
        private volatile Grant[] distinct = {};

        void publish() {
            Set<Role> seen = new HashSet<>();
            distinct = all.values().stream()
                    .filter(grant -> seen.add(grant.role()))
                    .toArray(Grant[]::new);
        }
    }

    /** A role, whether it exists or is only named by a binding; compared by identity. */
    private static final class Role {
        private final RoleRef reference;
        private volatile @Nullable List<PolicyRule> rules;

        Role(RoleRef reference) {
            this.reference = reference;
        }

        String missing() {
            String kind = reference.namespace().isEmpty() ? "clusterrole." : "role.";
            return kind + GROUP + " " + GoTypes.quoted(reference.name()) + " not found";
        }
    }

    /**
     * A role that a binding gives to a subject.
     *
     * @param origin the binding, the role and the subject, for people
     */
    private record Grant(Role role, String origin) {}

    /** Receives the rules of a user; returns false to stop. */
    private interface Visitor {
        boolean visit(Grant grant, @Nullable List<PolicyRule> rules);
    }

    /** Returns the binding that allows a request, in words; empty when none does, and then adds the roles that are missing. */
    String reason(Attributes attributes, List<String> problems) {
        fill();
        String resource = attributes.resourcePath();
        var search = new Visitor() {
            String found = "";

            @Override
            public boolean visit(Grant grant, @Nullable List<PolicyRule> rules) {
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
        visit(attributes.user(), attributes.namespace(), search);
        return search.found;
    }

    /** Adds the rules of a user in a namespace, and the roles that are missing. */
    void rules(User user, String namespace, List<PolicyRule> rules, List<String> problems) {
        fill();
        visit(user, namespace, (grant, found) -> {
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
        fill();
        Role found = known.get(role);
        return found == null ? null : found.rules;
    }

    private void visit(User user, String namespace, Visitor visitor) {
        if (visit(scopes.get(""), user, visitor) && !namespace.isEmpty()) {
            visit(scopes.get(namespace), user, visitor);
        }
    }

    private static boolean visit(@Nullable Scope scope, User user, Visitor visitor) {
        if (scope == null) {
            return true;
        }
        if (!visit(scope.users.get(user.name()), visitor)) {
            return false;
        }
        List<String> groups = user.groups();
        for (int i = 0; i < groups.size(); i++) {
            if (!visit(scope.groups.get(groups.get(i)), visitor)) {
                return false;
            }
        }
        return true;
    }

    private static boolean visit(@Nullable Entry entry, Visitor visitor) {
        if (entry != null) {
            for (Grant grant : entry.distinct) {
                if (!visitor.visit(grant, grant.role().rules)) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (following && isIndexed(key)) {
            synchronized (entries) {
                update(key, cluster.store().snapshot().get(key));
                publish();
            }
        }
    }

    private boolean isIndexed(Store.Key key) {
        String collection = key.collection();
        return collection.endsWith(GROUP)
                && (collection.equals(bindings)
                        || collection.equals(clusterBindings)
                        || collection.equals(roles)
                        || collection.equals(clusterRoles));
    }

    /** Reads all roles and bindings, once. A commit that is reported meanwhile waits for the lock and is then read again. */
    private void fill() {
        if (filled) {
            return;
        }
        following = true; // from here on changes are reported to this index, or are in the snapshot
        synchronized (entries) {
            if (!filled) {
                List.of(roles, clusterRoles, bindings, clusterBindings)
                        .forEach(collection -> cluster.each(collection, "", entry -> update(entry.key(), entry)));
                publish();
                filled = true;
            }
        }
    }

    /** Forgets everything, to be read again: changes may have been missed. */
    public void reset() {
        synchronized (entries) {
            filled = false;
            following = false;
            entries.clear();
            known.clear();
            scopes.clear();
            unpublished.clear();
        }
    }

    private void update(Store.Key key, Store.@Nullable Entry entry) {
        if (key.collection().equals(bindings) || key.collection().equals(clusterBindings)) {
            updateBinding(key, entry);
        } else {
            RoleRef reference = new RoleRef(key.namespace(), key.name());
            if (entry != null) {
                role(reference).rules = PolicyRule.of(StoredObject.tree(entry));
            } else if (known.get(reference) != null) {
                role(reference).rules = null;
            }
        }
    }

    private Role role(RoleRef reference) {
        return known.computeIfAbsent(reference, Role::new);
    }

    private void updateBinding(Store.Key key, Store.@Nullable Entry stored) {
        List<Entry> former = entries.remove(key);
        if (former != null) {
            former.forEach(entry -> entry.all.remove(key));
            unpublished.addAll(former);
        }
        if (stored == null) {
            return;
        }
        JsonObject tree = StoredObject.tree(stored);
        String kind = tree.string("roleRef", "kind");
        String name = tree.string("roleRef", "name");
        Role role = role(new RoleRef(kind.equals("Role") ? key.namespace() : "", name));
        boolean local = !key.namespace().isEmpty();
        String origin = (local ? "RoleBinding " : "ClusterRoleBinding ")
                + GoTypes.quoted(local ? key.name() + "/" + key.namespace() : key.name()) + " of " + kind + " "
                + GoTypes.quoted(name) + " to ";
        List<Entry> current = new ArrayList<>();
        Scope scope = scopes.computeIfAbsent(key.namespace(), namespace -> new Scope());
        for (JsonObject subject : tree.objects("subjects")) {
            Entry entry = entry(scope, subject, key.namespace());
            if (entry != null && !entry.all.containsKey(key)) {
                entry.all.put(key, new Grant(role, origin + described(subject, key.namespace())));
                current.add(entry);
            }
        }
        entries.put(key, current);
        unpublished.addAll(current);
    }

    private static @Nullable Entry entry(Scope scope, JsonObject subject, String namespace) {
        String name = subject.string("name");
        return switch (subject.string("kind")) {
            case "User" -> scope.users.computeIfAbsent(name, n -> new Entry());
            case "Group" -> scope.groups.computeIfAbsent(name, n -> new Entry());
            case "ServiceAccount" -> {
                String home = subject.string("namespace").isEmpty() ? namespace : subject.string("namespace");
                String user = User.serviceAccount(home, name).name();
                yield home.isEmpty() ? null : scope.users.computeIfAbsent(user, n -> new Entry());
            }
            default -> null;
        };
    }

    private static String described(JsonObject subject, String namespace) {
        String name = subject.string("name");
        if (subject.string("kind").equals("ServiceAccount")) {
            name += "/" + (subject.string("namespace").isEmpty() ? namespace : subject.string("namespace"));
        }
        return subject.string("kind") + " " + GoTypes.quoted(name);
    }

    private void publish() {
        unpublished.forEach(Entry::publish);
        unpublished.clear();
    }
}
