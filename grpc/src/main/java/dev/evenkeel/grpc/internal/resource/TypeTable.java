package dev.evenkeel.grpc.internal.resource;

import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.protobuf.internal.DataFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The types of a partition at one moment, by their names in the service and by their names in the Kubernetes API. */
public final class TypeTable {
    private final Map<Type, ServedType> byType = new LinkedHashMap<>();
    private final Map<String, ServedType> byKind = new HashMap<>();
    private final ResourceCache resources = new ResourceCache();

    private TypeTable(ResourceApi partition) {
        for (ResourceType type : partition.types().all()) {
            for (ResourceType.Version version : type.versions()) {
                if (version.served() && type.rules().verbs().contains("get")) {
                    Target target = Target.of(type, version, "", "");
                    ServedType served = served(partition, target);
                    Type name = served.type();
                    if (byType.putIfAbsent(name, served) == null) {
                        byKind.put(target.apiVersion() + "/" + type.kind(), served);
                    }
                }
            }
        }
    }

    private static ServedType served(ResourceApi partition, Target target) {
        Optional<DataFormat> format = DataFormat.of(partition, target);
        Type name = Type.newBuilder()
                .setGroup(format.map(known -> known.options().group())
                        .orElse(target.type().group()))
                .setGroupVersion(target.version().name())
                .setKind(target.type().kind())
                .build();
        Content content = format.<Content>map(MessageContent::new).orElse(StructContent.INSTANCE);
        return new ServedType(name, target, content);
    }

    /** Returns the types of a partition. */
    public static TypeTable of(ResourceApi partition) {
        return partition.derived(TypeTable.class, () -> new TypeTable(partition));
    }

    /** Returns the cache of the resources that objects of these types are. */
    ResourceCache resources() {
        return resources;
    }

    /** Returns all types, in the order of the partition. */
    public List<ServedType> all() {
        return new ArrayList<>(byType.values());
    }

    /** Returns the type of this name. */
    public Optional<ServedType> find(Type type) {
        return Optional.ofNullable(byType.get(type));
    }

    /** Returns the type of a target in its version. */
    public Optional<ServedType> find(Target target) {
        return Optional.ofNullable(
                byKind.get(target.apiVersion() + "/" + target.type().kind()));
    }

    /** Returns the name of the type of an object reference; also for types that the partition does not have. */
    public Type type(String apiVersion, String kind) {
        ServedType known = byKind.get(apiVersion + "/" + kind);
        if (known != null) {
            return known.type();
        }
        int slash = apiVersion.indexOf('/');
        return Type.newBuilder()
                .setGroup(slash < 0 ? "" : apiVersion.substring(0, slash))
                .setGroupVersion(apiVersion.substring(slash + 1))
                .setKind(kind)
                .build();
    }

    /** Returns the apiVersion of a type; also for types that the partition does not have. */
    public String apiVersion(Type type) {
        ServedType known = byType.get(type);
        return known != null
                ? known.target().apiVersion()
                : (type.getGroup().isEmpty() ? "" : type.getGroup() + "/") + type.getGroupVersion();
    }
}
