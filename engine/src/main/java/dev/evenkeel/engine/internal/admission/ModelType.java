package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Registration;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A type of model objects: the resource type that its schema defines, and its hooks on model objects.
 *
 * @param <T> class of the objects
 */
public record ModelType<T extends HasMetadata>(Registration<T> registration, ResourceType type)
        implements RegisteredType {
    /** Creates the resource type of a registration. */
    public ModelType(Registration<T> registration) {
        this(registration, Crds.resourceType(definition(registration), ResourceType.Origin.REGISTERED));
    }

    @Override
    public void mutate(Target target, JsonObject tree, @Nullable JsonObject old) {
        registration.mutate().ifPresent(hook -> {
            JsonObject changed = Json.parseObject(ModelCodec.encode(hook.apply(model(tree))), JsonLimits.DEFAULT);
            tree.clear();
            tree.putAll(changed);
        });
    }

    @Override
    public List<FieldError> validate(Target target, JsonObject tree, @Nullable JsonObject old) {
        return registration
                .validate()
                .map(hook -> hook.apply(model(tree), Optional.ofNullable(old).map(this::model)))
                .orElse(List.of());
    }

    private T model(JsonObject tree) {
        try {
            return ModelCodec.decode(Json.write(tree), registration.kind().javaType());
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }

    private static JsonObject definition(Registration<?> registration) {
        Kind<?> kind = registration.kind();
        JsonObject names = new JsonObject()
                .set("plural", kind.plural())
                .set("singular", kind.kind().toLowerCase(Locale.ROOT))
                .set("kind", kind.kind())
                .set("listKind", kind.kind() + "List");
        JsonObject schema = JsonObject.of("openAPIV3Schema", schema(registration));
        JsonObject version = JsonObject.of("name", kind.version(), "served", true, "storage", true, "schema", schema);
        if (registration.status()) {
            version.put("subresources", JsonObject.of("status", new JsonObject()));
        }
        JsonObject spec = new JsonObject()
                .set("group", kind.group())
                .set("scope", kind.namespaced() ? "Namespaced" : "Cluster")
                .set("names", names)
                .set("versions", new ArrayList<>(List.of(version)));
        return new JsonObject()
                .set("metadata", JsonObject.of("name", kind.id()))
                .set("spec", spec)
                .set("status", JsonObject.of("acceptedNames", names.copy()));
    }

    private static JsonObject schema(Registration<?> registration) {
        return registration
                .schema()
                .map(text -> Json.parseObject(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT))
                .orElseGet(() -> JsonObject.of("type", "object", "x-kubernetes-preserve-unknown-fields", true));
    }
}
