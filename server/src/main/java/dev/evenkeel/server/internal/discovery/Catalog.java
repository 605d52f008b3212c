package dev.evenkeel.server.internal.discovery;

import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.builtin.BuiltinResource;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.server.internal.http.Digests;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The served resources, in the order of discovery: groups, their versions, the resources of each, their subresources.
 *
 * @param groups in the order in which clients look for short names; the core group, if served, comes first
 */
public record Catalog(List<Group> groups) {
    private static final List<String> CUSTOM_VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    /** A group with its versions, the preferred one first. */
    public record Group(String name, List<GroupVersion> versions) {}

    /** The resources of one version of a group, by name. */
    public record GroupVersion(String group, String version, List<Resource> resources) {
        public String text() {
            return group.isEmpty() ? version : group + "/" + version;
        }

        /** Returns the path below which the resources are. */
        public String path() {
            return (group.isEmpty() ? "api/" : "apis/") + text();
        }
    }

    /** A resource. */
    public record Resource(
            ResourceType type,
            ResourceType.Version version,
            List<String> verbs,
            String storageHash,
            List<Subresource> subresources) {
        public boolean builtIn() {
            return type.origin() == Origin.BUILT_IN;
        }
    }

    /** A subresource and the kind of its bodies; group and version are empty where they are those of the resource. */
    public record Subresource(String name, String group, String version, String kind, List<String> verbs) {}

    /** Returns the catalog of a partition, which is computed once for its present types. */
    public static Catalog of(ResourceApi partition) {
        return partition.derived(Catalog.class, () -> of(partition.types()));
    }

    public Stream<GroupVersion> versions() {
        return groups.stream().flatMap(group -> group.versions().stream());
    }

    private static Catalog of(Types types) {
        Map<String, Map<String, List<Resource>>> byGroup = new LinkedHashMap<>();
        for (ResourceType type : types.all()) {
            for (ResourceType.Version version : type.versions()) {
                if (version.served()) {
                    byGroup.computeIfAbsent(type.group(), g -> new LinkedHashMap<>())
                            .computeIfAbsent(version.name(), v -> new ArrayList<>())
                            .add(resource(type, version));
                }
            }
        }
        List<Group> groups = new ArrayList<>();
        byGroup.forEach((name, versions) -> groups.add(new Group(
                name,
                versions.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(GroupVersions.PREFERENCE))
                        .map(entry -> new GroupVersion(
                                name,
                                entry.getKey(),
                                entry.getValue().stream()
                                        .sorted(Comparator.comparing(
                                                r -> r.type().plural()))
                                        .toList()))
                        .toList())));
        return new Catalog(groups);
    }

    private static Resource resource(ResourceType type, ResourceType.Version version) {
        Optional<BuiltinResource> facts =
                type.origin() == Origin.BUILT_IN ? BuiltinTypes.resource(type, version) : Optional.empty();
        return facts.map(known -> builtIn(type, version, known)).orElseGet(() -> other(type, version));
    }

    private static Resource builtIn(ResourceType type, ResourceType.Version version, BuiltinResource facts) {
        List<Subresource> subresources = new ArrayList<>();
        for (var known : facts.subresources()) {
            boolean own = known.group().equals(type.group()) && known.version().equals(version.name());
            subresources.add(new Subresource(
                    known.name(), own ? "" : known.group(), own ? "" : known.version(), known.kind(), known.verbs()));
        }
        return new Resource(type, version, facts.verbs(), facts.storageVersionHash(), List.copyOf(subresources));
    }

    private static Resource other(ResourceType type, ResourceType.Version version) {
        List<Subresource> subresources = new ArrayList<>(2);
        if (version.status()) {
            subresources.add(new Subresource("status", "", "", type.kind(), SUBRESOURCE_VERBS));
        }
        if (version.scale().isPresent()) {
            subresources.add(new Subresource("scale", "autoscaling", "v1", "Scale", SUBRESOURCE_VERBS));
        }
        boolean all = type.rules().verbs().equals(ResourceType.Rules.ALL_VERBS);
        return new Resource(
                type, version, all ? CUSTOM_VERBS : type.rules().verbs(), storageHash(type), List.copyOf(subresources));
    }

    /** Returns upstream's hash, which tells if two servers store a resource alike; empty while the version is not served. */
    private static String storageHash(ResourceType type) {
        if (!type.storageVersion().served()) {
            return "";
        }
        String text = type.group() + "/" + type.storageVersion().name() + "/" + type.kind();
        return Base64.getEncoder().encodeToString(Arrays.copyOf(Digests.sha256(text), 8));
    }
}
