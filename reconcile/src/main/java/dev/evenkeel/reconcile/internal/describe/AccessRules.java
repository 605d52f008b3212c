package dev.evenkeel.reconcile.internal.describe;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Access rules: verbs of resources. Immutable.
 *
 * <p>The problem: hand-written access rules are forgotten when the code changes, or are too wide from the beginning.
 * Parts declare what they do; the rules follow from that.
 *
 * <ol>
 * <li>Rules allow the declared verbs, and nothing else: no wildcard is added.
 * <li>There are as few as possible without that: one for all resources of a group that have equal verbs.
 * <li>They are ordered: groups, then resources by name, verbs in the usual order. The same needs give the same text.
 * </ol>
 */
public record AccessRules(SortedMap<AccessRules.Resource, SortedSet<String>> verbs) {
    /**
     * A resource as rules name it.
     *
     * @param group API group; empty for the core group
     * @param name such as {@code deployments} or {@code deployments/status}
     * @param namespaced whether its objects are namespaced
     */
    record Resource(String group, String name, boolean namespaced) {}

    private static final AccessRules NONE = new AccessRules(new TreeMap<>(
            Comparator.comparing(Resource::group).thenComparing(Resource::name).thenComparing(Resource::namespaced)));

    /** The verbs in the usual order: reading first. */
    private static final List<String> USUAL =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

    private static final Comparator<String> ORDER = Comparator.comparingInt(
                    (String verb) -> USUAL.contains(verb) ? USUAL.indexOf(verb) : USUAL.size())
            .thenComparing(Comparator.naturalOrder());

    public static AccessRules none() {
        return NONE;
    }

    /** Returns the needs of a part and all parts in it. */
    public static AccessRules of(Part.Description description) {
        AccessRules all = NONE;
        for (Part.Requirement need : description.allNeeds()) {
            all = all.and(need.kind(), need.subresource(), need.verbs());
        }
        return all;
    }

    /** Returns the rules for reading what a controller declares. The writes of its reconciler are not known. */
    public static AccessRules of(Controller<?> controller) {
        AccessRules all = NONE;
        for (Relation relation : EnumSet.complementOf(EnumSet.of(Relation.SOURCE))) {
            for (Kind<?> kind : controller.kinds(relation)) {
                all = all.and(kind, "", Part.Requirement.READING);
            }
        }
        return all;
    }

    /** Returns the rules for recording events, by either of the two APIs. */
    public static AccessRules events() {
        Set<String> telling = Set.of("create", "patch");
        return NONE.and(Kind.of(Event.class), "", telling)
                .and(Kind.of(io.fabric8.kubernetes.api.model.events.v1.Event.class), "", telling);
    }

    /** Returns the rules for leader election. */
    public static AccessRules leases() {
        return NONE.and(Kind.of(Lease.class), "", Set.of("get", "create", "update"));
    }

    /** Returns the rules for sharding keys among replicas. */
    public static AccessRules shards() {
        return leases().and(Kind.of(Lease.class), "", Set.of("list", "delete"));
    }

    /**
     * Returns these and one more.
     *
     * @param subresource such as {@code status}; empty for the objects
     * @param allowed verbs in lower case
     */
    public AccessRules and(Kind<?> kind, String subresource, Collection<String> allowed) {
        return and(new Resource(kind.group(), name(kind, subresource), kind.namespaced()), allowed);
    }

    private static String name(Kind<?> kind, String subresource) {
        return subresource.isEmpty() ? kind.plural() : kind.plural() + "/" + subresource;
    }

    private AccessRules and(Resource resource, Collection<String> allowed) {
        if (allowed.isEmpty()) {
            return this;
        }
        SortedMap<Resource, SortedSet<String>> more = new TreeMap<>(verbs);
        SortedSet<String> all = ordered(allowed);
        all.addAll(verbs.getOrDefault(resource, ordered(Set.of())));
        more.put(resource, all);
        return new AccessRules(more);
    }

    private static SortedSet<String> ordered(Collection<String> verbs) {
        SortedSet<String> ordered = new TreeSet<>(ORDER);
        ordered.addAll(verbs);
        return ordered;
    }

    /** Returns verbs as a text such as {@code create, update}. */
    static String words(Collection<String> verbs) {
        return String.join(", ", ordered(verbs));
    }

    /** Returns the union of these and the others. */
    public AccessRules and(AccessRules others) {
        AccessRules all = this;
        for (Map.Entry<Resource, SortedSet<String>> other : others.verbs.entrySet()) {
            all = all.and(other.getKey(), other.getValue());
        }
        return all;
    }

    /** Returns those of namespaced kinds, or the others. */
    AccessRules namespaced(boolean value) {
        SortedMap<Resource, SortedSet<String>> some = new TreeMap<>(verbs);
        some.keySet().removeIf(resource -> resource.namespaced() != value);
        return new AccessRules(some);
    }

    public boolean isEmpty() {
        return verbs.isEmpty();
    }

    /** Returns whether something is allowed, as a server decides it. */
    public boolean allow(String verb, Kind<?> kind, String subresource) {
        String name = name(kind, subresource);
        return verbs.entrySet().stream()
                .anyMatch(entry -> entry.getKey().group().equals(kind.group())
                        && entry.getKey().name().equals(name)
                        && entry.getValue().contains(verb));
    }

    /** Returns the rules of a role. */
    public List<PolicyRule> rules() {
        record Alike(String group, List<String> verbs) {}
        // groups come in order, and in them the first resource decides the place of its rule
        Map<Alike, SortedSet<String>> resources = new LinkedHashMap<>();
        verbs.forEach((resource, allowed) -> resources
                .computeIfAbsent(new Alike(resource.group(), List.copyOf(allowed)), any -> new TreeSet<>())
                .add(resource.name()));
        return resources.entrySet().stream()
                .map(entry -> new PolicyRuleBuilder()
                        .withApiGroups(entry.getKey().group())
                        .withResources(List.copyOf(entry.getValue()))
                        .withVerbs(entry.getKey().verbs())
                        .build())
                .toList();
    }

    /** Returns a line for each rule. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (PolicyRule rule : rules()) {
            String group = rule.getApiGroups().getFirst();
            text.append(String.join(", ", rule.getResources()))
                    .append(group.isEmpty() ? "" : " of " + group)
                    .append(": ")
                    .append(String.join(", ", rule.getVerbs()))
                    .append('\n');
        }
        return text.toString();
    }
}
