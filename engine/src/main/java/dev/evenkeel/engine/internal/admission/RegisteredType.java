package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Registration;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A registered type as the engine serves it: the resource type that its schema defines, and its hooks on JSON trees.
 *
 * @param <T> class of the objects
 */
public final class RegisteredType<T extends HasMetadata> {
    private final Registration<T> registration;
    private final ResourceType type;

    /** Creates the resource type of a registration. */
    public RegisteredType(Registration<T> registration) {
        this.registration = registration;
        ResourceType custom = Crds.resourceType(definition(registration));
        type = new ResourceType(
                custom.group(),
                custom.kind(),
                custom.listKind(),
                custom.plural(),
                custom.singular(),
                custom.shortNames(),
                custom.categories(),
                custom.namespaced(),
                ResourceType.Origin.REGISTERED,
                custom.rules(),
                custom.versions());
    }

    /** Returns the registration. */
    public Registration<T> registration() {
        return registration;
    }

    /** Returns the resource type. */
    public ResourceType type() {
        return type;
    }

    /**
     * Runs the mutating hook on an object, in place.
     *
     * @throws MalformedObjectException when the object cannot be read as a model object
     */
    void mutate(Map<String, @Nullable Object> tree) {
        registration.mutate().ifPresent(hook -> {
            Map<String, @Nullable Object> changed =
                    Json.parseObject(ModelCodec.encode(hook.apply(model(tree))), JsonLimits.DEFAULT);
            tree.clear();
            tree.putAll(changed);
        });
    }

    /**
     * Runs the validating hook on an object that fits its schema, and returns its errors.
     *
     * @param old the object before the write; null for a create
     * @throws MalformedObjectException when the object cannot be read as a model object
     */
    List<FieldError> validate(Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old) {
        return registration
                .validate()
                .map(hook -> hook.apply(model(tree), Optional.ofNullable(old).map(this::model)))
                .orElse(List.of());
    }

    private T model(Map<String, @Nullable Object> tree) {
        try {
            return ModelCodec.decode(Json.write(tree), registration.kind().javaType());
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, @Nullable Object> definition(Registration<?> registration) {
        Kind<?> kind = registration.kind();
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        names.put("plural", kind.plural());
        names.put("singular", kind.kind().toLowerCase(Locale.ROOT));
        names.put("kind", kind.kind());
        names.put("listKind", kind.kind() + "List");
        Map<String, @Nullable Object> version = new LinkedHashMap<>();
        version.put("name", kind.version());
        version.put("served", true);
        version.put("storage", true);
        version.put("schema", new LinkedHashMap<>(Map.of("openAPIV3Schema", schema(registration))));
        if (registration.status()) {
            version.put("subresources", new LinkedHashMap<>(Map.of("status", new LinkedHashMap<>())));
        }
        Map<String, @Nullable Object> spec = new LinkedHashMap<>();
        spec.put("group", kind.group());
        spec.put("scope", kind.namespaced() ? "Namespaced" : "Cluster");
        spec.put("names", names);
        spec.put("versions", new ArrayList<>(List.of(version)));
        Map<String, @Nullable Object> definition = new LinkedHashMap<>();
        definition.put("metadata", new LinkedHashMap<>(Map.of("name", kind.id())));
        definition.put("spec", spec);
        definition.put("status", new LinkedHashMap<>(Map.of("acceptedNames", Json.copyObject(names))));
        return definition;
    }

    private static Map<String, @Nullable Object> schema(Registration<?> registration) {
        if (registration.schema().isPresent()) {
            return Json.parseObject(registration.schema().get().getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
        }
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("x-kubernetes-preserve-unknown-fields", true);
        return schema;
    }
}
