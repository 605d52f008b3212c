package dev.evenkeel.engine;

import dev.evenkeel.client.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A type that a program registers instead of creating a CustomResourceDefinition: served in every partition, with Java
 * hooks on model objects.
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
 * <p>In all other respects objects of the type behave as custom resources do: generations, managed fields, schema if
 * there is one.
 *
 * @param <T> class of the objects
 * @param kind the type
 * @param schema the structural schema of whole objects in JSON, as in {@code openAPIV3Schema} of a
 *     CustomResourceDefinition; empty when objects may have any fields
 * @param status true when the status is written through {@code /status} only
 * @param mutate changes each object before it is validated
 * @param validate returns the errors of an object; its second argument is the object before an update
 */
public record Registration<T extends HasMetadata>(
        Kind<T> kind,
        Optional<String> schema,
        boolean status,
        Optional<UnaryOperator<T>> mutate,
        Optional<BiFunction<T, Optional<T>, List<FieldError>>> validate)
        implements TypeSource {
    /** Starts the registration of a model class that names its group and version; see {@link Kind#of}. */
    public static <T extends HasMetadata> Builder<T> of(Class<T> javaType) {
        return of(Kind.of(javaType));
    }

    /** Starts the registration of a kind. */
    public static <T extends HasMetadata> Builder<T> of(Kind<T> kind) {
        return new Builder<>(kind);
    }

    /**
     * Builds a registration.
     *
     * @param <T> class of the objects
     */
    public static final class Builder<T extends HasMetadata> {
        private final Kind<T> kind;
        private Optional<String> schema = Optional.empty();
        private boolean status;
        private Optional<UnaryOperator<T>> mutate = Optional.empty();
        private Optional<BiFunction<T, Optional<T>, List<FieldError>>> validate = Optional.empty();

        private Builder(Kind<T> kind) {
            this.kind = kind;
        }

        /**
         * Sets the structural schema of whole objects in JSON; default: objects may have any fields. A text that is not a
         * JSON object is refused when the engine is built.
         */
        public Builder<T> schema(String json) {
            schema = Optional.of(json);
            return this;
        }

        /** Sets whether the status is written through {@code /status} only; default: false. */
        public Builder<T> status(boolean value) {
            status = value;
            return this;
        }

        /** Sets the hook that changes each object before it is validated; it may return its argument. */
        public Builder<T> mutate(UnaryOperator<T> hook) {
            mutate = Optional.of(hook);
            return this;
        }

        /** Sets the hook that returns the errors of an object; its second argument is the object before an update. */
        public Builder<T> validate(BiFunction<T, Optional<T>, List<FieldError>> hook) {
            validate = Optional.of(hook);
            return this;
        }

        /** Returns the registration. */
        public Registration<T> build() {
            return new Registration<>(kind, schema, status, mutate, validate);
        }
    }
}
