package dev.evenkeel.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types of descriptor sets, which change while an engine serves them. */
class ProtobufTypesTest {
    private static final String GROUP = "catalog.demo.example.com";

    @TempDir
    private Path directory;

    private static void add(FileDescriptor file, Set<FileDescriptorProto> files) {
        file.getDependencies().forEach(imported -> add(imported, files));
        files.add(file.toProto());
    }

    /** Returns the set of both versions, as protoc writes it, after a change of the artist of version 1. */
    private static FileDescriptorSet set(Consumer<DescriptorProto.Builder> change) {
        Set<FileDescriptorProto> files = new LinkedHashSet<>();
        add(dev.evenkeel.protobuf.demo.v1.Artist.getDescriptor().getFile(), files);
        add(dev.evenkeel.protobuf.demo.v2.Artist.getDescriptor().getFile(), files);
        FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
        for (FileDescriptorProto file : files) {
            FileDescriptorProto.Builder copy = file.toBuilder();
            if (file.getPackage().equals("demo.catalog.v1")) {
                copy.getMessageTypeBuilderList().stream()
                        .filter(message -> message.getName().equals("Artist"))
                        .forEach(change);
            }
            set.addFile(copy);
        }
        return set.build();
    }

    private Path write(FileDescriptorSet set) throws IOException {
        return Files.write(directory.resolve("types.binpb"), set.toByteArray());
    }

    private static FieldDescriptorProto.Builder field(DescriptorProto.Builder message, String name) {
        return message.getFieldBuilderList().stream()
                .filter(field -> field.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Kind<GenericKubernetesResource> artists(String version) {
        return Kind.generic(GROUP, version, "Artist", "artists", true);
    }

    private static GenericKubernetesResource artist(String name, Map<String, Object> spec) {
        GenericKubernetesResource artist = new GenericKubernetesResource();
        artist.setApiVersion(GROUP + "/v1");
        artist.setKind("Artist");
        artist.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        artist.setAdditionalProperty("spec", spec);
        return artist;
    }

    private static Object create(Client client, String name, Map<String, Object> spec) {
        return client.create(artists("v1"), artist(name, spec), WriteOptions.DEFAULT)
                .getAdditionalProperties()
                .get("spec");
    }

    @Test
    void allVersionsOfTheMessagesAreServedWithTheirRules() throws IOException {
        ProtobufTypes types = ProtobufTypes.load(List.of(write(set(artist -> {}))));
        try (Engine engine = Engine.builder().register(types.source()).build()) {
            assertThat(create(engine.client(), "a", Map.of("name", "Nina", "plays", 3, "genre", "GENRE_JAZZ")))
                    .isEqualTo(Map.of("name", "Nina", "plays", "3", "genre", "GENRE_JAZZ"));
            assertThat(engine.client()
                            .get(artists("v2"), ObjectKey.of("default", "a"))
                            .getAdditionalProperties()
                            .get("spec"))
                    .isEqualTo(Map.of("firstName", "Nina", "plays", "3"));
            assertThatThrownBy(() -> create(engine.client(), "b", Map.of("name", "more than twenty letters")))
                    .isInstanceOf(InvalidException.class)
                    .hasMessageContaining("spec.name");
        }
    }

    @Test
    void anAddedFieldIsServedAfterAReload() throws Exception {
        ProtobufTypes types = ProtobufTypes.load(List.of(write(set(artist -> {}))));
        try (Engine engine = Engine.builder()
                        .executor(Runnable::run)
                        .register(types.source())
                        .build();
                Watch<GenericKubernetesResource> watch = engine.client().watch(artists("v1"), ListOptions.ALL)) {
            assertThat(create(engine.client(), "a", Map.of("country", "us"))).isEqualTo(Map.of());
            assertThat(types.reload()).isFalse();
            write(set(artist -> artist.addField(FieldDescriptorProto.newBuilder()
                    .setName("country")
                    .setNumber(20)
                    .setType(FieldDescriptorProto.Type.TYPE_STRING)
                    .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL))));
            assertThat(types.reload()).isTrue();
            assertThat(create(engine.client(), "b", Map.of("country", "us"))).isEqualTo(Map.of("country", "us"));
            assertThat(engine.client().list(artists("v1"), ListOptions.ALL).items())
                    .hasSize(2);
            // the watch ends after that, as one of a custom resource whose definition has changed
            int seen = 0;
            Optional<Watch.Event<GenericKubernetesResource>> event = watch.next();
            while (event.isPresent()) {
                seen += event.get().type() == Watch.Type.ADDED ? 1 : 0;
                event = watch.next();
            }
            assertThat(seen).isEqualTo(2);
        }
    }

    private void assertRefused(ProtobufTypes types, Consumer<DescriptorProto.Builder> change, String message)
            throws IOException {
        write(set(change));
        assertThatThrownBy(types::reload)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("incompatible with the types that are served")
                .hasMessageContaining(message);
        assertThat(types.reload()).isFalse();
    }

    @Test
    void anIncompatibleChangeIsRefusedByTheNameOfTheField() throws IOException {
        ProtobufTypes types = ProtobufTypes.load(List.of(write(set(artist -> {}))));
        try (Engine engine = Engine.builder().register(types.source()).build()) {
            String field = "field plays = 3 of demo.catalog.v1.Artist ";
            assertRefused(
                    types, artist -> artist.removeField(field(artist, "plays").getNumber() - 1), field + "is missing");
            assertRefused(
                    types,
                    artist -> field(artist, "plays").setName("played").setJsonName("played"),
                    field + "has another name: played");
            assertRefused(
                    types,
                    artist -> field(artist, "plays").setType(FieldDescriptorProto.Type.TYPE_INT32),
                    field + "has another type: int32, and was int64");
            assertRefused(
                    types,
                    artist -> field(artist, "plays").setLabel(FieldDescriptorProto.Label.LABEL_REPEATED),
                    field + "is a list now");
            assertRefused(types, artist -> artist.clearOptions(), "version v1 of artists." + GROUP + " is missing");
            assertThat(create(engine.client(), "a", Map.of("plays", "3"))).isEqualTo(Map.of("plays", "3"));
        }
    }

    @Test
    void aFileWithoutTypesIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("x"), "hello");
        assertThatThrownBy(() -> ProtobufTypes.load(List.of(file))).hasMessageContaining("is not a descriptor set");
        Files.write(file, new byte[0]);
        assertThatThrownBy(() -> ProtobufTypes.load(List.of(file)))
                .hasMessageContaining("has no message with the option (evenkeel.type.v1.resource)");
    }

    @Test
    void anImportThatIsMissingIsNamed() throws IOException {
        FileDescriptorProto alone = FileDescriptorProto.newBuilder()
                .setName("b.proto")
                .addDependency("a.proto")
                .build();
        Path file = write(FileDescriptorSet.newBuilder().addFile(alone).build());
        assertThatThrownBy(() -> ProtobufTypes.load(List.of(file)))
                .hasMessageContaining("b.proto imports a.proto")
                .hasMessageContaining("--include_imports");
    }
}
