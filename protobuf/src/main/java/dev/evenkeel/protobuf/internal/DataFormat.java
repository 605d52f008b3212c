package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The data of a version of a type in both forms: the message, and the members {@code spec} and {@code unknownFields} of
 * the object.
 *
 * <p>JSON has no place for fields that the definition does not have. They are kept apart, in the list {@code
 * unknownFields} of the object: for each part of the spec that has some, its JSON pointer and their encoding, such as
 * {@code {path: /spec/album, data: IgVoZWxsbw==}}. A part within a list is also known by a digest of its item, since
 * pointers shift when a list is changed by a client that does not see those fields.
 */
public final class DataFormat {
    /** The member of objects with the unknown fields. */
    static final String UNKNOWN = "unknownFields";

    private static final String SPEC = "/spec";

    private final TypeOptions options;
    private final MessageFormat format;
    private final Map<String, StatusFormat> statuses = new HashMap<>();

    DataFormat(TypeOptions options, MessageFormat format) {
        this.options = options;
        this.format = format;
        options.options()
                .getStatusList()
                .forEach(status -> Messages.find(options.message().getFile(), status.getMessage())
                        .ifPresent(message -> statuses.put(status.getKey(), new StatusFormat(message))));
    }

    /** Returns the format of a message with the options of a type. */
    public static DataFormat of(Message prototype) {
        return new DataFormat(TypeOptions.of(prototype.getDescriptorForType()), new MessageFormat(prototype));
    }

    /** Returns the format of a target's data; empty when its type is not defined in protobuf. */
    public static Optional<DataFormat> of(ResourceApi partition, Target target) {
        return partition
                .registered(target.type())
                .filter(ServedType.class::isInstance)
                .map(type -> ((ServedType<?>) type).format(target.version().name()));
    }

    /** Returns the group, version and kind as protobuf writes them, with the message of the data. */
    public TypeOptions options() {
        return options;
    }

    MessageFormat json() {
        return format;
    }

    /** Returns the definitions that the message depends on. */
    Set<FileDescriptorProto> files() {
        return Messages.files(format.descriptor().getFile()).stream()
                .map(FileDescriptor::toProto)
                .collect(Collectors.toSet());
    }

    /** Returns the full name of the message, such as {@code example.catalog.v1.Artist}. */
    public String messageName() {
        return format.descriptor().getFullName();
    }

    /**
     * Returns the members of an object that hold its data: {@code spec}, and {@code unknownFields}, which is empty when there
     * are none, so that it replaces those of the object before.
     *
     * @throws InvalidDataException when it is another message, cannot be decoded, has fields that are refused, or a value
     *     without a JSON form
     */
    public JsonObject members(Any data) {
        String name = data.getTypeUrl().substring(data.getTypeUrl().lastIndexOf('/') + 1);
        if (!name.equals(messageName())) {
            throw invalid("spec", name, "is of the wrong type: expected " + messageName());
        }
        try {
            return members(format.decode(data));
        } catch (InvalidProtocolBufferException e) {
            throw invalid("spec", name, "cannot be decoded: " + e.getMessage());
        }
    }

    private JsonObject members(Message message) {
        JsonObject members = write(message);
        if (options.refusesUnknownFields() && !members.array(UNKNOWN).isEmpty()) {
            throw new InvalidDataException(members.objects(UNKNOWN).stream()
                    .map(part -> FieldError.forbidden(
                            dotted(part.string("path")),
                            "has fields that " + messageName() + " does not have, numbers "
                                    + numbers(part.string("data"))))
                    .toList());
        }
        return members;
    }

    private static String numbers(String data) {
        return decode(data).map(fields -> fields.asMap().keySet().toString()).orElse("[]");
    }

    private static String dotted(String pointer) {
        return String.join(".", MessageParts.steps(pointer)).replaceAll("\\.(\\d+)(?=\\.|$)", "[$1]");
    }

    /** Returns the members of an object with the data of a message. */
    public JsonObject write(Message message) {
        MessageParts parts = MessageParts.of(message, format.types());
        if (!parts.errors().isEmpty()) {
            throw new InvalidDataException(parts.errors());
        }
        JsonObject spec = format.print(message);
        Parts all = new Parts(spec);
        List<Object> unknown = new ArrayList<>();
        parts.unknown().forEach((pointer, fields) -> {
            JsonObject entry = JsonObject.of("path", SPEC + pointer);
            entry.setUnlessEmpty("item", all.digest(pointer));
            entry.put("data", Base64.getEncoder().encodeToString(fields.toByteArray()));
            unknown.add(entry);
        });
        return JsonObject.of("spec", spec, UNKNOWN, unknown);
    }

    /** Returns the format of the fields of a part of the status; empty when the type has no message for it. */
    public Optional<StatusFormat> status(String key) {
        return Optional.ofNullable(statuses.get(key));
    }

    /** Returns the data of an object; empty when it has none. */
    public Optional<Any> data(JsonObject object) {
        return message(object).map(format::encode);
    }

    /**
     * Returns the data of an object as a message, with its unknown fields; empty when it has none.
     *
     * @throws InvalidDataException when the spec does not fit the message
     */
    public Optional<Message> message(JsonObject object) {
        if (!(object.get("spec") instanceof JsonObject spec)) {
            return Optional.empty();
        }
        Map<String, UnknownFieldSet> parts = new LinkedHashMap<>();
        for (JsonObject entry : object.objects(UNKNOWN)) {
            String path = entry.string("path");
            if (isPointer(path)) {
                decode(entry.string("data")).ifPresent(fields -> parts.put(path.substring(SPEC.length()), fields));
            }
        }
        Message message = format.read(spec, "spec");
        return Optional.of(parts.isEmpty() ? message : MessageParts.withUnknown(message, parts, format.types()));
    }

    private static boolean isPointer(String path) {
        return path.equals(SPEC) || path.startsWith(SPEC + "/");
    }

    private static Optional<UnknownFieldSet> decode(String data) {
        try {
            return Optional.of(UnknownFieldSet.parseFrom(
                    ByteString.copyFrom(Base64.getDecoder().decode(data))));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Drops the unknown fields of parts that are gone, or are within an item of a list that has changed.
     *
     * @param object is changed in place
     */
    void dropStale(JsonObject object) {
        List<JsonObject> entries = object.objects(UNKNOWN);
        if (entries.isEmpty()) {
            object.remove(UNKNOWN);
            return;
        }
        Parts parts = new Parts(object.object("spec"));
        List<Object> kept = new ArrayList<>();
        for (JsonObject entry : entries) {
            String path = entry.string("path");
            boolean current = isPointer(path)
                    && object.containsKey("spec")
                    && parts.has(path.substring(SPEC.length()))
                    && parts.digest(path.substring(SPEC.length())).equals(entry.string("item"));
            if (current) {
                kept.add(entry);
            }
        }
        object.setOrRemove(UNKNOWN, kept.isEmpty() ? null : kept);
    }

    /** Returns the errors of unknown fields that a client has given: they must be encodings of fields. */
    static List<FieldError> errors(JsonObject object) {
        List<FieldError> errors = new ArrayList<>();
        List<JsonObject> entries = object.objects(UNKNOWN);
        for (int i = 0; i < entries.size(); i++) {
            String data = entries.get(i).string("data");
            if (decode(data).isEmpty()) {
                errors.add(FieldError.invalid(
                        UNKNOWN + "[" + i + "].data", data, "must be fields of a message in base64"));
            }
        }
        return errors;
    }

    /** Returns the errors of unknown fields that a client has added to an object whose type refuses them. */
    List<FieldError> refused(JsonObject object, @Nullable JsonObject old) {
        List<FieldError> errors = new ArrayList<>();
        if (options.refusesUnknownFields()) {
            List<JsonObject> before = old == null ? List.of() : old.objects(UNKNOWN);
            List<JsonObject> entries = object.objects(UNKNOWN);
            for (int i = 0; i < entries.size(); i++) {
                if (!before.contains(entries.get(i))) {
                    errors.add(FieldError.forbidden(
                            UNKNOWN + "[" + i + "]",
                            "the type refuses fields that " + messageName() + " does not have"));
                }
            }
        }
        return errors;
    }

    /** Returns a warning for each part whose unknown fields a write has removed. */
    static List<String> dropped(JsonObject object, JsonObject old) {
        List<String> kept = object.objects(UNKNOWN).stream()
                .map(entry -> entry.string("path"))
                .toList();
        return old.objects(UNKNOWN).stream()
                .map(entry -> entry.string("path"))
                .filter(path -> !kept.contains(path))
                .map(path -> "unknown fields of the binary form at " + path + " are removed")
                .toList();
    }

    /** The parts of a spec: whether they exist, and the digests of the items of lists that they are in. */
    private static final class Parts {
        private final JsonObject spec;
        private final IdentityHashMap<Object, String> digests = new IdentityHashMap<>();

        Parts(JsonObject spec) {
            this.spec = spec;
        }

        boolean has(String pointer) {
            Object value = spec;
            for (String step : MessageParts.steps(pointer)) {
                value = step.equals("@") ? value : child(value, step);
            }
            return value != null;
        }

        /** Returns the digest of the outermost item of a list on the way to a part; empty when there is none on it. */
        String digest(String pointer) {
            Object value = spec;
            for (String step : MessageParts.steps(pointer)) {
                boolean item = value instanceof List<?>;
                value = step.equals("@") ? value : child(value, step);
                if (item && value != null) {
                    return digests.computeIfAbsent(value, DataFormat::digest);
                }
            }
            return "";
        }

        private static @Nullable Object child(@Nullable Object value, String step) {
            if (value instanceof List<?> list) {
                int index = MessageParts.index(step, list.size());
                return index < 0 ? null : list.get(index);
            }
            return value instanceof Map<?, ?> map ? map.get(step) : null;
        }
    }

    private static String digest(Object item) {
        try {
            byte[] text = Json.text(Json.sorted(item)).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InvalidDataException invalid(String path, Object value, String why) {
        return new InvalidDataException(List.of(FieldError.invalid(path, value, why)));
    }
}
