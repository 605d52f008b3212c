package dev.evenkeel.protobuf.internal;

import build.buf.validate.ValidateProto;
import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import dev.evenkeel.protobuf.type.v1.TypeProto;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes types of descriptor sets, the files that {@code protoc --descriptor_set_out} writes. */
public final class DescriptorSets {
    private static final ExtensionRegistry EXTENSIONS = ExtensionRegistry.newInstance();

    /** Files that a set need not contain. */
    private static final Map<String, FileDescriptor> KNOWN = Stream.of(
                    DescriptorProtos.getDescriptor(),
                    AnyProto.getDescriptor(),
                    ApiProto.getDescriptor(),
                    DurationProto.getDescriptor(),
                    EmptyProto.getDescriptor(),
                    FieldMaskProto.getDescriptor(),
                    SourceContextProto.getDescriptor(),
                    StructProto.getDescriptor(),
                    TimestampProto.getDescriptor(),
                    com.google.protobuf.TypeProto.getDescriptor(),
                    WrappersProto.getDescriptor(),
                    ValidateProto.getDescriptor(),
                    TypeProto.getDescriptor())
            .collect(Collectors.toMap(FileDescriptor::getName, Function.identity()));

    static {
        TypeProto.registerAllExtensions(EXTENSIONS);
        ValidateProto.registerAllExtensions(EXTENSIONS);
    }

    private final Map<String, FileDescriptorProto> files = new LinkedHashMap<>();
    private final Map<String, FileDescriptor> built = new LinkedHashMap<>(KNOWN);
    private final Comments comments;

    private DescriptorSets(FileDescriptorSet set) {
        comments = Comments.of(set);
        set.getFileList().forEach(file -> files.putIfAbsent(file.getName(), file));
    }

    /**
     * Returns the types of descriptor sets.
     *
     * @param sets the content of files, by name
     * @throws IllegalArgumentException when a set cannot be read, or has no types, or the options of a type are invalid
     */
    public static List<ServedType<DynamicMessage>> types(Map<String, byte[]> sets) {
        FileDescriptorSet.Builder all = FileDescriptorSet.newBuilder();
        sets.forEach((name, bytes) -> {
            FileDescriptorSet set = read(name, bytes);
            all.addAllFile(set.getFileList());
            if (new DescriptorSets(set).messages().isEmpty()) {
                throw new IllegalArgumentException(name + " has no message with the option ("
                        + TypeProto.resource.getDescriptor().getFullName() + ")");
            }
        });
        return new DescriptorSets(all.build()).types();
    }

    private static FileDescriptorSet read(String name, byte[] bytes) {
        try {
            return FileDescriptorSet.parseFrom(ByteString.copyFrom(bytes), EXTENSIONS);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    name + " is not a descriptor set, as protoc --descriptor_set_out writes: " + e.getMessage(), e);
        }
    }

    private List<Descriptor> messages() {
        List<Descriptor> messages = new ArrayList<>();
        files.keySet().stream()
                .filter(name -> !KNOWN.containsKey(name))
                .forEach(name -> Messages.of(file(name, name)).stream()
                        .filter(TypeOptions::isType)
                        .forEach(messages::add));
        return messages;
    }

    private List<ServedType<DynamicMessage>> types() {
        Map<String, List<TypeOptions>> versions = new TreeMap<>();
        messages().stream()
                .map(TypeOptions::of)
                .forEach(options -> versions.computeIfAbsent(
                                options.apiGroup() + "/" + options.kind(), name -> new ArrayList<>())
                        .add(options));
        return versions.values().stream().map(this::type).toList();
    }

    private ServedType<DynamicMessage> type(List<TypeOptions> options) {
        TypeOptions storage = TypeDefinition.storage(options);
        DynamicMessage stored = DynamicMessage.getDefaultInstance(storage.message());
        List<TypeVersion<?, DynamicMessage>> versions = new ArrayList<>();
        versions.add(new TypeVersion<>(stored, Function.identity(), Function.identity()));
        for (TypeOptions version : options) {
            if (!version.equals(storage)) {
                versions.add(TypeVersion.compatible(DynamicMessage.getDefaultInstance(version.message()), stored));
            }
        }
        return new ServedType<>(versions, Hooks.none(), comments);
    }

    private FileDescriptor file(String name, String importedBy) {
        FileDescriptor known = built.get(name);
        if (known != null) {
            return known;
        }
        FileDescriptorProto proto = files.get(name);
        if (proto == null) {
            throw new IllegalArgumentException(importedBy + " imports " + name
                    + ", which is not in the descriptor set: write it with protoc --include_imports");
        }
        List<FileDescriptor> imports = new ArrayList<>();
        for (String imported : proto.getDependencyList()) {
            imports.add(file(imported, name));
        }
        try {
            FileDescriptor file = FileDescriptor.buildFrom(proto, imports.toArray(FileDescriptor[]::new));
            built.put(name, file);
            return file;
        } catch (DescriptorValidationException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }
}
