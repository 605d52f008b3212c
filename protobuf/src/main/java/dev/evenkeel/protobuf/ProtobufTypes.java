package dev.evenkeel.protobuf;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.protobuf.internal.DescriptorSets;
import dev.evenkeel.protobuf.internal.ReplacedTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Types of descriptor sets, for programs that do not have the generated classes. A descriptor set is what {@code protoc
 * --include_imports --include_source_info --descriptor_set_out=types.binpb} writes; its types are the messages with the
 * option {@code (evenkeel.type.v1.resource)}, and their versions are converted by the binary form.
 *
 * <pre>{@code
 * ProtobufTypes types = ProtobufTypes.load(List.of(Path.of("types.binpb")));
 * Engine engine = Engine.builder().register(types.source()).build();
 * types.reload(); // after a change of the file
 * }</pre>
 */
public final class ProtobufTypes {
    private final List<Path> files;
    private final ReplacedTypes types;
    private Map<String, byte[]> content;

    private ProtobufTypes(List<Path> files) {
        this.files = List.copyOf(files);
        content = read(files);
        types = new ReplacedTypes(DescriptorSets.types(content));
    }

    /**
     * Reads the types of files.
     *
     * @throws IllegalArgumentException when a file is not a descriptor set, has no types, or invalid options
     * @throws UncheckedIOException when a file cannot be read
     */
    public static ProtobufTypes load(List<Path> files) {
        return new ProtobufTypes(files);
    }

    /** Returns the types, for {@link Engine.Builder#register}. */
    public TypeSource source() {
        return types;
    }

    /**
     * Reads the files again, and serves their types from then on if they have changed.
     *
     * @return true if they have
     * @throws IllegalArgumentException when the files are invalid, or objects of the present types would not mean the same by
     *     the new ones; the message names the field. The present types are still served, and the next call with the same
     *     content returns false
     * @throws UncheckedIOException when a file cannot be read
     */
    public synchronized boolean reload() {
        Map<String, byte[]> now = read(files);
        if (now.keySet().stream().allMatch(file -> Arrays.equals(now.get(file), content.get(file)))) {
            return false;
        }
        content = now;
        types.replace(DescriptorSets.types(now));
        return true;
    }

    private static Map<String, byte[]> read(List<Path> files) {
        Map<String, byte[]> content = new LinkedHashMap<>();
        for (Path file : files) {
            try {
                content.put(file.toString(), Files.readAllBytes(file));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the descriptor set " + file, e);
            }
        }
        return content;
    }
}
