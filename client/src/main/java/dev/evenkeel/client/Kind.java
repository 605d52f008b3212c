package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Optional;

/**
 * A type of objects: the Java class on one side, the resource of the API on the other.
 *
 * @param javaType class of the objects
 * @param group API group; empty for the core group
 * @param version such as {@code v1}
 * @param kind such as {@code Deployment}
 * @param plural such as {@code deployments}
 * @param namespaced whether objects live in namespaces
 */
public record Kind<T extends HasMetadata>(
        Class<T> javaType, String group, String version, String kind, String plural, boolean namespaced) {

    /** Kinds of classes: annotations are read once, as deriving a missing plural is slow. */
    private static final ClassValue<Kind<?>> KNOWN = new ClassValue<>() {
        @Override
        protected Kind<?> computeValue(Class<?> type) {
            return read(type.asSubclass(HasMetadata.class));
        }
    };

    /**
     * Returns the kind of a model class: a built-in one, a {@code CustomResource} with {@code @Group} and
     * {@code @Version}, or a class with its kind in a static constant {@code KIND}, such as one of a protobuf type.
     *
     * @throws IllegalArgumentException when the class does not declare its kind, as {@link GenericKubernetesResource}:
     *     use {@link #generic}
     */
    @SuppressWarnings("unchecked") // the kind of a class has objects of that class
    public static <T extends HasMetadata> Kind<T> of(Class<T> javaType) {
        return (Kind<T>) KNOWN.get(javaType);
    }

    private static <T extends HasMetadata> Kind<T> read(Class<T> javaType) {
        Optional<Kind<T>> constant = constant(javaType);
        if (constant.isPresent()) {
            return constant.get();
        }
        if (javaType == GenericKubernetesResource.class || HasMetadata.getVersion(javaType) == null) {
            throw new IllegalArgumentException(javaType.getName()
                    + " does not declare its group and version: annotate it, add a constant KIND, or use Kind.generic");
        }
        String group = HasMetadata.getGroup(javaType);
        return new Kind<>(
                javaType,
                group == null ? "" : group,
                HasMetadata.getVersion(javaType),
                HasMetadata.getKind(javaType),
                HasMetadata.getPlural(javaType),
                Namespaced.class.isAssignableFrom(javaType));
    }

    @SuppressWarnings("unchecked") // of this class
    private static <T extends HasMetadata> Optional<Kind<T>> constant(Class<T> javaType) {
        try {
            Field field = javaType.getDeclaredField("KIND");
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == Kind.class && field.trySetAccessible()) {
                return Optional.ofNullable((Kind<?>) field.get(null))
                        .filter(kind -> kind.javaType() == javaType)
                        .map(kind -> (Kind<T>) kind);
            }
        } catch (NoSuchFieldException e) {
            // annotated
        } catch (IllegalAccessException e) {
            throw new AssertionError("the field is accessible", e);
        }
        return Optional.empty();
    }

    /** Returns a kind without a Java class of its own. */
    public static Kind<GenericKubernetesResource> generic(
            String group, String version, String kind, String plural, boolean namespaced) {
        return new Kind<>(GenericKubernetesResource.class, group, version, kind, plural, namespaced);
    }

    /** Returns the same kind, with objects as their JSON text. */
    public Kind<Encoded> encoded() {
        return in(Encoded.class);
    }

    /**
     * Returns the same kind, with the metadata of objects only, which is all that the server sends. For reading only.
     */
    public Kind<PartialObjectMetadata> metadataOnly() {
        return in(PartialObjectMetadata.class);
    }

    /** Returns the same kind, with objects in another class, such as a partial view. */
    public <O extends HasMetadata> Kind<O> in(Class<O> otherType) {
        return new Kind<>(otherType, group, version, kind, plural, namespaced);
    }

    /** Returns {@code group/version}, or {@code version} in the core group. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Returns {@code plural.group}, or {@code plural} in the core group. */
    public String id() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /**
     * Returns the key, when its namespace fits the scope of the kind.
     *
     * @throws BadRequestException when objects of the kind need a namespace and the key has none, or the other way
     *     round
     */
    public ObjectKey requireScope(ObjectKey key) {
        if (namespaced && key.namespace().isEmpty()) {
            throw ApiException.badRequest("metadata.namespace: " + id() + " live in namespaces, and none is given");
        }
        if (!namespaced && !key.namespace().isEmpty()) {
            throw ApiException.badRequest("metadata.namespace: " + id() + " are cluster-scoped, and namespace \""
                    + key.namespace() + "\" is given");
        }
        return key;
    }

    /**
     * Returns the key, when it can be that of one object of the kind.
     *
     * @throws BadRequestException when it has no name, or its namespace does not fit the scope of the kind
     */
    public ObjectKey requireName(ObjectKey key) {
        if (key.name().isEmpty()) {
            throw ApiException.badRequest("metadata.name: none is given, to find one of " + id() + " by");
        }
        return requireScope(key);
    }
}
