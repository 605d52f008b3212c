package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.admission.ScaleForm;
import dev.evenkeel.engine.internal.apply.FieldOwnership;
import dev.evenkeel.engine.internal.apply.ScaleOwnership;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.strategy.Strategies;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Scale;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maintains managedFields with the package {@code apply}: one {@link FieldOwnership} for each endpoint, created on the
 * first write to it.
 *
 * @param endpoints those created so far, by type, version and subresource
 */
public record FieldOwners(Strategies strategies, Map<Endpoint, FieldOwnership> endpoints) implements Ownership {
    record Endpoint(ResourceType.Version version, String subresource) {}

    public FieldOwners(Strategies strategies) {
        this(strategies, new ConcurrentHashMap<>());
    }

    /** Returns a copy with the endpoints created so far. */
    public FieldOwners fork(Strategies others) {
        return new FieldOwners(others, new ConcurrentHashMap<>(endpoints));
    }

    /** Removes the endpoints of versions that no longer exist. */
    public void retain(Types types) {
        Set<ResourceType.Version> present = new HashSet<>();
        types.all().forEach(type -> present.addAll(type.versions()));
        endpoints.keySet().removeIf(endpoint -> !present.contains(endpoint.version()));
    }

    @Override
    public void written(JsonObject tree, @Nullable JsonObject old, Target target, String manager, String now) {
        if (target.subresource().equals("scale") && old != null) {
            JsonObject after = ScaleForm.of(tree, target);
            List<@Nullable Object> entries =
                    endpoint(target).updated(Optional.of(scaled(old, target)), after, manager, now);
            put(tree, scales(target).toObject(entries(old), entries, target.apiVersion()));
            return;
        }
        put(tree, endpoint(target).updated(Optional.ofNullable(old), tree, manager, now));
    }

    @Override
    public JsonObject applied(
            @Nullable JsonObject live, JsonObject applied, Target target, String manager, boolean force, String now) {
        if (target.subresource().equals("scale") && live != null) {
            JsonObject scale = endpoint(target)
                    .apply(Optional.of(scaled(live, target)), applied, manager, force, now)
                    .object();
            JsonObject tree = live.copy();
            ScaleForm.validate(scale, target);
            ScaleForm.apply(scale, tree, target);
            put(tree, scales(target).toObject(entries(live), entries(scale), target.apiVersion()));
            return tree;
        }
        return endpoint(target)
                .apply(Optional.ofNullable(live), applied, manager, force, now)
                .object();
    }

    /** Returns the Scale of an object, with the owners of its replicas. */
    static JsonObject scaled(JsonObject tree, Target target) {
        JsonObject scale = ScaleForm.changeable(tree, target);
        put(scale, scales(target).toScale(entries(tree)));
        return scale;
    }

    private static void put(JsonObject tree, List<@Nullable Object> entries) {
        tree.withObject("metadata").setOrRemove("managedFields", entries);
    }

    private static List<?> entries(JsonObject tree) {
        return tree.at("metadata", "managedFields") instanceof List<?> list ? list : List.of();
    }

    private static ScaleOwnership scales(Target target) {
        ResourceType type = target.type();
        return new ScaleOwnership(apiVersion -> served(type, apiVersion)
                .map(version -> version.scale().map(Scale::specReplicas).orElse("")));
    }

    private FieldOwnership endpoint(Target target) {
        return endpoints.computeIfAbsent(new Endpoint(target.version(), target.subresource()), e -> make(target));
    }

    private FieldOwnership make(Target target) {
        ResourceType type = target.type();
        ResourceStrategy strategy = strategies.of(target);
        if (target.subresource().equals("scale")) {
            Optional<Schema> schema = BuiltinTypes.schema("io.k8s.api.autoscaling.v1.Scale");
            return new FieldOwnership(
                    ScaleForm.API_VERSION,
                    "Scale",
                    "scale",
                    FieldOwnership.blank(ScaleForm.API_VERSION, "Scale"),
                    List.of(),
                    apiVersion -> apiVersion.equals(ScaleForm.API_VERSION) ? schema : Optional.empty(),
                    FieldOwnership.Conversion.NONE);
        }
        return new FieldOwnership(
                target.apiVersion(),
                type.kind(),
                target.subresource(),
                strategy.blank(),
                strategy.resetFields(target.subresource()),
                apiVersion -> served(type, apiVersion).map(ResourceType.Version::schema),
                type.origin() == ResourceType.Origin.BUILT_IN
                                || type.conversion().isPresent()
                        ? (object, apiVersion) -> converted(object, type, apiVersion)
                        : FieldOwnership.Conversion.NONE);
    }

    private JsonObject converted(JsonObject object, ResourceType type, String apiVersion) {
        return served(type, apiVersion)
                .map(version -> strategies.of(type, version).convert(object.copy()))
                .orElse(object);
    }

    private static Optional<ResourceType.Version> served(ResourceType type, String apiVersion) {
        return type.versions().stream()
                .filter(version -> version.served() && type.apiVersion(version).equals(apiVersion))
                .findFirst();
    }
}
