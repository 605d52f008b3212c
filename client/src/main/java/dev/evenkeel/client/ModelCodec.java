package dev.evenkeel.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Converts model objects to JSON and back: built-in kinds, users' {@code CustomResource}s and generic ones.
 *
 * <p>Fields that a class does not know are dropped when it is read, unless the class keeps them, as the built-in ones
 * do. Absent values are not written: a null in a request would mean "remove this".
 */
public final class ModelCodec {
    private static final JsonMapper MAPPER = JsonMapper.builder(FieldNames.forgotten())
            .addModule(new JavaTimeModule())
            .addModule(model().setMixInAnnotation(KubernetesResource.class, AsDeclared.class)
                    .addAbstractTypeMapping(KubernetesResource.class, GenericKubernetesResource.class)
                    .addAbstractTypeMapping(HasMetadata.class, GenericKubernetesResource.class))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    private static SimpleModule model() {
        SimpleModule module = new SimpleModule();
        module.setDeserializers(new DeferredDeserializer.Finder());
        return module;
    }

    /** Overrides the interface's annotation, which finds the class by apiVersion and kind; here it is known. */
    @JsonDeserialize(using = JsonDeserializer.None.class)
    private interface AsDeclared {}

    /** Readers by class: looking one up costs more than decoding a small object. */
    private static final ClassValue<ObjectReader> READERS = perClass(MAPPER::readerFor);

    private static final ClassValue<ObjectWriter> WRITERS = perClass(MAPPER::writerFor);

    private ModelCodec() {}

    private static <V> ClassValue<V> perClass(Function<Class<?>, V> function) {
        return new ClassValue<>() {
            @Override
            protected V computeValue(Class<?> type) {
                return function.apply(type);
            }
        };
    }

    /**
     * The object in JSON, UTF-8.
     *
     * @throws IllegalArgumentException when its class cannot be written as JSON; the message names the field
     */
    public static byte[] encode(HasMetadata object) {
        if (object instanceof Encoded encoded) {
            return encoded.json();
        }
        try {
            return WRITERS.get(object.getClass()).writeValueAsBytes(object);
        } catch (JacksonException e) {
            throw mismatch("cannot write " + object.getClass().getName() + " as JSON", e);
        }
    }

    /**
     * The object of a JSON text.
     *
     * @throws IllegalArgumentException when it does not fit the class; the message names the field
     */
    public static <T extends HasMetadata> T decode(byte[] json, Class<T> type) {
        if (type == Encoded.class) {
            return type.cast(Encoded.of(json));
        }
        if (type == PartialObjectMetadata.class) {
            return type.cast(partial(json));
        }
        return read(json, type);
    }

    static ObjectMeta metadata(byte[] json) {
        return read(json, Head.class).metadata;
    }

    /** Returns what a server answers to a request for metadata only. */
    private static PartialObjectMetadata partial(byte[] json) {
        PartialObjectMetadata partial = new PartialObjectMetadata();
        partial.setApiVersion("meta.k8s.io/v1");
        partial.setKind("PartialObjectMetadata");
        partial.setMetadata(metadata(json));
        return partial;
    }

    private static final class Head {
        @JsonProperty
        ObjectMeta metadata = new ObjectMeta();
    }

    private static <T> T read(byte[] json, Class<T> type) {
        try {
            return type.cast(READERS.get(type).readValue(json));
        } catch (JacksonException e) {
            throw mismatch("cannot read JSON as " + type.getName(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns an equal object that shares nothing with this one. */
    @SuppressWarnings("unchecked")
    public static <T extends HasMetadata> T copy(T object) {
        return ModelCopier.copy(object).orElseGet(() -> (T) decode(encode(object), object.getClass()));
    }

    /** Returns the object in another class, such as a generic one in the class of its kind. */
    public static <T extends HasMetadata> T convert(HasMetadata object, Class<T> type) {
        return decode(encode(object), type);
    }

    /**
     * Overwrites the first object with the content of the second, which may be of another class. They share nothing.
     * State outside of an object's JSON is left alone.
     *
     * @throws IllegalArgumentException when it does not fit the class, or the class cannot be changed; then nothing is
     */
    public static void assign(HasMetadata target, HasMetadata source) {
        if (target instanceof Encoded) {
            throw new IllegalArgumentException("target: an encoded object never changes: decode it and change that");
        }
        Assignment.of(MAPPER, target, convert(source, target.getClass())).run();
    }

    /** Returns a copy of the object as a tree, for comparisons. */
    static JsonNode tree(HasMetadata object, JsonMapper mapper) {
        return converted(
                () -> mapper.valueToTree(object),
                "cannot write " + object.getClass().getName() + " as JSON");
    }

    /** Returns a mapper like the codec's, which the caller may configure further. */
    static JsonMapper.Builder mapper() {
        return MAPPER.rebuild();
    }

    /** Returns the object as a tree of maps, lists, strings, numbers and booleans, fields in the order of its class. */
    static Map<?, ?> toTree(HasMetadata object) {
        return MAPPER.convertValue(tree(object, MAPPER), LinkedHashMap.class);
    }

    /** Returns the object of a tree of maps, lists, strings, numbers and booleans. */
    static <T extends HasMetadata> T fromTree(Map<?, ?> tree, Class<T> type) {
        return converted(() -> MAPPER.convertValue(tree, type), "cannot read a document as " + type.getName());
    }

    private static <R> R converted(Supplier<R> conversion, String what) {
        try {
            return conversion.get();
        } catch (IllegalArgumentException e) {
            throw e.getCause() instanceof JacksonException cause ? mismatch(what, cause) : e;
        }
    }

    private static IllegalArgumentException mismatch(String what, JacksonException e) {
        StringBuilder field = new StringBuilder();
        if (e instanceof JsonMappingException mapping) {
            for (JsonMappingException.Reference step : mapping.getPath()) {
                if (step.getFieldName() == null) {
                    field.append('[').append(step.getIndex()).append(']');
                } else {
                    field.append(field.isEmpty() ? "" : ".").append(step.getFieldName());
                }
            }
        }
        return new IllegalArgumentException(
                what + (field.isEmpty() ? "" : ", at " + field) + ": " + e.getOriginalMessage(), e);
    }
}
