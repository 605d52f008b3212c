package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The messages of files. */
final class Messages {
    private Messages() {}

    /** Returns all messages of a file, nested ones after the one that contains them. */
    static List<Descriptor> of(FileDescriptor file) {
        return file.getMessageTypes().stream().flatMap(Messages::withNested).toList();
    }

    private static Stream<Descriptor> withNested(Descriptor message) {
        return Stream.concat(
                Stream.of(message), message.getNestedTypes().stream().flatMap(Messages::withNested));
    }

    /** Returns the message of a full name in a file or in what it imports, directly or not. */
    static Optional<Descriptor> find(FileDescriptor file, String fullName) {
        return files(file).stream()
                .flatMap(imported -> of(imported).stream())
                .filter(message -> message.getFullName().equals(fullName))
                .findFirst();
    }

    /** Returns a file and what it imports, directly or not. */
    static List<FileDescriptor> files(FileDescriptor file) {
        List<FileDescriptor> files = new ArrayList<>(List.of(file));
        Set<String> seen = new HashSet<>(Set.of(file.getName()));
        for (int i = 0; i < files.size(); i++) {
            files.get(i).getDependencies().stream()
                    .filter(imported -> seen.add(imported.getName()))
                    .forEach(files::add);
        }
        return files;
    }
}
