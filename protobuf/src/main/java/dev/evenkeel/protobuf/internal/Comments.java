package dev.evenkeel.protobuf.internal;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.GenericDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The comments of {@code .proto} files, by the full name of what they describe.
 *
 * <p>Generated classes do not contain them. They are in descriptor sets that {@code protoc} writes with {@code
 * --include_source_info}; those that a build packs as {@value #RESOURCE} are found by the class loader.
 */
public final class Comments {
    /** The resource with the descriptor set of a jar. */
    static final String RESOURCE = "META-INF/evenkeel/types.binpb";

    private final Map<String, String> texts = new HashMap<>();

    /** Returns the comments of the files of a descriptor set. */
    public static Comments of(FileDescriptorSet set) {
        Comments comments = new Comments();
        set.getFileList().forEach(comments::add);
        return comments;
    }

    /** Returns the comments that are packed with the classes of a class loader. */
    public static Comments of(ClassLoader loader) {
        Comments comments = new Comments();
        try {
            for (URL resource : Collections.list(loader.getResources(RESOURCE))) {
                try (InputStream in = resource.openStream()) {
                    FileDescriptorSet.parseFrom(in).getFileList().forEach(comments::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the resource " + RESOURCE + " is not a descriptor set", e);
        }
        return comments;
    }

    /** Returns the comment of a message, field, enum or value; empty when there is none. */
    String of(GenericDescriptor element) {
        return texts.getOrDefault(element.getFullName(), "");
    }

    private void add(FileDescriptorProto file) {
        Map<List<Integer>, String> byPath = new HashMap<>();
        for (Location location : file.getSourceCodeInfo().getLocationList()) {
            String text =
                    location.hasLeadingComments() ? location.getLeadingComments() : location.getTrailingComments();
            if (!text.isBlank()) {
                byPath.put(location.getPathList(), plain(text));
            }
        }
        String scope = file.getPackage().isEmpty() ? "" : file.getPackage() + ".";
        for (int i = 0; i < file.getMessageTypeCount(); i++) {
            add(file.getMessageType(i), scope, List.of(FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, i), byPath);
        }
        for (int i = 0; i < file.getEnumTypeCount(); i++) {
            add(file.getEnumType(i), scope, List.of(FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER, i), byPath);
        }
    }

    private void add(DescriptorProto message, String scope, List<Integer> path, Map<List<Integer>, String> byPath) {
        String name = scope + message.getName();
        put(name, path, byPath);
        for (int i = 0; i < message.getFieldCount(); i++) {
            put(name + "." + message.getField(i).getName(), below(path, DescriptorProto.FIELD_FIELD_NUMBER, i), byPath);
        }
        for (int i = 0; i < message.getNestedTypeCount(); i++) {
            add(message.getNestedType(i), name + ".", below(path, DescriptorProto.NESTED_TYPE_FIELD_NUMBER, i), byPath);
        }
        for (int i = 0; i < message.getEnumTypeCount(); i++) {
            add(message.getEnumType(i), name + ".", below(path, DescriptorProto.ENUM_TYPE_FIELD_NUMBER, i), byPath);
        }
    }

    private void add(EnumDescriptorProto type, String scope, List<Integer> path, Map<List<Integer>, String> byPath) {
        put(scope + type.getName(), path, byPath);
        for (int i = 0; i < type.getValueCount(); i++) {
            put(scope + type.getValue(i).getName(), below(path, EnumDescriptorProto.VALUE_FIELD_NUMBER, i), byPath);
        }
    }

    private void put(String name, List<Integer> path, Map<List<Integer>, String> byPath) {
        String text = byPath.get(path);
        if (text != null) {
            texts.put(name, text);
        }
    }

    private static List<Integer> below(List<Integer> path, int field, int index) {
        List<Integer> longer = new ArrayList<>(path);
        longer.add(field);
        longer.add(index);
        return longer;
    }

    private static String plain(String comment) {
        return comment.strip().lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
