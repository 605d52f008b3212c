package dev.evenkeel.protobuf;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Message;
import dev.evenkeel.client.Kind;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.protobuf.internal.DataFormat;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An object whose data is a message, for clients and controllers.
 *
 * <pre>{@code
 * final class ArtistObject extends ProtobufObject<Artist> {
 *     static final Kind<ArtistObject> KIND = ProtobufObject.kind(ArtistObject.class);
 *
 *     ArtistObject() {
 *         super(Artist.getDefaultInstance());
 *     }
 * }
 * }</pre>
 *
 * <p>Fields of the message that this program's definition does not have are kept, and written again with the data. The
 * status has a {@link StatusPart} for each controller. Not safe for use by several threads.
 *
 * @param <M> the message
 */
@JsonAutoDetect(
        fieldVisibility = Visibility.NONE,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE,
        setterVisibility = Visibility.NONE)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "unknownFields", "status"})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public abstract class ProtobufObject<M extends Message> implements HasMetadata {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ClassValue<DataFormat> FORMATS = new ClassValue<>() {
        @Override
        protected DataFormat computeValue(Class<?> type) {
            return DataFormat.of(create(type.asSubclass(ProtobufObject.class)).prototype);
        }
    };

    @JsonIgnore
    private final M prototype;

    @JsonIgnore
    private @Nullable String apiVersion;

    @JsonProperty
    private ObjectMeta metadata = new ObjectMeta();

    @JsonProperty
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private @Nullable JsonNode spec;

    @JsonProperty
    private @Nullable JsonNode unknownFields;

    @JsonProperty
    private TreeMap<String, JsonNode> status = new TreeMap<>();

    @JsonIgnore
    private @Nullable M decoded;

    /** Creates an object without data; subclasses need a constructor without parameters. */
    protected ProtobufObject(M prototype) {
        this.prototype = prototype;
    }

    /**
     * Returns the kind of a class of objects, by the options of its message.
     *
     * @throws IllegalArgumentException when the class has no constructor without parameters, or the options are invalid
     */
    public static <T extends ProtobufObject<?>> Kind<T> kind(Class<T> type) {
        return FORMATS.get(type).options().kind(type);
    }

    private static ProtobufObject<?> create(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return (ProtobufObject<?>) constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    type.getName() + " needs a constructor without parameters that can be called", e);
        }
    }

    private DataFormat format() {
        return FORMATS.get(getClass());
    }

    /**
     * Returns the data; the default message when there are none.
     *
     * @throws dev.evenkeel.client.InvalidException when they do not fit the message
     */
    @SuppressWarnings("unchecked") // the format is that of the prototype
    public M data() {
        M known = decoded;
        if (known == null) {
            JsonObject members = JsonObject.of("spec", tree(spec), "unknownFields", tree(unknownFields));
            known = (M) format().message(members).orElse(prototype);
            decoded = known;
        }
        return known;
    }

    /** Replaces the data. */
    public void data(M value) {
        JsonObject members = format().write(value);
        spec = node(members.get("spec"));
        unknownFields = members.array("unknownFields").isEmpty() ? null : node(members.get("unknownFields"));
        decoded = value;
    }

    private static @Nullable Object tree(@Nullable JsonNode node) {
        return node == null ? null : Json.parse(node.toString().getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    private static JsonNode node(@Nullable Object tree) {
        try {
            return MAPPER.readTree(Json.text(tree));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("JSON that was just written", e);
        }
    }

    /** Returns the part of the status under a key. */
    public Optional<StatusPart> status(String key) {
        return Optional.ofNullable(status.get(key)).map(StatusPart::of);
    }

    /** Replaces the part of the status under a key. */
    public void status(String key, StatusPart part) {
        status.put(key, part.tree());
    }

    /** Removes the part of the status under a key. */
    public void removeStatus(String key) {
        status.remove(key);
    }

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta value) {
        metadata = value;
    }

    @Override
    @JsonProperty(access = Access.READ_ONLY)
    public String getKind() {
        return format().options().kind();
    }

    @Override
    @JsonProperty
    public String getApiVersion() {
        return apiVersion == null ? format().options().apiVersion() : apiVersion;
    }

    @Override
    @JsonProperty
    public void setApiVersion(String value) {
        apiVersion = value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProtobufObject<?> object
                && getClass() == object.getClass()
                && Objects.equals(metadata, object.metadata)
                && Objects.equals(spec, object.spec)
                && Objects.equals(unknownFields, object.unknownFields)
                && status.equals(object.status);
    }

    @Override
    public int hashCode() {
        return Objects.hash(metadata, spec, unknownFields, status);
    }

    @Override
    public String toString() {
        return getKind() + " " + metadata.getNamespace() + "/" + metadata.getName() + " " + spec;
    }
}
