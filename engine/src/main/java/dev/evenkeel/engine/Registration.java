package dev.evenkeel.engine;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
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
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A type that a program brings with it, instead of a CustomResourceDefinition: served in every partition, with hooks in
 * Java that see model objects.
 *
 * <pre>{@code
 * Engine.builder().register(Registration.of(Bar.class)
 *     .status(true)
 *     .mutate(bar -> { bar.getSpec().setSize(Math.max(1, bar.getSpec().getSize())); return bar; })
 *     .validate((bar, old) -> bar.getSpec().getSize() > 9
 *         ? List.of(FieldError.invalid("spec.size", bar.getSpec().getSize(), "must be at most 9")) : List.of())
 *     .build())
 * }</pre>
 *
 * <p>Otherwise the type behaves as a custom resource does: generations, managed fields, schema if there is one.
 *
 * @param type the type
 * @param hooks its hooks
 */
public record Registration(ResourceType type, Hooks hooks) {
    /** The hooks of a type, on objects as JSON trees. */
    public interface Hooks {
        /**
         * Changes an object in place, before it is validated.
         *
         * @throws MalformedObjectException when the object cannot be read as a model object
         */
        void mutate(Map<String, @Nullable Object> tree);

        /**
         * Returns the errors of an object that fits its schema.
         *
         * @param old the object before the write; null for a create
         * @throws MalformedObjectException when the object cannot be read as a model object
         */
        List<FieldError> validate(Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old);
    }

    /** Starts a registration of a model class that says its group and version; see {@link Kind#of}. */
    public static <T extends HasMetadata> Builder<T> of(Class<T> javaType) {
        return of(Kind.of(javaType));
    }

    /** Starts a registration of a kind. */
    public static <T extends HasMetadata> Builder<T> of(Kind<T> kind) {
        return new Builder<>(kind);
    }

    /**
     * Collects what is registered.
     *
     * @param <T> class of the objects
     */
    public static final class Builder<T extends HasMetadata> {
        private final Kind<T> kind;
        private Map<String, @Nullable Object> schema = anything();
        private boolean status;
        private UnaryOperator<T> mutate = UnaryOperator.identity();
        private boolean mutates;
        private BiFunction<T, Optional<T>, List<FieldError>> validate = (object, old) -> List.of();
        private boolean validates;

        private Builder(Kind<T> kind) {
            this.kind = kind;
        }

        private static Map<String, @Nullable Object> anything() {
            Map<String, @Nullable Object> schema = new LinkedHashMap<>();
            schema.put("type", "object");
            schema.put("x-kubernetes-preserve-unknown-fields", true);
            return schema;
        }

        /**
         * The structural schema of whole objects, as in {@code openAPIV3Schema} of a CustomResourceDefinition, in JSON;
         * default: anything goes.
         *
         * @throws JsonException when it is no JSON object
         */
        public Builder<T> schema(String json) {
            schema = Json.parseObject(json.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
            return this;
        }

        /** Whether the status is written apart, through {@code /status}; default: false. */
        public Builder<T> status(boolean value) {
            status = value;
            return this;
        }

        /**
         * Sets the hook that changes each object before it is validated; may return the object it was given. What the
         * hook throws fails the write: an ApiException as it is, anything else as an internal error.
         */
        public Builder<T> mutate(UnaryOperator<T> hook) {
            mutate = hook;
            mutates = true;
            return this;
        }

        /**
         * Sets the hook that returns the errors of an object that fits its schema; the second argument is the object
         * before an update. What the hook throws fails the write: an ApiException as it is, anything else as an internal
         * error.
         */
        public Builder<T> validate(BiFunction<T, Optional<T>, List<FieldError>> hook) {
            validate = hook;
            validates = true;
            return this;
        }

        /** The registration. */
        public Registration build() {
            ResourceType custom = Crds.resourceType(definition());
            ResourceType type = new ResourceType(
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
            return new Registration(type, new ModelHooks());
        }

        private Map<String, @Nullable Object> definition() {
            Map<String, @Nullable Object> names = new LinkedHashMap<>();
            names.put("plural", kind.plural());
            names.put("singular", kind.kind().toLowerCase(Locale.ROOT));
            names.put("kind", kind.kind());
            names.put("listKind", kind.kind() + "List");
            Map<String, @Nullable Object> version = new LinkedHashMap<>();
            version.put("name", kind.version());
            version.put("served", true);
            version.put("storage", true);
            version.put("schema", new LinkedHashMap<>(Map.of("openAPIV3Schema", schema)));
            if (status) {
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

        private final class ModelHooks implements Hooks {
            @Override
            public void mutate(Map<String, @Nullable Object> tree) {
                if (mutates) {
                    Map<String, @Nullable Object> changed =
                            Json.parseObject(ModelCodec.encode(mutate.apply(model(tree))), JsonLimits.DEFAULT);
                    tree.clear();
                    tree.putAll(changed);
                }
            }

            @Override
            public List<FieldError> validate(
                    Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old) {
                return validates
                        ? validate.apply(model(tree), Optional.ofNullable(old).map(this::model))
                        : List.of();
            }

            private T model(Map<String, @Nullable Object> tree) {
                try {
                    return ModelCodec.decode(Json.write(tree), kind.javaType());
                } catch (IllegalArgumentException e) {
                    throw new MalformedObjectException(String.valueOf(e.getMessage()));
                }
            }
        }
    }
}
