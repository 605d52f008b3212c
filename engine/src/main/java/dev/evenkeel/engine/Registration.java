package dev.evenkeel.engine;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.json.Json;
import dev.evenkeel.engine.json.JsonException;
import dev.evenkeel.engine.json.JsonLimits;
import dev.evenkeel.engine.schema.Crds;
import dev.evenkeel.engine.type.FieldError;
import dev.evenkeel.engine.type.ResourceType;
import dev.evenkeel.engine.type.Strategy;
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
 * @param strategy its hooks
 */
public record Registration(ResourceType type, Strategy strategy) {
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

        /** Changes each object before it is checked; may return the object it was given. */
        public Builder<T> mutate(UnaryOperator<T> hook) {
            mutate = hook;
            mutates = true;
            return this;
        }

        /** Says what is wrong with an object; the second argument is what it was, when it changes. */
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
            return new Registration(type, new Hooks());
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

        /** The hooks, as the pipeline calls them. */
        private final class Hooks implements Strategy {
            @Override
            public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
                change(tree);
            }

            @Override
            public void prepareForUpdate(
                    Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Context context) {
                change(tree);
            }

            private void change(Map<String, @Nullable Object> tree) {
                if (mutates) {
                    Map<String, @Nullable Object> changed =
                            Json.parseObject(ModelCodec.encode(mutate.apply(model(tree))), JsonLimits.DEFAULT);
                    tree.clear();
                    tree.putAll(changed);
                }
            }

            @Override
            public List<FieldError> validate(Map<String, @Nullable Object> tree) {
                return validates ? validate.apply(model(tree), Optional.empty()) : List.of();
            }

            @Override
            public List<FieldError> validateUpdate(
                    Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
                return validates ? validate.apply(model(tree), Optional.of(model(old))) : List.of();
            }

            private T model(Map<String, @Nullable Object> tree) {
                try {
                    return ModelCodec.decode(Json.write(tree), kind.javaType());
                } catch (IllegalArgumentException e) {
                    throw Refusal.badRequest(kind.kind() + " in version \"" + kind.version()
                            + "\" cannot be handled as a " + kind.kind() + ": " + e.getMessage());
                }
            }
        }
    }
}
