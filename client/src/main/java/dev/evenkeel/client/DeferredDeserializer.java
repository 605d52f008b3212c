package dev.evenkeel.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.cfg.DeserializerFactoryConfig;
import com.fasterxml.jackson.databind.deser.BeanDeserializerFactory;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.ResolvableDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.module.SimpleDeserializers;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.util.NameTransformer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Deserializes a class of the model as Jackson does, but introspects the class only when the first object of it is
 * read.
 *
 * <p>Jackson introspects a class and those of all its fields, recursively, before it reads the first object. For a
 * Deployment that is some 250 classes, and a third of the time until a freshly started program has read one; of the
 * thirty kinds of volumes most manifests have two or three.
 *
 * @implNote the classes of the model are plain: they have a constructor without parameters, no inner classes and no
 *     identities. Jackson needs no more of their deserializers than is delegated here.
 */
final class DeferredDeserializer extends StdDeserializer<Object> implements ContextualDeserializer {
    private static final String MODEL = "io.fabric8.kubernetes.api.model.";

    /** Finds this deserializer for the classes of the model. */
    static final class Finder extends SimpleDeserializers {
        @Override
        public @Nullable JsonDeserializer<?> findBeanDeserializer(
                JavaType type, DeserializationConfig config, BeanDescription description) {
            return type.getRawClass().getName().startsWith(MODEL) && type.isConcrete()
                    ? new DeferredDeserializer(type, new Looked(type), null, null)
                    : null;
        }
    }

    /** The introspected deserializer of a class, shared by all places that use it. */
    private static final class Looked {
        private final JavaType type;
        private volatile @Nullable JsonDeserializer<Object> deserializer;

        Looked(JavaType type) {
            this.type = type;
        }

        JsonDeserializer<Object> at(DeserializationContext context) throws JsonMappingException {
            JsonDeserializer<Object> present = deserializer;
            if (present != null) {
                return present;
            }
            synchronized (this) {
                present = deserializer;
                if (present == null) {
                    present = BeanDeserializerFactory.instance
                            .withConfig(new DeserializerFactoryConfig())
                            .createBeanDeserializer(
                                    context, type, context.getConfig().introspect(type));
                    if (present instanceof ResolvableDeserializer resolvable) {
                        resolvable.resolve(context);
                    }
                    deserializer = present;
                }
                return present;
            }
        }
    }

    private final transient Looked looked;
    private final transient @Nullable BeanProperty property;
    private final transient @Nullable NameTransformer unwrapped;
    private transient volatile @Nullable JsonDeserializer<Object> here;

    private DeferredDeserializer(
            JavaType type, Looked looked, @Nullable BeanProperty property, @Nullable NameTransformer unwrapped) {
        super(type);
        this.looked = looked;
        this.property = property;
        this.unwrapped = unwrapped;
    }

    @SuppressWarnings("unchecked")
    private JsonDeserializer<Object> here(DeserializationContext context) throws JsonMappingException {
        JsonDeserializer<Object> present = here;
        if (present == null) {
            present = looked.at(context);
            if (present instanceof ContextualDeserializer contextual) {
                present = (JsonDeserializer<Object>) contextual.createContextual(context, property);
            }
            if (unwrapped != null) {
                present = present.unwrappingDeserializer(unwrapped);
            }
            here = present;
        }
        return present;
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty place) {
        return place == null ? this : new DeferredDeserializer(getValueType(context), looked, place, unwrapped);
    }

    @Override
    public JsonDeserializer<Object> unwrappingDeserializer(NameTransformer names) {
        return new DeferredDeserializer(looked.type, looked, property, names);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        return here(context).deserialize(parser, context);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context, Object into) throws IOException {
        return here(context).deserialize(parser, context, into);
    }

    @Override
    public Object deserializeWithType(JsonParser parser, DeserializationContext context, TypeDeserializer typed)
            throws IOException {
        return here(context).deserializeWithType(parser, context, typed);
    }

    @Override
    public @Nullable Object getEmptyValue(DeserializationContext context) throws JsonMappingException {
        return here(context).getEmptyValue(context);
    }

    @Override
    public boolean isCachable() {
        return true;
    }

    @Override
    public LogicalType logicalType() {
        return LogicalType.POJO;
    }

    /** Supports updates in place if the deserializer of the bean does. */
    @Override
    public Boolean supportsUpdate(DeserializationConfig config) {
        return Boolean.TRUE;
    }
}
