package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.kubernetes.KubernetesClient;
import dev.evenkeel.protobuf.type.v1.Resource;
import dev.evenkeel.protobuf.type.v1.TypeProto;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkeel server --types}. */
class TypeFilesTest {
    private static final Kind<GenericKubernetesResource> BOATS =
            Kind.generic("harbour.example", "v1", "Boat", "boats", true);

    @TempDir
    private Path directory;

    /** Writes a descriptor set whose message has these fields, numbered from 1. */
    private Path write(String... fields) throws IOException {
        DescriptorProto.Builder message = DescriptorProto.newBuilder()
                .setName("Boat")
                .setOptions(
                        MessageOptions.newBuilder().setExtension(TypeProto.resource, Resource.getDefaultInstance()));
        for (int i = 0; i < fields.length; i++) {
            message.addField(FieldDescriptorProto.newBuilder()
                    .setName(fields[i])
                    .setNumber(i + 1)
                    .setType(Type.TYPE_STRING)
                    .setLabel(Label.LABEL_OPTIONAL));
        }
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("boat.proto")
                .setPackage("example.harbour.v1")
                .setSyntax("proto3")
                .addMessageType(message)
                .build();
        Path whole = Files.write(
                directory.resolve("new"),
                FileDescriptorSet.newBuilder().addFile(file).build().toByteArray());
        return Files.move(whole, directory.resolve("types.binpb"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static Map<String, Object> spec(KubernetesClient client, String name) {
        GenericKubernetesResource boat = client.patch(
                BOATS,
                ObjectKey.of("default", name),
                Patch.apply("apiVersion: harbour.example/v1\nkind: Boat\nmetadata: {name: " + name
                        + "}\nspec: {name: Ann}\n"),
                WriteOptions.DEFAULT);
        return Map.of("spec", boat.getAdditionalProperties().get("spec"));
    }

    @Test
    void typesAreServedAndReadAgainWhenTheFileChanges() throws Exception {
        Path file = write("name");
        try (ServerProcess server = ServerProcess.start(directory, "--types", file.toString());
                KubernetesClient client = KubernetesClient.connect(server.connection())) {
            assertThat(spec(client, "a")).isEqualTo(Map.of("spec", Map.of("name", "Ann")));
            write("name", "length");
            server.await("types of " + file + " have changed and are served");
            write("title", "length");
            server.await("types of " + file + " are not replaced: incompatible with the types that are served:"
                    + " field name = 1 of example.harbour.v1.Boat has another name: title");
            assertThat(spec(client, "b")).isEqualTo(Map.of("spec", Map.of("name", "Ann")));
        }
    }
}
