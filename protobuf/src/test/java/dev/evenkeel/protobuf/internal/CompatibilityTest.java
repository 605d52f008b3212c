package dev.evenkeel.protobuf.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.TextFormat;
import dev.evenkeel.protobuf.type.v1.Resource;
import dev.evenkeel.protobuf.type.v1.Scope;
import dev.evenkeel.protobuf.type.v1.TypeProto;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Changes of definitions, other than those in ProtobufTypesTest. */
class CompatibilityTest {
    private static final String BOAT = """
            name: "boat.proto" package: "example.v1" syntax: "proto3"
            message_type {
              name: "Boat"
              field { name: "size" number: 1 type: TYPE_ENUM type_name: ".example.v1.Size" label: LABEL_OPTIONAL }
              field { name: "mast" number: 2 type: TYPE_MESSAGE type_name: ".example.v1.Mast" label: LABEL_OPTIONAL }
              field { name: "sail" number: 3 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
              field { name: "oars" number: 4 type: TYPE_INT32 label: LABEL_OPTIONAL oneof_index: 0 }
              oneof_decl { name: "drive" }
            }
            message_type {
              name: "Mast"
              field { name: "height" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
              field { name: "next" number: 2 type: TYPE_MESSAGE type_name: ".example.v1.Mast" label: LABEL_OPTIONAL }
            }
            enum_type { name: "Size" value { name: "SMALL" number: 0 } value { name: "LARGE" number: 1 } }
            """;

    private static List<ServedType<com.google.protobuf.DynamicMessage>> types(
            Scope scope, Consumer<FileDescriptorProto.Builder> change) {
        try {
            FileDescriptorProto.Builder file = TextFormat.parse(BOAT, FileDescriptorProto.class).toBuilder();
            file.getMessageTypeBuilder(0)
                    .setOptions(MessageOptions.newBuilder()
                            .setExtension(
                                    TypeProto.resource,
                                    Resource.newBuilder()
                                            .setGroup("harbour")
                                            .setScope(scope)
                                            .build()));
            change.accept(file);
            return DescriptorSets.types(Map.of(
                    "boat", FileDescriptorSet.newBuilder().addFile(file).build().toByteArray()));
        } catch (TextFormat.ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> problems(Consumer<FileDescriptorProto.Builder> change) {
        return Compatibility.problems(types(Scope.SCOPE_NAMESPACE, file -> {}), types(Scope.SCOPE_NAMESPACE, change));
    }

    @Test
    void whatIsAddedIsCompatible() {
        assertThat(problems(file -> {
                    file.getMessageTypeBuilder(1)
                            .addField(FieldDescriptorProto.newBuilder()
                                    .setName("flag")
                                    .setNumber(3)
                                    .setType(FieldDescriptorProto.Type.TYPE_STRING)
                                    .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED));
                    EnumDescriptorProto.Builder size = file.getEnumTypeBuilder(0);
                    size.addValueBuilder().setName("HUGE").setNumber(2);
                    file.addMessageType(DescriptorProto.newBuilder().setName("Other"));
                }))
                .isEmpty();
    }

    @Test
    void aFieldOfAMessageWithinIsNamed() {
        assertThat(problems(file -> file.getMessageTypeBuilder(1).removeField(0)))
                .containsExactly("field height = 1 of example.v1.Mast is missing");
    }

    @Test
    void aValueOfAnEnumIsNamed() {
        assertThat(problems(
                        file -> file.getEnumTypeBuilder(0).getValueBuilder(1).setName("BIG")))
                .containsExactly("value LARGE = 1 of example.v1.Size is missing");
    }

    @Test
    void aFieldThatLeavesItsOneofIsNamed() {
        assertThat(problems(
                        file -> file.getMessageTypeBuilder(0).getFieldBuilder(3).clearOneofIndex()))
                .containsExactly("field oars = 4 of example.v1.Boat is in another oneof");
    }

    @Test
    void anotherScopeIsRefused() {
        assertThat(Compatibility.problems(
                        types(Scope.SCOPE_PARTITION, file -> {}), types(Scope.SCOPE_CLUSTER, file -> {})))
                .containsExactly("the scope of boats.harbour.example is another one");
    }

    @Test
    void aTypeThatIsMissingIsNamed() {
        assertThat(Compatibility.problems(types(Scope.SCOPE_NAMESPACE, file -> {}), List.of()))
                .containsExactly("the type boats.harbour.example is missing");
    }
}
