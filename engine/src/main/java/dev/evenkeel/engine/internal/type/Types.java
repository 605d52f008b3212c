package dev.evenkeel.engine.internal.type;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The types of a partition at one moment. Immutable: a change of types creates a new instance, so that a request sees
 * one state from start to end, and values derived from it (discovery, OpenAPI) can be cached by identity.
 */
public final class Types {
    private final Map<String, ResourceType> byId = new LinkedHashMap<>();
    private final Map<String, Target> byResource = new HashMap<>();
    private final Map<String, Target> byKind = new HashMap<>();

    public Types(Collection<ResourceType> types) {
        for (ResourceType type : types) {
            byId.put(type.id(), type);
            for (ResourceType.Version version : type.versions()) {
                if (version.served()) {
                    Target target = Target.of(type, version, "", "");
                    byResource.put(type.group() + "/" + version.name() + "/" + type.plural(), target);
                    byKind.putIfAbsent(target.apiVersion() + "/" + type.kind(), target);
                }
            }
        }
    }

    /** Returns all types; built-in groups first, in upstream's order, then the other ones by group and name. */
    public List<ResourceType> all() {
        return List.copyOf(byId.values());
    }

    /** Returns the type of that {@link ResourceType#id() id}. */
    public Optional<ResourceType> type(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns the served resource of a URL, without namespace and name. */
    public Optional<Target> resource(String group, String version, String plural) {
        return Optional.ofNullable(byResource.get(group + "/" + version + "/" + plural));
    }

    /** Returns the served resource of an object, without namespace and name. */
    public Optional<Target> kind(String apiVersion, String kind) {
        return Optional.ofNullable(byKind.get(apiVersion + "/" + kind));
    }

    /** Returns true if any served resource is of that group, or of that group and version when one is given. */
    public boolean serves(String group, String version) {
        return byResource.values().stream()
                .anyMatch(t -> t.type().group().equals(group)
                        && (version.isEmpty() || t.version().name().equals(version)));
    }
}
