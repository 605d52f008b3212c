package dev.evenkeel.protobuf.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Message;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.protobuf.demo.v1.Artist;
import dev.evenkeel.protobuf.demo.v1.Everything;
import dev.evenkeel.protobuf.demo.v1.Notice;
import dev.evenkeel.protobuf.type.v1.Column;
import dev.evenkeel.protobuf.type.v1.Resource;
import dev.evenkeel.protobuf.type.v1.Status;
import dev.evenkeel.protobuf.type.v1.TypeProto;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Options, their defaults, and the definition that follows from them. */
class TypeDefinitionTest {
    private static JsonObject definition(Descriptor... messages) {
        List<TypeOptions> versions = Stream.of(messages).map(TypeOptions::of).toList();
        return new TypeDefinition(
                        versions,
                        TypeDefinition.storage(versions),
                        Comments.of(TypeDefinitionTest.class.getClassLoader()),
                        Optional.empty())
                .definition();
    }

    private static Descriptor message(String name, String packageName, Resource options, String domain) {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("a.proto")
                .setPackage(packageName)
                .setSyntax("proto3")
                .setOptions(FileOptions.newBuilder().setExtension(TypeProto.domain, domain))
                .addMessageType(DescriptorProto.newBuilder()
                        .setName(name)
                        .setOptions(MessageOptions.newBuilder().setExtension(TypeProto.resource, options)))
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[0])
                    .getMessageTypes()
                    .getFirst();
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Descriptor message(String packageName, Resource.Builder options) {
        return message("Boat", packageName, options.build(), "");
    }

    static Stream<Message> messages() {
        return Stream.of(Artist.getDefaultInstance(), Everything.getDefaultInstance(), Notice.getDefaultInstance());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void anApiServerWouldAcceptTheDefinition(Message message) {
        JsonObject definition = definition(message.getDescriptorForType());
        definition.remove("status");
        Crds.prepareForCreate(definition);
        assertThat(Crds.validate(definition, null)).extracting(FieldError::text).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Boat,   example.harbour.v1,             '',          harbour.example,          boats.harbour.example",
        "Boat,   com.example.sea_port.v2beta1,   '',          sea-port.example.com,     boats.sea-port.example.com",
        "Boat,   com.example.harbour.v1,         acme.org,    harbour.acme.org,         boats.harbour.acme.org",
        "Boat,   harbour.v1,                     '',          harbour,                  boats.harbour",
        "Ferry,  example.harbour.v1,             '',          harbour.example,          ferries.harbour.example",
        "Quay,   example.harbour.v1,             '',          harbour.example,          quays.harbour.example",
        "Wrench, example.harbour.v1,             '',          harbour.example,          wrenches.harbour.example",
        "Bus,    example.harbour.v1,             '',          harbour.example,          buses.harbour.example"
    })
    void namesFollowFromThePackageAndTheMessage(
            String kind, String packageName, String domain, String group, String id) {
        JsonObject definition = definition(message(kind, packageName, Resource.getDefaultInstance(), domain));
        assertThat(definition.string("spec", "group")).isEqualTo(group);
        assertThat(definition.string("metadata", "name")).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example.harbour | option group_version | does not end with a group and a version",
                "v1              | option group         | not set"
            })
    void aPackageWithoutDefaultsIsRefusedWithTheOptionToSet(String packageName, String option, String why) {
        assertThatThrownBy(() -> TypeOptions.of(message(packageName, Resource.newBuilder())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(option)
                .hasMessageContaining(why);
    }

    static Stream<Resource.Builder> invalidOptions() {
        return Stream.of(
                Resource.newBuilder().setGroup("Sea"),
                Resource.newBuilder().setGroupVersion("1"),
                Resource.newBuilder().setKind("boat"),
                Resource.newBuilder().setPlural("Boats!"),
                Resource.newBuilder().addShortNames("-b"),
                Resource.newBuilder()
                        .addColumns(Column.newBuilder().setName("x").setPath("spec.x")),
                Resource.newBuilder().addStatus(Status.newBuilder().setKey("a").setMessage("no.Such")),
                Resource.newBuilder().addStatus(Status.newBuilder().setKey("conditions")));
    }

    @ParameterizedTest
    @MethodSource("invalidOptions")
    void anInvalidOptionIsRefusedWithTheNameOfTheMessage(Resource.Builder options) {
        assertThatThrownBy(() -> definition(message("example.harbour.v1", options)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("message example.harbour.v1.Boat, option ");
    }

    @Test
    void theMostRecentStableVersionIsStoredUnlessAnOptionSaysOtherwise() {
        List<TypeOptions> versions = Stream.of("v1", "v3alpha1", "v2")
                .map(version -> TypeOptions.of(message("example.harbour." + version, Resource.newBuilder())))
                .toList();
        assertThat(TypeDefinition.storage(versions).version()).isEqualTo("v2");
        List<TypeOptions> marked = Stream.of("v1", "v2")
                .map(version -> TypeOptions.of(message(
                        "example.harbour." + version, Resource.newBuilder().setStorage(version.equals("v1")))))
                .toList();
        assertThat(TypeDefinition.storage(marked).version()).isEqualTo("v1");
    }

    @Test
    void versionsThatDisagreeAreRefused() {
        Descriptor one = message("example.harbour.v1", Resource.newBuilder());
        Descriptor two = message("example.harbour.v2", Resource.newBuilder().setPlural("vessels"));
        assertThatThrownBy(() -> definition(one, two))
                .hasMessageContaining("the versions of a type must agree")
                .hasMessageContaining("example.harbour.v1.Boat");
    }

    @Test
    void commentsDescribeFields() {
        JsonObject spec = definition(Artist.getDescriptor())
                .object("spec")
                .objects("versions")
                .getFirst()
                .object("schema", "openAPIV3Schema", "properties", "spec", "properties");
        assertThat(spec.string("plays", "description"))
                .isEqualTo("How often anything was played.\nA 64-bit integer, as a string.");
        assertThat(spec.string("albums", "description")).isEqualTo("A record.");
    }
}
